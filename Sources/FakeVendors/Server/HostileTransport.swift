/// Names the ways in which a server can misbehave below what it says.
public enum HostileTransport: String, CaseIterable, Sendable, CustomStringConvertible {
  /// 500 with an HTML page.
  case serverError = "answers 500"
  /// 429 with `Retry-After: 120`.
  case tooManyRequests = "answers 429"
  /// Takes the request and says nothing until the server stops.
  case neverAnswers = "never answers"
  /// Closes the connection instead of answering.
  case closes = "closes without an answer"
  /// Says how long the body is, sends half of it and closes.
  case truncatedBody = "cuts the body short"
  /// 32 MB of valid JSON, in chunks, so that no header tells the size beforehand.
  case oversizedBody = "answers 32 MB"
  /// 302 to `localhost`, which is another host and the same server: who followed shows in
  /// `requests(to: VendorServer.elsewhere)`.
  case redirectToAnotherHost = "redirects to another host"
  /// 200 and `application/json`, and a body that is no JSON and no UTF-8.
  case garbage = "answers garbage"
  /// Bytes that are no HTTP at all.
  case notHTTP = "does not speak HTTP"
  /// 200 without a body.
  case emptyBody = "answers nothing"
  /// The true body, called `text/html`.
  case wrongContentType = "calls JSON a page"
  /// The true answer, in ten parts over ``VendorServer/slowness``.
  case slow = "answers slowly"

  /// Whether no caller can have got what it asked for.
  ///
  /// Not so for a slow answer that arrives in time, nor for a true body of a wrong type, which a caller
  /// may refuse or read.
  public var mustFail: Bool { self != .slow && self != .wrongContentType }

  public var description: String { rawValue }
}
