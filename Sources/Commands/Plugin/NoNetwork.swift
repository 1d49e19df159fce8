import AuthCore

/// Refuses every request, where only declarations are read.
struct NoNetwork: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(
      .networkRequestFailed, "A declaration is read without a network.",
      remedy: "Ask inside of a function.")
  }
}
