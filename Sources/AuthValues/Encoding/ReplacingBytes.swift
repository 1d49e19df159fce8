extension String {
  /// Replaces ASCII characters by their bytes.
  ///
  /// `replacing(_:with:)` compares whole characters. A `<` before a combining mark, or after a sign such as U+0600, is
  /// a different character to Swift, but still a `<` to HTML, SQL and shells.
  package func replacing(bytes replacements: KeyValuePairs<Unicode.Scalar, String>) -> String {
    func isReplaced(_ byte: UInt8) -> Bool { replacements.contains { $0.key.value == byte } }
    guard utf8.contains(where: isReplaced) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 16)
    for byte in utf8 {
      if let replacement = replacements.first(where: { $0.key.value == byte }) {
        bytes += replacement.value.utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
