import AuthCore

extension HTTPResponse {
  static func ok(_ text: String, headers: [String: String] = [:]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
  }

  static func status(_ status: Int, _ text: String = "") -> HTTPResponse {
    HTTPResponse(status: status, body: Array(text.utf8))
  }
}
