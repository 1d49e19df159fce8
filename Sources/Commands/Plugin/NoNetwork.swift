import AuthCore

/// Refuses every request, for commands that read only declarations.
struct NoNetwork: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(
      .networkRequestFailed, "A declaration is read without a network.",
      remedy: "Send the request inside of a function.")
  }
}
