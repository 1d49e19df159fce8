import AuthCore

/// Reads an authorization server's answer to one request.
struct OAuthAnswer {
  let exchange: VendorExchange
  let request: HTTPRequest
  /// The secrets that were sent, which must not appear in a message.
  let secrets: [String]

  /// Returns the members of a successful answer.
  ///
  /// Throws `invalid-credential` for an OAuth error, even with status 200, as GitHub sends it. The server's own
  /// errors (`server_error`, `temporarily_unavailable`) and answers without meaning throw `network-request-failed`.
  func object(_ response: HTTPResponse, about field: String) throws(AuthError) -> JSONValue {
    let isGood = (200..<300).contains(response.status)
    let json = try? exchange.object(response, to: request)
    if let error = json?["error"], !Self.saysNothing(error) {
      throw refused(error, json ?? .null, field)
    }
    guard isGood else {
      // The statuses of a refusal (RFC 6749, 5.2), whose error name some vendors leave out.
      if json != nil, response.status == 400 || response.status == 401 {
        throw refusal("refuses the \(field) (HTTP \(response.status))", field)
      }
      throw exchange.failure(
        "gave no usable answer (HTTP \(response.status))", request,
        remedy: "Check the address that is configured.")
    }
    guard let json else { return try exchange.object(response, to: request) }
    return json
  }

  /// Tells whether a member `error` means no error, as some servers send it beside an access token.
  private static func saysNothing(_ error: JSONValue) -> Bool {
    switch error {
    case .null, .bool(false), .integer(0): true
    case .string(let text): text.allSatisfy(\.isWhitespace)
    default: false
    }
  }

  /// An error that names the vendor's host.
  func refusal(_ what: String, _ field: String, remedy: String = "Sign in again.") -> AuthError {
    AuthError(
      .invalidCredential, "\(URLText.host(of: request.url) ?? "The server") \(what).",
      field: field, remedy: remedy, step: exchange.step)
  }

  private func refused(_ error: JSONValue, _ json: JSONValue, _ field: String) -> AuthError {
    let code = harmless(Self.code(of: error))
    if code == "server_error" || code == "temporarily_unavailable" {
      return exchange.failure("failed (\(code))", request)
    }
    let text = json["error_description"]?.stringValue ?? error["message"]?.stringValue
    let description = text.map { ": \(harmless($0))" } ?? ""
    if ["invalid_client", "unauthorized_client"].contains(code) {
      return refusal(
        "refuses this client: \(code)\(description)", "clientID",
        remedy: "Check the client ID, secret and way of authentication that are configured.")
    }
    return refusal("refuses the \(field): \(code)\(description)", field)
  }

  /// The error's name: text in RFC 6749; an object with a type and a number at Facebook.
  private static func code(of error: JSONValue) -> String {
    if let code = error.stringValue { return code }
    var parts = [error["type"]?.stringValue ?? "error"]
    if case .integer(let number) = error["code"] { parts.append(String(number)) }
    return parts.joined(separator: " ")
  }

  /// Shortens a text to 100 printable characters, without secrets and without anything that looks like a token.
  private func harmless(_ text: String) -> String {
    var text = text
    for secret in secrets where secret.utf8.count >= 4 { text = text.replacing(secret, with: "…") }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.utf8.count > 32 ? "…" : String($0) }
    let plain = shown(words.joined(separator: " ").replacing("…", with: "..."))
    // The message adds its own full stop.
    return plain.hasSuffix(".") && !plain.hasSuffix("...") ? String(plain.dropLast()) : plain
  }
}
