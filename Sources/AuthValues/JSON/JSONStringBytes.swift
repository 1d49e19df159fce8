/// Scans the bytes of JSON strings, for reading and writing.
enum JSONStringBytes {
  /// Tells whether a byte needs no escape in a string (RFC 8259 section 7).
  static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }

  /// Returns the number of leading bytes that need no escape, and whether all of them are ASCII.
  ///
  /// Examines eight bytes at a time; a byte that needs an escape sets its highest bit.
  static func plainPrefix(of text: UnsafeRawBufferPointer) -> (count: Int, isASCII: Bool) {
    let (ones, highest) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    var offset = 0
    var seen: UInt64 = 0
    while offset + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
      let special =
        (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
      guard special & highest == 0 else { break }
      seen |= word
      offset += 8
    }
    while offset < text.count, isPlain(text[offset]) {
      seen |= UInt64(text[offset])
      offset += 1
    }
    return (offset, seen & highest == 0)
  }
}
