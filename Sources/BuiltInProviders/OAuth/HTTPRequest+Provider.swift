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
        "\(request.host) refused: \(Self.word(code) ?? "HTTP \(response.status)").",
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

  /// An error code is a short word; anything else is not repeated.
  private static func word(_ code: String?) -> String? {
    guard let code, (1...60).contains(code.utf8.count),
      code.utf8.allSatisfy({ byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: "-")
      })
    else { return nil }
    return code
  }
}
