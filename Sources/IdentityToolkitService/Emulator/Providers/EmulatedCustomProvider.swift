public import AuthCore
import IdentityToolkit

/// Signs in by custom token as Firebase's emulator does: whatever the token says is believed.
public struct EmulatedCustomProvider: AuthProvider {
  public let id = ProviderID.custom
  public let manifest: ProviderManifest

  /// Makes it in place of another provider of custom tokens, whose builders it keeps.
  public init(over provider: any AuthProvider) {
    manifest = provider.manifest
  }

  public func verify(
    _ credential: AuthCredential, _ context: VerificationContext
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
