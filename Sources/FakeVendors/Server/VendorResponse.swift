public import AuthCore

/// A vendor's answer.
public struct VendorResponse: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The header fields.
  public var headers: [RequestFields.Field]
  /// The body.
  public var body: [UInt8]

  /// Makes an answer from its parts.
  public init(status: Int = 200, headers: [RequestFields.Field] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer with JSON.
  public static func json(
    _ value: JSONValue, status: Int = 200, headers: [RequestFields.Field] = []
  ) -> VendorResponse {
    text(value.text, type: "application/json; charset=utf-8", status: status, headers: headers)
  }

  /// Makes an answer with text of any media type.
  public static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200,
    headers: [RequestFields.Field] = []
  ) -> VendorResponse {
    VendorResponse(
      status: status, headers: [RequestFields.Field("Content-Type", type)] + headers,
      body: Array(text.utf8))
  }

  /// Makes a redirect, with 302.
  public static func redirect(to url: String) -> VendorResponse {
    VendorResponse(status: 302, headers: [RequestFields.Field("Location", url)])
  }

  static let notFound = VendorResponse.json(["error": "not_found"], status: 404)
}
