import AuthCore

/// The faults of a vendor's server below the content of its answers.
///
/// Each ends a request as the real transport would, without a network and without waiting.
public enum TransportTrouble: String, CaseIterable, Sendable, CustomStringConvertible {
  case serverError = "answers 500"
  case tooManyRequests = "answers 429"
  case refusal = "answers 401"
  case neverAnswers = "does not answer in time"
  case closes = "closes without an answer"
  case truncatedBody = "cuts its answer short"
  case oversizedBody = "answers more than may be read"
  case redirect = "redirects to another host"
  case garbage = "answers garbage"
  case notHTTP = "does not speak HTTP"
  case emptyBody = "answers nothing"

  /// The fault in words, such as `answers 500`.
  public var description: String { rawValue }

  /// The target of ``redirect``, which must not be requested.
  static let elsewhere = "elsewhere.example"

  /// True for a fault of the body, which has no effect if the answer is not read.
  var isInBody: Bool { self == .garbage || self == .emptyBody }

  /// The result of a request.
  func response(to request: HTTPRequest) throws(AuthError) -> HTTPResponse {
    switch self {
    case .serverError:
      return HTTPResponse(
        status: 500, headers: ["content-type": "text/html"], body: Array("<h1>Error</h1>".utf8))
    case .tooManyRequests: return HTTPResponse(status: 429, headers: ["retry-after": "120"])
    case .refusal:
      return HTTPResponse(
        status: 401, headers: ["content-type": "application/json"],
        body: Array(#"{"error":"invalid_token"}"#.utf8))
    case .redirect:
      return HTTPResponse(status: 302, headers: ["location": "https://\(Self.elsewhere)/"])
    case .garbage:
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: [0x7B, 0xFF, 0xFE, 0x00, 0x22, 0x5B])
    case .emptyBody: return HTTPResponse(status: 200)
    case .neverAnswers: throw Self.failure(request, "did not answer in time.")
    case .closes: throw Self.failure(request, "closed the connection without an answer.")
    case .truncatedBody: throw Self.failure(request, "closed the connection amid its answer.")
    case .notHTTP:
      throw Self.failure(
        request, "answered with something that is not HTTP.", remedy: "Check the port of the URL.")
    case .oversizedBody: throw Self.tooLarge(request)
    }
  }

  static func tooLarge(_ request: HTTPRequest) -> AuthError {
    AuthError(
      .networkRequestFailed,
      "The answer of \(host(of: request)) is larger than \(request.maximumResponseBytes) bytes.",
      remedy: "Raise the limit, or ask for less.")
  }

  private static func failure(
    _ request: HTTPRequest, _ what: String, remedy: String = "Try again later."
  ) -> AuthError {
    AuthError(.networkRequestFailed, "\(host(of: request)) \(what)", remedy: remedy)
  }

  private static func host(of request: HTTPRequest) -> String {
    let host = URLText.host(of: request.url) ?? "The server"
    return String(host.prefix { $0 != ":" })
  }
}
