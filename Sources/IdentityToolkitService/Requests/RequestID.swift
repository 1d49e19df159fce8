/// The ID of a request in the log, in the answer's `X-Request-Id` and in the audit.
package enum RequestID {
  /// The header field that carries it.
  package static let field = "X-Request-Id"

  /// Makes a new ID.
  package static func new() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Returns the ID that a trusted proxy gave the request, or a new one.
  ///
  /// Other clients could give many requests one ID, or write into the log.
  package static func of(
    _ given: String?, from peer: String?, trusted: [NetworkPrefix]
  ) -> String {
    guard let given, let peer, isGood(given), ClientAddress.isTrusted(peer, trusted) else {
      return new()
    }
    return given
  }

  private static func isGood(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
