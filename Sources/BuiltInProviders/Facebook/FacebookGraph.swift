import AuthCore
import Crypto

/// The part of Facebook's Graph API that identifies the owner of an access token.
struct FacebookGraph: Sendable {
  let provider: ProviderID
  let transport: any HTTPTransport
  let appID: String
  let appSecret: Secret<String>
  let debugToken: String
  let me: String
  let permissions: String
  let privateHosts: [String]

  /// Checks that the token was issued to our app, and reads its owner's profile.
  ///
  /// The profile endpoint accepts any app's token, so the token itself is inspected first.
  func identity(of token: Secret<String>, now: Timestamp) async throws -> VerifiedIdentity {
    let subject = try await owner(of: token, now: now)
    let profile = try await VendorExchange(transport: transport, step: .profile).resource(
      request(.get, me, fields: [("fields", "id,name,email,picture")], bearing: token))
    guard Self.identifier(profile["id"])?.isExactly(subject) == true else {
      throw AuthError(
        .invalidCredential, "Facebook's profile belongs to another person than the token.",
        field: "id", remedy: "Sign in with Facebook again.", step: .profile)
    }
    var identity = VerifiedIdentity(
      provider: provider, key: IdentityKey(provider, subject: subject), claims: profile)
    identity.profile.displayName = PersonName.said(profile["name"])
    identity.profile.photoURL = PersonName.said(profile["picture"]?["data"]?["url"])
    identity.setEmail(profile["email"]?.stringValue, verified: false)
    return identity
  }

  /// Removes every permission that the token's owner granted the app.
  func revokePermissions(with token: Secret<String>) async throws {
    let answer = try await VendorExchange(transport: transport, step: .token).resource(
      request(.delete, permissions, bearing: token))
    guard answer["success"] == .bool(true) else {
      throw AuthError(
        .networkRequestFailed, "Facebook did not confirm that the permissions are gone.",
        remedy: "Try again.", step: .token)
    }
  }

  private func owner(of token: Secret<String>, now: Timestamp) async throws -> String {
    let url = URLText.adding(
      [
        ("input_token", token.reveal()),
        ("access_token", "\(appID)|\(appSecret.reveal())"),
      ], to: debugToken)
    var request = HTTPRequest(.get, url, headers: [("Accept", "application/json")])
    request.privateHosts = privateHosts
    let answer = try await VendorExchange(transport: transport, step: .token).resource(
      request)
    guard let data = answer["data"] else { throw refusal("Facebook does not know the token.") }
    guard Self.identifier(data["app_id"])?.isExactly(appID) == true else {
      throw refusal("The access token was issued to another app.", field: "app_id")
    }
    guard data["is_valid"] == .bool(true) else {
      throw refusal("The access token is not valid any more.", field: "is_valid")
    }
    if let type = data["type"]?.stringValue, type != "USER" {
      throw refusal("The access token is not a person's.", field: "type")
    }
    try checkExpiry(data["expires_at"], now)
    guard let subject = Self.identifier(data["user_id"]) else {
      throw refusal("The access token does not tell who it belongs to.", field: "user_id")
    }
    return subject
  }

  private func checkExpiry(_ value: JSONValue?, _ now: Timestamp) throws(AuthError) {
    var end = value ?? .null
    if case .string(let digits) = end { end = Int64(digits).map(JSONValue.integer) ?? end }
    // Zero means that the token does not expire.
    guard end != .null, end != .integer(0) else { return }
    guard let expiry = NumericDate(end), now < expiry.floor else {
      throw refusal("The access token has expired.", field: "expires_at")
    }
  }

  /// Reads an identifier of Facebook's: text in its answers, a number in its documentation of `debug_token`.
  ///
  /// A number needs all of its digits; one that was rounded or has a fraction is refused.
  private static func identifier(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text) where !text.isEmpty: text
    case .integer(let number) where number > 0: String(number)
    default: nil
    }
  }

  /// Makes a request with the token in a header, which logs of URLs do not show, and with the proof that our app
  /// sent it.
  private func request(
    _ method: HTTPRequest.Method, _ url: String, fields: [(name: String, value: String)] = [],
    bearing token: Secret<String>
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method, URLText.adding(fields + [("appsecret_proof", proof(token))], to: url),
      headers: [("Accept", "application/json"), ("Authorization", "Bearer \(token.reveal())")])
    request.privateHosts = privateHosts
    return request
  }

  /// The HMAC-SHA-256 of the token under the app's secret, in hexadecimal.
  private func proof(_ token: Secret<String>) -> String {
    HMAC<SHA256>.authenticationCode(
      for: Array(token.reveal().utf8), using: SymmetricKey(data: Array(appSecret.reveal().utf8))
    ).hexadecimal
  }

  private func refusal(_ message: String, field: String? = nil) -> AuthError {
    AuthError(
      .invalidCredential, message, field: field, remedy: "Sign in with Facebook again.",
      step: .token)
  }
}
