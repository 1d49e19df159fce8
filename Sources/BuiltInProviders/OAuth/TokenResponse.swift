public import AuthCore

/// A token endpoint's answer, with at least an access token or an ID token; neither is verified yet.
public struct TokenResponse: Sendable {
  public let accessToken: Secret<String>?
  public let idToken: Secret<String>?
  public let refreshToken: Secret<String>?
  /// The lifetime of the access token in seconds, if the server names it.
  public let expiresIn: Int64?
  /// The granted scopes, separated by spaces, if the server names them.
  public let scope: String?
  /// Every member of the answer under the vendor's name, the tokens included.
  package let members: JSONValue
}

extension TokenResponse {
  /// Reads a successful answer; throws `network-request-failed` if it holds no token, or one that is not a bearer
  /// token.
  init(_ json: JSONValue, _ answer: OAuthAnswer) throws(AuthError) {
    if let type = json["token_type"], type != .null, type.stringValue?.lowercased() != "bearer" {
      throw answer.exchange.failure(
        "gave a token that is no bearer token", answer.request,
        remedy: "Check the address that is configured.")
    }
    accessToken = Self.secret("access_token", json)
    idToken = Self.secret("id_token", json)
    refreshToken = Self.secret("refresh_token", json)
    guard accessToken != nil || idToken != nil else {
      throw answer.exchange.failure(
        "gave neither an access token nor an ID token", answer.request,
        remedy: "Check the address that is configured.")
    }
    expiresIn = Self.seconds(json["expires_in"])
    scope = json["scope"]?.stringValue
    members = json
  }

  /// The tokens as the app and its functions may get them.
  var inbound: InboundCredentials {
    var credentials = InboundCredentials()
    credentials.idToken = idToken?.reveal()
    credentials.accessToken = accessToken?.reveal()
    credentials.refreshToken = refreshToken?.reveal()
    return credentials
  }

  private static func secret(_ name: String, _ json: JSONValue) -> Secret<String>? {
    json[name]?.stringValue.flatMap { $0.isEmpty ? nil : Secret($0) }
  }

  /// Reads a number of seconds, which some servers write as text.
  private static func seconds(_ value: JSONValue?) -> Int64? {
    let seconds: Int64? =
      switch value {
      case .integer(let number): number
      case .number(let number): Int64(exactly: number)
      case .string(let text): Int64(text)
      default: nil
      }
    return seconds.flatMap { $0 >= 0 ? $0 : nil }
  }
}
