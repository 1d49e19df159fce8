import AuthCore

/// Accepts any identity of a vendor without a check, for the emulator alone.
///
/// It has the settings of the provider that it stands for, uses none of them, and works without.
struct EmulatedIdentityProvider: AuthProvider, SettingsChecking {
  let id: ProviderID
  /// The provider that it stands for; nil for one that this server does not have.
  var real: (any AuthProvider)?

  /// The only credential builder, with one field: the claims as JSON.
  static let builder = "emulated"

  var manifest: ProviderManifest {
    var manifest = ProviderManifest(
      name: id.rawValue, kind: .oauth2,
      builders: [
        CredentialBuilder(
          Self.builder,
          fields: [CredentialField(Self.builder, secret: true, "the claims, as a JSON object")])
      ], configuration: (real?.manifest.configuration ?? []).map(\.optional))
    manifest.takesAddressesAsSubjects = true
    return manifest
  }

  func check(_ settings: ProviderSettings) throws {
    try (real as? any SettingsChecking)?.check(settings)
  }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    guard let claims = try? JSONValue(text: try credential.required(Self.builder)),
      let subject = claims["sub"]?.stringValue
    else {
      throw AuthError(
        .invalidCredential, "The claims are no JSON object with a \"sub\".", field: Self.builder,
        remedy: "Send {\"sub\": \"1234\", \"email\": \"ada@example.com\"}.", step: .credential)
    }
    let email = claims["email"]?.stringValue
    let address = email.flatMap { try? EmailAddress($0) }
    return VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: subject),
      profile: IdentityProfile(
        email: email, displayName: claims["name"]?.stringValue,
        photoURL: claims["picture"]?.stringValue,
        screenName: claims["screen_name"]?.stringValue),
      emailVerified: address != nil && claims["emailVerified"] == .bool(true), email: address,
      claims: claims)
  }
}

/// A provider for every ID that a test may name.
struct EmulatedIdentities: ProviderSource {
  let real: ProviderRegistry

  let ids: [ProviderID] = [
    "apple.com", "facebook.com", "gc.apple.com", "github.com", "google.com", "linkedin.com",
    "microsoft.com", "playgames.google.com", "twitter.com", "yahoo.com",
  ].map { ProviderID($0) }

  func provider(_ id: ProviderID, version: String?) -> (any AuthProvider)? {
    let name = id.rawValue
    let isName = (1...128).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 }
    guard isName, !ownWaysIn.contains(id) else { return nil }
    return EmulatedIdentityProvider(id: id, real: real[id])
  }
}

extension ProviderRegistry {
  /// Returns the registry with an emulated vendor in place of every real one.
  func replacingVendors() -> ProviderRegistry {
    let own = ids.compactMap { self[$0] }.filter { !$0.signsInWithVendor }
    return ProviderRegistry(own, source: EmulatedIdentities(real: self))
  }
}

/// The providers that verify a person themselves, without a vendor.
private let ownWaysIn: Set<ProviderID> = [
  .password, .anonymous, .phone, .emailLink, .custom, .passkey,
]

extension AuthProvider {
  /// True if the provider trusts a vendor that holds the accounts, such as Google, an OIDC provider or a plug-in.
  var signsInWithVendor: Bool { !ownWaysIn.contains(id) }
}

extension ConfigurationField {
  /// The same setting, which may be absent.
  fileprivate var optional: ConfigurationField {
    ConfigurationField(
      name, type, names: names, namesSubjects: namesSubjects, sharedIf: sharedIf,
      fallback: fallback, summary)
  }
}
