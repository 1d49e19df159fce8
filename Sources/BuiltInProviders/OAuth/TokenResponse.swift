public import AuthCore

/// What a token endpoint gave; at least an access token or an ID token, which nobody has verified yet.
public struct TokenResponse: Sendable {
  public let accessToken: Secret<String>?
  public let idToken: Secret<String>?
  public let refreshToken: Secret<String>?
  /// How many seconds the access token is good for.
  public let expiresIn: Int64?
  public let scope: String?
}
