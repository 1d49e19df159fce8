import AuthCore

/// Tells why a vendor refused, in the words of RFC 6749, 5.2.
public struct OAuthRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public let error: String
  public let reason: String
  public let status: Int

  public init(_ error: String, _ reason: String, status: Int = 400) {
    self.error = error
    self.reason = reason
    self.status = status
  }

  public var response: VendorResponse {
    let challenge =
      status == 401 ? [RequestFields.Field("WWW-Authenticate", "Basic realm=\"vendor\"")] : []
    return .json(
      ["error": .string(error), "error_description": .string(reason)], status: status,
      headers: challenge + [RequestFields.Field("Cache-Control", "no-store")])
  }

  public var description: String { "\(error): \(reason)" }
}
