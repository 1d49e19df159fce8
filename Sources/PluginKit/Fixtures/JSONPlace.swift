/// The place of the first JSON error (RFC 8259) in a text, which Foundation does not always report.
struct JSONPlace: Hashable {
  let line: Int
  let column: Int

  /// Finds the first error; nil if the text is JSON.
  init?(ofMistakeIn text: String) {
    var scan = JSONScan(bytes: Array(text.utf8))
    guard !scan.isWhole() else { return nil }
    let before = scan.bytes.prefix(scan.position)
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let last = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed()
    // Continuation bytes of UTF-8 are no characters of their own.
    column = 1 + last.count { $0 & 0xC0 != 0x80 }
  }
}

private struct JSONScan {
  let bytes: [UInt8]
  var position = 0
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func isWhole() -> Bool {
    guard value() else { return false }
    space()
    return position == bytes.count
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func space() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard let byte = next, byte == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value() -> Bool {
    space()
    depth += 1
    defer { depth -= 1 }
    guard depth < 500 else { return false }
    switch next.map({ Character(Unicode.Scalar($0)) }) {
    case "{":
      return list(closing: "}") {
        $0.space()
        guard $0.text() else { return false }
        $0.space()
        return $0.take(":") && $0.value()
      }
    case "[": return list(closing: "]") { $0.value() }
    case "\"": return text()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  private mutating func list(
    closing end: Character, _ element: (inout JSONScan) -> Bool
  ) -> Bool {
    position += 1
    space()
    if take(end) { return true }
    repeat {
      guard element(&self) else { return false }
      space()
    } while take(",")
    return take(end)
  }

  private mutating func word(_ word: String) -> Bool { word.allSatisfy { take($0) } }

  private mutating func text() -> Bool {
    guard take("\"") else { return false }
    while let byte = next, byte >= 0x20 {
      if take("\"") { return true }
      if take("\\") {
        guard let escaped = next, "\"\\/bfnrtu".utf8.contains(escaped) else { return false }
      }
      position += 1
    }
    return false
  }

  private mutating func number() -> Bool {
    let start = position
    while let byte = next, "+-.0123456789eE".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if text.wholeMatch(of: /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/) != nil { return true }
    position = start
    return false
  }
}
