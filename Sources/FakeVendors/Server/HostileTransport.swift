/// A server's faults below the content of its answers.
public enum HostileTransport: String, CaseIterable, Sendable, CustomStringConvertible {
  /// 500 with an HTML page.
  case serverError = "answers 500"
  /// 429 with `Retry-After: 120`.
  case tooManyRequests = "answers 429"
  /// Takes the request and sends nothing until the server stops.
  case neverAnswers = "never answers"
  /// Closes the connection instead of answering.
  case closes = "closes without an answer"
  /// Names the length of the body, sends half of it and closes.
  case truncatedBody = "cuts the body short"
  /// 32 MB of valid JSON, in chunks, so that no header announces the size.
  case oversizedBody = "answers 32 MB"
  /// 302 to `localhost`, which is another host and the same server.
  ///
  /// The requests of clients that follow are in `requests(to: VendorServer.elsewhere)`.
  case redirectToAnotherHost = "redirects to another host"
  /// 200 and `application/json`, with a body that is neither JSON nor UTF-8.
  case garbage = "answers garbage"
  /// Bytes that are not HTTP.
  case notHTTP = "does not speak HTTP"
  /// 200 without a body.
  case emptyBody = "answers nothing"
  /// The true body, declared as `text/html`.
  case wrongContentType = "calls JSON a page"
  /// The true answer, in ten parts over ``VendorServer/slowness``.
  case slow = "answers slowly"

  /// True if no caller can get a usable answer.
  ///
  /// A slow answer may arrive in time, and a caller may accept a true body of a wrong type.
  public var mustFail: Bool { self != .slow && self != .wrongContentType }

  /// The fault in words, such as `answers 500`.
  public var description: String { rawValue }
}
