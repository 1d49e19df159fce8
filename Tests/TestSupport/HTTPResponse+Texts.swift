public import AuthCore

extension HTTPResponse {
  /// Makes an answer with the status 200.
  public static func ok(_ text: String, headers: [String: String] = [:]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
  }

  /// Makes an answer with another status.
  public static func status(_ status: Int, _ text: String = "") -> HTTPResponse {
    HTTPResponse(status: status, body: Array(text.utf8))
  }
}
