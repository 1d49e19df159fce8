/// What the subjects of a provider's name meant, kept after the provider was forgotten or given to another issuer.
///
/// A link keeps the issuer that it was made with. So the settings that say whose the subjects are stay bound to the name
/// as long as anybody is linked with it, and an undo brings no link back from before another issuer got the name.
public struct ProviderSubjects: Hashable, Sendable, Codable {
  /// The provider's settings as they were when it was forgotten last.
  var values: [String: JSONValue]
  /// When another issuer got the name; nil if none did.
  var since: Timestamp?
}

extension ProjectSettings {
  /// Names how a provider is set up: what begins under one name does not go on under another.
  ///
  /// A changed client secret leaves it, so that sign-ins in flight go on. So does a changed trust, which is asked for when
  /// something is decided.
  func setup(of provider: ProviderID) -> String {
    let name = provider.rawValue
    return providers[name].map { $0.setup ?? "first" } ?? "none"
  }

  /// The fields that would give a provider's name to another issuer, or to another app whose subjects are other ones.
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

  /// Whether keys of a provider are still those of accounts whose identities a rekey replaces.
  func isRekeying(from provider: ProviderID) -> Bool {
    rekeys.values.contains { $0.from.provider == provider && $0.isOpen && $0.begunAt != nil }
  }

  /// Ends what was granted to a provider's name: its trust is that of a new project.
  mutating func endTrust(in provider: ProviderID) {
    trust.extents[provider.rawValue] = TrustPolicy.production.extents[provider.rawValue]
  }
}

extension ConfigurationField {
  /// Whether the settings say that subjects are the same under every value of the field.
  func isShared(in values: [String: JSONValue]) -> Bool {
    guard let sharedIf else { return false }
    return values[sharedIf.setting] == .string(sharedIf.value)
  }
}

extension AuthError {
  /// What was begun at a provider cannot be gone on with, because the provider is another one by now.
  static func providerChanged(_ provider: ProviderID) -> AuthError {
    AuthError(
      .operationNotAllowed,
      "The provider \(provider) was set up anew or forgotten since the sign-in began.",
      field: "providerID", remedy: "Begin the sign-in again.", step: .decision)
  }

  /// The name of a provider is not given to another issuer while people are linked with it.
  static func subjectsBound(
    _ field: ConfigurationField, of provider: ProviderID, people: String
  ) -> AuthError {
    let shared = field.sharedIf.map {
      "Set \($0.setting) = \"\($0.value)\" if subjects are the same under every \(field.name), or set"
    }
    return AuthError(
      .operationNotAllowed,
      "There are identities of \(provider) (\(people)), and \(field.name) says whose subjects they are.",
      field: field.name,
      remedy: "\(shared ?? "Set") the other one up under a name of its own.", step: .decision)
  }
}

extension MergeRecord {
  /// The links that an undo would bring back although another issuer got their provider's name since the merge.
  func formerLinks(beside survivor: Account?, _ settings: ProjectSettings) -> [IdentityKey] {
    (survivorBefore.identities + absorbedBefore.identities).keys.filter { key in
      guard let since = settings.subjects[key.provider.rawValue]?.since else { return false }
      return at < since && survivor?.identity(key) == nil
    }
  }
}
