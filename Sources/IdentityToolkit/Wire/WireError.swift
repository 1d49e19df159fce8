public import AuthValues

/// An error as Firebase's servers write it: a status and a body whose message begins with a code.
///
/// The message is `CODE` or `CODE : detail`: JavaScript's client splits at space, colon, space, and Apple's at
/// the first colon.
public struct WireError: Error, Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// `CODE` or `CODE : detail`.
  public var message: String
  /// Google's canonical name of the status, such as `INVALID_ARGUMENT`; ordinary failures have none.
  public var canonicalStatus: String?
  /// The reason of the one item of `errors`.
  public var reason: String
  /// The message of that item, where it is not the error's own.
  public var itemMessage: String?
  /// Where the fault lies, for `Authorization` headers.
  public var location: String?
  public var locationType: String?

  /// An ordinary failure: 400, by its code.
  public init(_ code: String, _ detail: String? = nil) {
    status = 400
    message = detail.map { "\(code) : \($0)" } ?? code
    reason = "invalid"
  }

  public init(status: Int, message: String, canonicalStatus: String?, reason: String) {
    self.status = status
    self.message = message
    self.canonicalStatus = canonicalStatus
    self.reason = reason
  }

  /// The code alone.
  public var code: String {
    message.split(separator: ":", maxSplits: 1).first
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
      .map { String($0).trimmingSuffix() } ?? message
  }

  /// The body.
  public var body: JSONValue {
    var item: [String: JSONValue] = [
      "message": .string(itemMessage ?? message), "reason": .string(reason), "domain": "global",
    ]
    if let location { item["location"] = .string(location) }
    if let locationType { item["locationType"] = .string(locationType) }
    var error: [String: JSONValue] = [
      "code": .integer(Int64(status)), "message": .string(message),
      "errors": .array([.object(item)]),
    ]
    if let canonicalStatus { error["status"] = .string(canonicalStatus) }
    return .object(["error": .object(error)])
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// The failures that are not ordinary.
extension WireError {
  /// A body that does not have the shape that was declared.
  public static func invalidPayload(_ detail: String) -> WireError {
    WireError(
      status: 400, message: "Invalid JSON payload received. \(detail)",
      canonicalStatus: "INVALID_ARGUMENT", reason: "badRequest")
  }

  /// A body that is no JSON.
  public static func unparsableJSON(_ detail: String) -> WireError {
    WireError(
      status: 400, message: "Invalid JSON payload received. \(detail)",
      canonicalStatus: "INVALID_ARGUMENT", reason: "parseError")
  }

  /// A list, an object or a form with more entries than it may have.
  package static func excess(_ place: String, bound: Int) -> WireError {
    .invalidPayload("\(place) must have at most \(bound) entries")
  }

  public static let missingKey = WireError(
    status: 403, message: "The request is missing a valid API key.",
    canonicalStatus: "PERMISSION_DENIED", reason: "forbidden")

  public static let invalidKey = WireError(
    status: 400, message: "API key not valid. Please pass a valid API key.",
    canonicalStatus: "INVALID_ARGUMENT", reason: "keyInvalid")

  public static var unauthenticated: WireError {
    var error = WireError(
      status: 401,
      message: "Request had invalid authentication credentials. Expected OAuth 2 access token, "
        + "login cookie or other valid authentication credential.",
      canonicalStatus: "UNAUTHENTICATED", reason: "authError")
    error.itemMessage = "Invalid Credentials"
    error.location = "Authorization"
    error.locationType = "header"
    return error
  }

  public static let notFound = WireError(
    status: 404, message: "Not Found", canonicalStatus: "NOT_FOUND", reason: "notFound")

  /// An operation that is documented and that this mode does not have.
  public static func notImplemented(_ message: String) -> WireError {
    WireError(
      status: 501, message: message, canonicalStatus: "NOT_IMPLEMENTED", reason: "unimplemented")
  }

  /// Nobody waits for the answer any more; Google's status for that.
  public static let cancelled = WireError(
    status: 499, message: "The operation was cancelled.", canonicalStatus: "CANCELLED",
    reason: "cancelled")

  /// The answer took longer than it may.
  public static let deadlineExceeded = WireError(
    status: 504, message: "The request took too long. Try again.",
    canonicalStatus: "DEADLINE_EXCEEDED", reason: "deadlineExceeded")

  /// Accounts cannot be reached now.
  public static let unavailable = WireError(
    status: 503, message: "The service is unavailable now. Try again later.",
    canonicalStatus: "UNAVAILABLE", reason: "backendError")

  /// The answer to a commit was lost, so the change may have been made.
  ///
  /// Firebase's clients know no such code and report an internal error with this message.
  public static let unsureCommit = WireError(
    status: 503,
    message: "UNSURE_COMMIT : Whether the change was made is not known. "
      + "Look for it before you try again.",
    canonicalStatus: "UNAVAILABLE", reason: "backendError")

  public static let internalError = WireError(
    status: 500, message: "Internal error encountered.", canonicalStatus: "INTERNAL",
    reason: "internalError")
}
