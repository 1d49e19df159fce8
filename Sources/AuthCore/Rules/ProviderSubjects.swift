/// The meaning of the subjects under a provider's name, kept after the provider was removed or given to another issuer.
///
/// A link keeps the issuer with which it was made. So the settings that identify the issuer stay bound to the name
/// while accounts are linked with it. An undo restores no link from before another issuer got the name.
public struct ProviderSubjects: Hashable, Sendable, Codable {
  /// The provider's settings when it was last removed.
  var values: [String: JSONValue]
  /// The time another issuer got the name; nil if none did.
  var since: Timestamp?
}

extension ProjectSettings {
  /// Returns the ID of a provider's setup; a sign-in that began under one setup does not continue under another.
  ///
  /// A changed client secret keeps the setup, so that sign-ins under way continue. So does changed trust, which each
  /// decision reads.
  func setup(of provider: ProviderID) -> String {
    let name = provider.rawValue
    return providers[name].map { $0.setup ?? "first" } ?? "none"
  }

  /// Returns the fields whose change would give a provider's name to an issuer or app with other subjects.
  func changedSubjects(
    of provider: ProviderID, to new: ProviderConfiguration, _ fields: [ConfigurationField]
  ) -> [ConfigurationField] {
    let name = provider.rawValue
    guard let old = providers[name]?.values ?? subjects[name]?.values else { return [] }
    return fields.filter { field in
      guard field.namesSubjects, !field.isShared(in: new.values),
        let before = old[field.name] ?? field.fallback
      else { return false }
      return before != (new.values[field.name] ?? field.fallback)
    }
  }

  /// Tells whether a rekey is replacing keys of a provider.
  func isRekeying(from provider: ProviderID) -> Bool {
    rekeys.values.contains { $0.from.provider == provider && $0.isOpen && $0.begunAt != nil }
  }

  /// Resets the trust in a provider's name to that of a new project.
  mutating func endTrust(in provider: ProviderID) {
    trust.extents[provider.rawValue] = TrustPolicy.production.extents[provider.rawValue]
  }
}

extension ConfigurationField {
  /// Tells whether the settings declare subjects the same under every value of the field.
  func isShared(in values: [String: JSONValue]) -> Bool {
    guard let sharedIf else { return false }
    return values[sharedIf.setting] == .string(sharedIf.value)
  }
}

extension AuthError {
  /// Returns the error for a sign-in whose provider was removed or reconfigured since it began.
  static func providerChanged(_ provider: ProviderID) -> AuthError {
    AuthError(
      .operationNotAllowed,
      "The provider \(provider) was set up again or removed since the sign-in began.",
      field: "providerID", remedy: "Begin the sign-in again.", step: .decision)
  }

  /// Returns the error for giving a provider's name to another issuer while accounts are linked with it.
  static func subjectsBound(
    _ field: ConfigurationField, of provider: ProviderID, people: String
  ) -> AuthError {
    let shared = field.sharedIf.map {
      "Set \($0.setting) = \"\($0.value)\" if subjects are the same under every \(field.name), or set"
    }
    return AuthError(
      .operationNotAllowed,
      "\(field.name) cannot change: it names the issuer of the identities of \(provider) (\(people)).",
      field: field.name,
      remedy: "\(shared ?? "Set") the other issuer up under another provider ID.", step: .decision)
  }
}

extension MergeRecord {
  /// Returns the links that an undo must not restore, because another issuer got their provider's name since the merge.
  func formerLinks(beside survivor: Account?, _ settings: ProjectSettings) -> [IdentityKey] {
    (survivorBefore.identities + absorbedBefore.identities).keys.filter { key in
      guard let since = settings.subjects[key.provider.rawValue]?.since else { return false }
      return at < since && survivor?.identity(key) == nil
    }
  }
}
