public import AuthCore

/// Opens an account for somebody who has not said who they are; linking anything upgrades it.
public struct AnonymousProvider: AuthProvider {
  public let id = ProviderID.anonymous
  public let manifest = ProviderManifest(
    name: "Anonymous", kind: .anonymous,
    builders: [CredentialBuilder("credential", fields: [])])

  public init() {}

  /// Vouches for nobody: each sign-in is a new account.
  public func verify(
    _ credential: AuthCredential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    VerifiedIdentity(provider: id, key: nil)
  }
}
