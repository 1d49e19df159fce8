/// Base64 (RFC 4648) in its two alphabets.
package enum Base64: Sendable {
  /// The alphabet with `+` and `/`, written with padding.
  case standard
  /// The alphabet with `-` and `_`, which need no escaping in a URL, written without padding (RFC 7515 section 2).
  case url

  /// The padding that a reader accepts.
  package enum Padding: Sendable {
    /// No padding, so that bytes have exactly one spelling; for tokens and keys.
    case none
    /// Complete padding or none.
    case optional
  }

  /// Returns the bytes that a text encodes; nil if it is not base64 of this alphabet.
  ///
  /// Unused bits must be zero, or else one token would have several spellings.
  package func bytes(
    of text: some Collection<UInt8>, padding: Padding = .none
  ) -> [UInt8]? {
    let values = self == .url ? Self.urlValues : Self.standardValues
    return switch padding {
    case .none: Self.decode(text, values)
    case .optional: Self.unpadded(text).flatMap { Self.decode($0, values) }
    }
  }

  /// Returns the bytes of a text in either alphabet, with complete padding or none.
  ///
  /// Nil for a text that mixes the alphabets, has the wrong length or contains other characters. For reading what
  /// vendors write in order to compare it.
  package static func bytes(ofEither text: String) -> [UInt8]? {
    url.bytes(of: text.utf8, padding: .optional)
      ?? standard.bytes(of: text.utf8, padding: .optional)
  }

  /// Returns the bytes of a text as leniently as most software reads it.
  ///
  /// Accepts both alphabets, even mixed, any padding at the end, and unused bits of any value.
  package static func bytes(lenient text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return decode(text.dropLast(padding), eitherValues, ignoresSpareBits: true)
  }

  /// Returns the text of bytes, with padding in the standard alphabet.
  package func text(_ bytes: some Sequence<UInt8>) -> String {
    let text = unpaddedText(bytes)
    guard self == .standard else { return text }
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// Returns the text of bytes without padding, in either alphabet.
  package func unpaddedText(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    append(Array(bytes), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the unpadded text of bytes.
  package func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    let alphabet = self == .url ? Self.urlAlphabet : Self.standardAlphabet
    let (groups, tail) = bytes.count.quotientAndRemainder(dividingBy: 3)
    text += [UInt8](unsafeUninitializedCapacity: groups * 4 + 3) { output, count in
      func add(_ word: UInt32, digits: Int) {
        for digit in 0..<digits {
          output[count + digit] = alphabet[Int(word >> (18 - 6 * UInt32(digit)) & 63)]
        }
        count += digits
      }
      for group in 0..<groups {
        let at = group * 3
        add(
          UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]), digits: 4)
      }
      guard tail > 0 else { return }
      let at = groups * 3
      add(UInt32(bytes[at]) << 16 | (tail == 2 ? UInt32(bytes[at + 1]) << 8 : 0), digits: tail + 1)
    }
  }
}

extension Base64 {
  /// Returns the text without its padding; nil if the padding has the wrong length.
  private static func unpadded<Text: Collection<UInt8>>(_ text: Text) -> Text.SubSequence? {
    let padding = text.suffix(3).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding == 0 || padding <= 2 && text.count % 4 == 0 else { return nil }
    return text.dropLast(padding)
  }

  private static func decode(
    _ text: some Collection<UInt8>, _ values: [UInt8], ignoresSpareBits: Bool = false
  ) -> [UInt8]? {
    // A loop over the generic collection is far slower than one over contiguous bytes.
    text.withContiguousStorageIfAvailable { decode($0, values, ignoresSpareBits) }
      ?? Array(text).withUnsafeBufferPointer { decode($0, values, ignoresSpareBits) }
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ values: [UInt8], _ ignoresSpareBits: Bool
  ) -> [UInt8]? {
    let (groups, tail) = text.count.quotientAndRemainder(dividingBy: 4)
    guard tail != 1 else { return nil }
    // All values, combined: an invalid one has bits that no valid one has.
    var seen: UInt8 = 0
    var rest: UInt32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: groups * 3 + 2) { output, count in
      func value(_ index: Int) -> UInt32 {
        let value = values[Int(text[index])]
        seen |= value
        return UInt32(value)
      }
      for group in 0..<groups {
        let at = group * 4
        let word = value(at) << 18 | value(at + 1) << 12 | value(at + 2) << 6 | value(at + 3)
        output[count] = UInt8(truncatingIfNeeded: word >> 16)
        output[count + 1] = UInt8(truncatingIfNeeded: word >> 8)
        output[count + 2] = UInt8(truncatingIfNeeded: word)
        count += 3
      }
      guard tail > 0 else { return }
      let at = groups * 4
      let word = value(at) << 12 | value(at + 1) << 6 | (tail == 3 ? value(at + 2) : 0)
      output[count] = UInt8(truncatingIfNeeded: word >> 10)
      if tail == 3 { output[count + 1] = UInt8(truncatingIfNeeded: word >> 2) }
      count += tail - 1
      rest = tail == 3 ? word & 0x3 : word & 0x3FF
    }
    return seen < 64 && (ignoresSpareBits || rest == 0) ? bytes : nil
  }

  private static let standardAlphabet = letters + Array("+/".utf8)
  private static let urlAlphabet = letters + Array("-_".utf8)
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  private static let standardValues = values([standardAlphabet])
  private static let urlValues = values([urlAlphabet])
  private static let eitherValues = values([standardAlphabet, urlAlphabet])

  /// The value of each character; 255 for characters outside the alphabets.
  private static func values(_ alphabets: [[UInt8]]) -> [UInt8] {
    var values = [UInt8](repeating: 255, count: 256)
    for alphabet in alphabets {
      for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    }
    return values
  }
}
