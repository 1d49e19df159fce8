public import AuthCore
import IdentityToolkit

/// Signs in with custom tokens as Firebase's emulator does: it believes whatever the token says.
public struct EmulatedCustomProvider: AuthProvider {
  /// The ID of the provider of custom tokens.
  public let id = ProviderID.custom
  /// The manifest of the provider that this one replaces.
  public let manifest: ProviderManifest

  /// Replaces another provider of custom tokens, and keeps its credential builders.
  public init(over provider: any AuthProvider) {
    manifest = provider.manifest
  }

  /// Reads the token without a check of its signature.
  ///
  /// Throws `invalid-custom-token` for a text that is neither a JWT nor a JSON object.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let token: EmulatedCustomToken
    do {
      token = try EmulatedCustomToken(
        try credential.required("token"), tenant: context.scope.tenant)
    } catch let error as WireError {
      throw AuthError(
        .invalidCustomToken, error.message, field: "token",
        remedy: "Have your server make a new token.", step: .token)
    }
    var identity = VerifiedIdentity(provider: id, key: nil, claims: .object(token.claims))
    identity.account = AccountID(token.uid)
    return identity
  }
}
