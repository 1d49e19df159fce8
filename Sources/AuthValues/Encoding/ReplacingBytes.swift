extension String {
  /// The text with some ASCII characters replaced wherever their byte is.
  ///
  /// `replacing(_:with:)` compares whole characters, and a `<` is another character where a mark follows it or a sign such
  /// as U+0600 stands before it, while HTML, SQL and shells see the `<` all the same.
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
