public import AuthCore

/// Decides whether an ID token is genuine; the only place that does.
///
/// It executes an ``IDTokenDeclaration`` and refuses what is not declared.
public struct IDTokenVerifier: Sendable {
  private let keys: KeyCache

  public init(keys: KeyCache) {
    self.keys = keys
  }

  public func verify(
    _ token: String, by declaration: IDTokenDeclaration, nonce: String?,
    accessToken: String? = nil, now: Timestamp
  ) async throws -> IDTokenClaims {
    throw AuthError(.internalError, "ID tokens are not verified yet.", step: .token)
  }
}
