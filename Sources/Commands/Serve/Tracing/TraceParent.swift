import Foundation

/// The position of a span in a trace (W3C Trace Context, `traceparent`).
struct TraceParent: Sendable, Equatable {
  /// The trace ID: 32 hexadecimal digits.
  let trace: String
  /// The span ID: 16 hexadecimal digits.
  let span: String

  static let headerName = "traceparent"

  init(trace: String, span: String) {
    self.trace = trace
    self.span = span
  }

  /// Begins a trace.
  static func new() -> TraceParent { TraceParent(trace: digits(4), span: digits(2)) }

  /// Makes a span below this one.
  func child() -> TraceParent { TraceParent(trace: trace, span: Self.digits(2)) }

  /// Reads a header of version 00; nil for any other value, and if an ID is all zero.
  init?(header: String) {
    let parts = header.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == "00", parts[1].utf8.count == 32, parts[2].utf8.count == 16,
      parts[1...3].allSatisfy({ $0.utf8.allSatisfy(Self.isLowerHexadecimal) }),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
    else { return nil }
    self.init(trace: parts[1], span: parts[2])
  }

  var header: String { "00-\(trace)-\(span)-01" }

  private static func isLowerHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// Returns random digits, eight for each word.
  private static func digits(_ words: Int) -> String {
    (0..<words).map { _ in String(format: "%08x", UInt32.random(in: 1 ... .max)) }.joined()
  }
}
