public import AuthCore

/// Describes what a vendor answers.
public struct VendorResponse: Hashable, Sendable {
  public var status: Int
  public var headers: [RequestFields.Field]
  public var body: [UInt8]

  public init(status: Int = 200, headers: [RequestFields.Field] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Answers JSON.
  public static func json(
    _ value: JSONValue, status: Int = 200, headers: [RequestFields.Field] = []
  ) -> VendorResponse {
    text(value.text, type: "application/json; charset=utf-8", status: status, headers: headers)
  }

  /// Answers text of any media type.
  public static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200,
    headers: [RequestFields.Field] = []
  ) -> VendorResponse {
    VendorResponse(
      status: status, headers: [RequestFields.Field("Content-Type", type)] + headers,
      body: Array(text.utf8))
  }

  /// Sends the caller somewhere else, with 302.
  public static func redirect(to url: String) -> VendorResponse {
    VendorResponse(status: 302, headers: [RequestFields.Field("Location", url)])
  }

  static let notFound = VendorResponse.json(["error": "not_found"], status: 404)
}
