public import AuthCore

/// Opens an account without a credential; linking any identity upgrades it.
public struct AnonymousProvider: AuthProvider {
  /// The ID `anonymous`.
  public let id = ProviderID.anonymous
  /// The provider's name and its one builder, which has no fields.
  public let manifest = ProviderManifest(
    name: "Anonymous", kind: .anonymous,
    builders: [CredentialBuilder("credential", fields: [])])

  /// Makes the provider, which has no settings.
  public init() {}

  /// Returns an identity without a key, so that each sign-in makes a new account.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    VerifiedIdentity(provider: id, key: nil)
  }
}
