import SQLAccounts

/// Values as C strings for libpq.
enum ParameterTexts {
  /// Passes pointers that are valid inside the closure; NULL is a null pointer.
  static func with<Result>(
    _ values: [SQLValue], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    var bytes: [UInt8] = []
    var starts: [Int?] = []
    for value in values {
      switch value {
      case .null:
        starts.append(nil)
        continue
      case .integer(let number):
        starts.append(bytes.count)
        bytes += String(number).utf8
      case .string(let text):
        starts.append(bytes.count)
        bytes += NULText.encoded(text)
      }
      bytes.append(0)
    }
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.bindMemory(to: CChar.self).baseAddress
      let pointers = starts.map { start in start.flatMap { base?.advanced(by: $0) } }
      return pointers.withUnsafeBufferPointer(body)
    }
  }
}

/// Passes texts as a list of C strings that ends with a null pointer.
func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result?
) -> Result? {
  ParameterTexts.with(texts.map(SQLValue.string) + [.null]) { pointers in
    pointers.baseAddress.flatMap(body)
  }
}

/// Statements with PostgreSQL's numbered placeholders.
enum PlaceholderText {
  /// Replaces each `?` by `$1`, `$2` and so on.
  ///
  /// No statement of the store has a `?` inside a text.
  static func numbered(_ sql: String) -> String {
    var number = 0
    var text = ""
    text.reserveCapacity(sql.utf8.count + 40)
    for character in sql {
      if character == "?" {
        number += 1
        text += "$\(number)"
      } else {
        text.append(character)
      }
    }
    return text
  }
}
