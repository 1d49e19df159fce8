import AuthCore
package import IdentityToolkit

/// A complete HTTP response.
package struct ServerResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// The code of the error in the response.
  package var errorCode: String?
  /// The cause of a fault of the server, which clients on a network are not told.
  package var cause: (any Error)?

  init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  private init(status: Int, json: [UInt8]) {
    self.init(
      status: status, headers: [("Content-Type", "application/json; charset=UTF-8")], body: json)
  }

  /// Writes a handler's answer, over several lines if `spread` is set.
  init(_ answer: Answer, spread: Bool) {
    switch answer {
    case .json(let value, let status, let headers):
      self.init(status: status, json: JSONWriter.bytes(of: value, spread: spread))
      self.headers += headers.map { ($0.key, $0.value) }
    case .record(let record):
      var writer = JSONWriter(spread: spread)
      writer.object(record.writeMembers)
      self.init(status: 200, json: writer.bytes())
    case .page(let html, let status, let headers):
      self.init(
        status: status, headers: [("Content-Type", "text/html; charset=utf-8")],
        body: Array(html.utf8))
      self.headers += headers.map { ($0.key, $0.value) }
    case .text(let text, let type):
      self.init(status: 200, headers: [("Content-Type", type)], body: Array(text.utf8))
    case .reply(let body, let type, let status, let headers):
      self.init(status: status, headers: body.isEmpty ? [] : [("Content-Type", type)], body: body)
      self.headers += headers.map { ($0.key, $0.value) }
    case .redirect(let place, let status, let headers):
      self.init(status: status, headers: [("Location", place)])
      self.headers += headers.map { ($0.key, $0.value) }
    }
  }

  package init(_ error: WireError, spread: Bool) {
    // A client that should try again learns when.
    let later = error.status == 503 ? ["Retry-After": "1"] : [:]
    self.init(.json(error.body, status: error.status, headers: later), spread: spread)
    errorCode = Self.countedCode(of: error)
  }

  /// Returns the code for the log and the metrics: one of a fixed set, and never text of a request.
  private static func countedCode(of error: WireError) -> String {
    if let status = error.canonicalStatus { return status }
    let isCode = error.code.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isCode ? error.code : "INVALID_ARGUMENT"
  }
}
