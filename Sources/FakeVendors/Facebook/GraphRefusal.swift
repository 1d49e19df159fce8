import AuthCore

/// An error of the Graph API, in its own words.
struct GraphRefusal: Error, Hashable, Sendable {
  let message: String
  var type = "OAuthException"
  let code: Int64
  var status = 400

  static let invalidToken = GraphRefusal(message: "Invalid OAuth access token.", code: 190)
  static let expiredToken = GraphRefusal(
    message: "Error validating access token: Session has expired.", code: 190)
  static let noToken = GraphRefusal(
    message: "An access token is required to request this resource.", code: 104)
  static let wrongProof = GraphRefusal(
    message: "Invalid appsecret_proof provided in the API argument",
    type: "GraphMethodException", code: 100)
  static let noProof = GraphRefusal(
    message: "API calls from the server require an appsecret_proof argument",
    type: "GraphMethodException", code: 100)
  static let unknownPath = GraphRefusal(
    message: "Unknown path components", code: 2500)

  /// An error of the login flow.
  static func flow(_ message: String) -> GraphRefusal { GraphRefusal(message: message, code: 100) }

  var response: VendorResponse {
    .json(
      [
        "error": [
          "message": .string(message), "type": .string(type), "code": .integer(code),
          "fbtrace_id": "AFakeTraceIdentifier00",
        ]
      ], status: status)
  }

  /// The error inside the answer of `debug_token`.
  var inspected: JSONValue {
    [
      "data": [
        "is_valid": false, "scopes": [],
        "error": ["code": .integer(code), "message": .string(message)],
      ]
    ]
  }
}
