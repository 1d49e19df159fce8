/// One answer of a server, with one or more lines.
struct SMTPReply: Hashable, Sendable {
  let code: Int
  /// The lines without their codes.
  let lines: [String]

  var text: String { lines.joined(separator: " ") }
  var isPositive: Bool { (200..<300).contains(code) }
}

/// Parses answers from bytes as they arrive.
struct SMTPReplyReader {
  /// An answer that violates the protocol.
  struct Malformed: Error {}

  /// The longest line in bytes.
  ///
  /// RFC 5321 allows 512; real servers write more.
  static let longestLine = 4096
  static let mostLines = 128

  private var pending: [UInt8] = []
  private var lines: [String] = []
  private var code: Int?

  /// True if bytes are left that belong to no answer yet.
  var hasRest: Bool { !pending.isEmpty || !lines.isEmpty }

  mutating func append(_ bytes: some Sequence<UInt8>) throws(Malformed) {
    pending.append(contentsOf: bytes)
    guard pending.count <= Self.longestLine * Self.mostLines else { throw Malformed() }
  }

  /// The next complete answer; nil if more bytes are needed.
  mutating func next() throws(Malformed) -> SMTPReply? {
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      var line = Array(pending[..<end])
      pending.removeSubrange(...end)
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if let reply = try take(line) { return reply }
    }
    guard pending.count <= Self.longestLine else { throw Malformed() }
    return nil
  }

  private mutating func take(_ line: [UInt8]) throws(Malformed) -> SMTPReply? {
    let digits = line.prefix(3)
    guard line.count <= Self.longestLine, lines.count < Self.mostLines, digits.count == 3,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self)), (200..<600).contains(number),
      code == nil || code == number
    else { throw Malformed() }
    let mark = line.count > 3 ? line[3] : UInt8(ascii: " ")
    guard mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-") else { throw Malformed() }
    lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
    code = number
    guard mark == UInt8(ascii: " ") else { return nil }
    defer {
      lines = []
      code = nil
    }
    return SMTPReply(code: number, lines: lines)
  }
}
