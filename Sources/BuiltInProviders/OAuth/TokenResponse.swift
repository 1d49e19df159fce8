public import AuthCore

/// What a token endpoint gave (RFC 6749, section 5.1).
public struct TokenResponse: Sendable {
  public let accessToken: Secret<String>?
  public let idToken: Secret<String>?
  public let refreshToken: Secret<String>?
  /// How long the access token lives, in seconds.
  public let expiresIn: Int64?
  public let scope: String?

  /// Reads an answer; throws `invalid-credential` with the step `exchange` where its tokens are of an unknown
  /// type, or there are none.
  init(_ json: JSONValue) throws(AuthError) {
    func secret(_ name: String) -> Secret<String>? {
      json[name]?.stringValue.flatMap { $0.isEmpty ? nil : Secret($0) }
    }
    let type = json["token_type"]?.stringValue?.lowercased() ?? "bearer"
    guard type == "bearer" else {
      throw AuthError(
        .invalidCredential, "The provider gave a token of a type that is not known.",
        field: "token_type", remedy: "Configure the client for bearer tokens.", step: .exchange)
    }
    accessToken = secret("access_token")
    idToken = secret("id_token")
    refreshToken = secret("refresh_token")
    guard accessToken != nil || idToken != nil else {
      throw AuthError(
        .invalidCredential, "The provider gave no token.", remedy: "Sign in again.",
        step: .exchange)
    }
    expiresIn =
      switch json["expires_in"] {
      case .integer(let seconds): seconds
      case .string(let text): Int64(text)
      default: nil
      }
    scope = json["scope"]?.stringValue
  }
}
