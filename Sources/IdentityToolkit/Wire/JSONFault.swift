/// The place at which a text stops being JSON, in the words of Google's servers.
///
/// It reads the text only as far as the fault, so it takes as long as the reader that found the text to be faulty.
public struct JSONFault: Sendable, Hashable {
  /// The sentence, the text around the fault, and a mark under the place.
  public let message: String

  /// Finds the fault of a text that another reader stopped at.
  ///
  /// That reader refuses more than this one finds: a repeated name, half of a character, and bytes that are no UTF-8.
  public init(in bytes: [UInt8], stoppingAt offset: Int) {
    var scanner = JSONScanner(bytes)
    let fault = scanner.fault()
    let sentence = fault ?? "A name is repeated, or a text is no UTF-8."
    let place = min(fault == nil ? offset : scanner.position, bytes.count)
    let isAtEnd = fault != nil && place == bytes.count
    let (start, end) = (max(0, place - 20), min(bytes.count, place + 20))
    // A cut inside a character shows a replacement for it.
    let before = String(decoding: bytes[start..<place], as: UTF8.self)
    let after = String(decoding: bytes[place..<end], as: UTF8.self)
    let mark = String(repeating: " ", count: before.count) + "^"
    message =
      (isAtEnd ? "Unexpected end of string. " : "") + "\(sentence)\n\(before)\(after)\n\(mark)"
  }
}

/// Walks over JSON, and stops at the first byte that fits nowhere.
private struct JSONScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The nesting that the reader of requests allows.
  private static let depth = 32
  /// The open lists and objects.
  private var open: [UInt8] = []

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Returns the sentence for the first fault; nil if there is none.
  mutating func fault() -> String? {
    repeat {
      if let fault = value() { return fault }
      if let fault = closeAndContinue() { return fault }
    } while !open.isEmpty
    skipSpace()
    return next == nil ? nil : "Parsing terminated before end of input."
  }

  /// Reads a value up to its end, or up to the first value inside it.
  private mutating func value() -> String? {
    while true {
      guard open.count < Self.depth else { return "Message too deep." }
      skipSpace()
      switch next {
      case UInt8(ascii: "{"):
        position += 1
        open.append(UInt8(ascii: "}"))
        skipSpace()
        if next == UInt8(ascii: "}") { return nil }
        if let fault = key() { return fault }
      case UInt8(ascii: "["):
        position += 1
        open.append(UInt8(ascii: "]"))
        skipSpace()
        if next == UInt8(ascii: "]") { return nil }
      case UInt8(ascii: "\""): return string()
      case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
        return number()
      default: return word()
      }
    }
  }

  /// Closes what ends here, and goes on to the next entry.
  private mutating func closeAndContinue() -> String? {
    while let end = open.last {
      skipSpace()
      let isObject = end == UInt8(ascii: "}")
      switch next {
      case end:
        position += 1
        open.removeLast()
      case UInt8(ascii: ","):
        position += 1
        return isObject ? key() : nil
      default:
        return isObject
          ? "Expected , or } after key:value pair." : "Expected , or ] after array value."
      }
    }
    return nil
  }

  private mutating func key() -> String? {
    skipSpace()
    guard next == UInt8(ascii: "\"") else { return "Expected an object key or }." }
    if let fault = string() { return fault }
    skipSpace()
    guard next == UInt8(ascii: ":") else { return "Expected : between key:value pair." }
    position += 1
    return nil
  }

  private mutating func string() -> String? {
    let start = position
    position += 1
    while let byte = next {
      guard byte >= 0x20 else { return "Unexpected token." }
      position += 1
      if byte == UInt8(ascii: "\"") { return nil }
      if byte == UInt8(ascii: "\\"), let fault = escape() { return fault }
    }
    position = start
    return "Closing quote expected in string."
  }

  private mutating func escape() -> String? {
    guard let byte = next else { return nil }
    guard "\"\\/bfnrtu".utf8.contains(byte) else { return "Invalid escape sequence." }
    position += 1
    guard byte == UInt8(ascii: "u") else { return nil }
    for _ in 0..<4 {
      guard let digit = next else { return nil }
      guard Character(UnicodeScalar(digit)).isHexDigit else { return "Invalid escape sequence." }
      position += 1
    }
    return nil
  }

  private mutating func number() -> String? {
    let start = position
    while let byte = next, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let digits = text.drop { $0 == "-" }
    let isPadded =
      digits.count > 1 && digits.first == "0" && digits.dropFirst().first?.isNumber == true
    guard Double(text)?.isFinite == true, !isPadded, text.last?.isNumber == true,
      digits.first?.isNumber == true
    else {
      position = start
      return "Unable to parse number."
    }
    return nil
  }

  private mutating func word() -> String? {
    for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return nil
    }
    guard next != nil else { return "Expected a value." }
    return open.last == UInt8(ascii: "]")
      ? "Expected a value or ] within an array." : "Expected a value."
  }
}
