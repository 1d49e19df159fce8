public import AuthValues

/// An error in the form of Firebase's servers: a status, and a body whose message begins with a code.
///
/// The message is `CODE` or `CODE : detail`. JavaScript's client splits it at the colon between two spaces, Apple's at
/// the first colon.
public struct WireError: Error, Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The message: `CODE` or `CODE : detail`.
  public var message: String
  /// Google's canonical name of the status, such as `INVALID_ARGUMENT`; nil for ordinary failures.
  public var canonicalStatus: String?
  /// The reason in the single item of `errors`.
  public var reason: String
  /// The message in that item, if it differs from the error's own.
  public var itemMessage: String?
  /// The location of the fault in the request, such as `Authorization`.
  public var location: String?
  /// The kind of ``location``, such as `header`.
  public var locationType: String?

  /// The part of the body that is at fault, if one is.
  public var fault: PayloadFault?
  /// Further descriptions of the fault, in Google's forms.
  public var details: [JSONValue] = []

  /// Makes an ordinary failure, which has the status 400.
  public init(_ code: String, _ detail: String? = nil) {
    status = 400
    message = detail.map { "\(code) : \($0)" } ?? code
    reason = "invalid"
  }

  /// Makes an error of any status.
  public init(status: Int, message: String, canonicalStatus: String?, reason: String) {
    self.status = status
    self.message = message
    self.canonicalStatus = canonicalStatus
    self.reason = reason
  }

  /// The code alone, without the detail.
  public var code: String {
    message.split(separator: ":", maxSplits: 1).first
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
      .map { String($0).trimmingSuffix() } ?? message
  }

  /// The body of the answer.
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
    if !details.isEmpty { error["details"] = .array(details) }
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

/// The failures that have their own status or reason.
extension WireError {
  /// Returns the error for a body that does not have the declared shape.
  public static func invalidPayload(_ detail: String) -> WireError {
    WireError(
      status: 400, message: "Invalid JSON payload received. \(detail)",
      canonicalStatus: "INVALID_ARGUMENT", reason: "badRequest")
  }

  /// Returns the error for a body that is not JSON.
  public static func unparsableJSON(_ detail: String) -> WireError {
    WireError(
      status: 400, message: "Invalid JSON payload received. \(detail)",
      canonicalStatus: "INVALID_ARGUMENT", reason: "parseError")
  }

  /// Returns the error for a list, an object or a form with too many entries.
  package static func excess(_ place: String, bound: Int) -> WireError {
    .invalidPayload("\(place) must have at most \(bound) entries")
  }

  /// The error for a request without an API key.
  public static let missingKey = WireError(
    status: 403, message: "The request is missing a valid API key.",
    canonicalStatus: "PERMISSION_DENIED", reason: "forbidden")

  /// The error for an unknown API key.
  public static let invalidKey = WireError(
    status: 400, message: "API key not valid. Please pass a valid API key.",
    canonicalStatus: "INVALID_ARGUMENT", reason: "keyInvalid")

  /// The error for a missing or invalid bearer token.
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

  /// The error for an unknown path.
  public static let notFound = WireError(
    status: 404, message: "Not Found", canonicalStatus: "NOT_FOUND", reason: "notFound")

  /// Returns the error for a documented operation that this mode does not have.
  public static func notImplemented(_ message: String) -> WireError {
    WireError(
      status: 501, message: message, canonicalStatus: "NOT_IMPLEMENTED", reason: "unimplemented")
  }

  /// The outcome of a request whose client has disconnected, with Google's status for it.
  public static let cancelled = WireError(
    status: 499, message: "The operation was cancelled.", canonicalStatus: "CANCELLED",
    reason: "cancelled")

  /// The error for a request that exceeded its time limit.
  public static let deadlineExceeded = WireError(
    status: 504, message: "The request took too long. Try again.",
    canonicalStatus: "DEADLINE_EXCEEDED", reason: "deadlineExceeded")

  /// The error for a store that cannot be reached now.
  public static let unavailable = WireError(
    status: 503, message: "The service is unavailable now. Try again later.",
    canonicalStatus: "UNAVAILABLE", reason: "backendError")

  /// The error for a commit whose answer was lost, so that the change may have been made.
  ///
  /// Firebase's clients do not know the code and report an internal error with this message.
  public static let unsureCommit = WireError(
    status: 503,
    message: "UNSURE_COMMIT : It is not known whether the change was made. "
      + "Look for it before you try again.",
    canonicalStatus: "UNAVAILABLE", reason: "backendError")

  /// The error for a fault of the server.
  public static let internalError = WireError(
    status: 500, message: "Internal error encountered.", canonicalStatus: "INTERNAL",
    reason: "internalError")
}
