import AuthCore

/// A vendor's refusal, in the terms of RFC 6749, 5.2.
public struct OAuthRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error code, such as `invalid_grant`.
  public let error: String
  /// The description of the error.
  public let reason: String
  /// The HTTP status.
  public let status: Int

  /// Makes a refusal.
  public init(_ error: String, _ reason: String, status: Int = 400) {
    self.error = error
    self.reason = reason
    self.status = status
  }

  /// The refusal as an HTTP answer.
  public var response: VendorResponse {
    let challenge =
      status == 401 ? [RequestFields.Field("WWW-Authenticate", "Basic realm=\"vendor\"")] : []
    return .json(
      ["error": .string(error), "error_description": .string(reason)], status: status,
      headers: challenge + [RequestFields.Field("Cache-Control", "no-store")])
  }

  /// The error code and its description.
  public var description: String { "\(error): \(reason)" }
}
