import AuthCore

extension HTTPRequest {
  /// A GET of something that a provider publishes.
  init(_ url: String, accept: String, privateHosts: [String]) {
    self.init(.get, url, headers: [("Accept", accept)])
    self.privateHosts = privateHosts
  }

  /// The host, for messages.
  var host: String { URLText.host(of: url) ?? "?" }
}

extension HTTPTransport {
  /// Sends a request and reads a JSON object out of the answer; errors carry the step.
  ///
  /// Throws `network-request-failed`, `quota-exceeded` where the server asks for patience, or
  /// `invalid-credential` with the server's error code (RFC 6749, section 5.2), also where that comes with
  /// HTTP 200. A redirect is never followed.
  func object(_ request: HTTPRequest, at step: FlowStep) async throws -> JSONValue {
    let response = try await answer(request, at: step)
    guard case .object(let members)? = response.json else {
      throw AuthError(
        .networkRequestFailed, "\(request.host) answered with something that is no JSON object.",
        remedy: "Check the endpoint, or try again later.", step: step)
    }
    return .object(members)
  }

  /// Sends a request and checks that the answer is not an error.
  func answer(_ request: HTTPRequest, at step: FlowStep) async throws -> HTTPResponse {
    let response: HTTPResponse
    do {
      response = try await send(request)
    } catch var error as AuthError {
      error.step = error.step ?? step
      throw error
    }
    func known(_ code: String?) -> String? {
      code.flatMap { knownErrorCodes.contains($0) ? $0 : nil }
    }
    let code = response.json?["error"].flatMap { $0.stringValue ?? $0["status"]?.stringValue }
    switch response.status {
    case 200..<300 where code == nil: return response
    case 429:
      throw AuthError(
        .quotaExceeded, "\(request.host) was asked too often.", remedy: "Try again later.",
        step: step)
    case 200..<300, 400..<500:
      throw AuthError(
        .invalidCredential,
        "\(request.host) refused: \(known(code) ?? "HTTP \(response.status)").",
        remedy: "Sign in again, and check the client's configuration.", step: step)
    case 300..<400:
      throw AuthError(
        .networkRequestFailed, "\(request.host) answered with a redirect, which is not followed.",
        remedy: "Configure the endpoint that it leads to.", step: step)
    default:
      throw AuthError(
        .networkRequestFailed, "\(request.host) answered with HTTP \(response.status).",
        remedy: "Try again later.", step: step)
    }
  }
}

/// The error codes of OAuth 2, which may be repeated in a message.
///
/// No other text of a server is: it may hold what it was sent. They are those of RFC 6749 (4.1.2.1, 5.2), RFC 6750
/// (3.1) and RFC 7009 (2.2.1).
private let knownErrorCodes: Set<String> = [
  "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
  "unsupported_grant_type", "invalid_scope", "access_denied", "unsupported_response_type",
  "server_error", "temporarily_unavailable", "invalid_token", "insufficient_scope",
  "unsupported_token_type",
]
