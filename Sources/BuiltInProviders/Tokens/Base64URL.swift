/// Base64 as tokens and keys have it: the URL-safe alphabet without padding (RFC 7515 section 2).
package enum Base64URL {
  /// The bytes that a text stands for, or nil where it is not the one way to write them.
  ///
  /// Unused bits have to be zero; otherwise one token had several spellings.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    // A loop over the generic collection costs more than checking a signature.
    text.withContiguousStorageIfAvailable(decode) ?? Array(text).withUnsafeBufferPointer(decode)
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let (groups, tail) = text.count.quotientAndRemainder(dividingBy: 4)
    guard tail != 1 else { return nil }
    let values = values
    // All values together: one that is none has bits that the others lack.
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
    return seen < 64 && rest == 0 ? bytes : nil
  }

  /// The bytes of a text in either alphabet of base64, with all of its padding or with none.
  ///
  /// Nil for a text that mixes the alphabets, has another length than its bytes need, or anything else in it. For
  /// what vendors write and we compare; tokens and keys are read by ``bytes(of:)``, so that each has one spelling.
  package static func bytes(ofEither text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    if padding > 0 {
      guard digits.count % 4 == 0, padding <= 2 else { return nil }
      digits.removeLast(padding)
    }
    let isPlain = digits.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    guard isPlain else { return bytes(of: digits) }
    guard !digits.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else {
      return nil
    }
    return bytes(
      of: digits.map { digit -> UInt8 in
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
      })
  }

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    append(Array(bytes), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes the text of bytes right behind what is there already.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    let alphabet = alphabet
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

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The value of each character; 255 for those that are not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    return values
  }()
}
