import AuthCore

/// Text in comma-separated values, as in RFC 4180.
enum CSVText {
  /// Returns rows as text, each ended by CR and LF.
  static func text(_ rows: [[String]]) -> String {
    rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func cell(_ text: String) -> String {
    let text = guarded(text)
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x3B, 0x0A, 0x0D].contains($0) }) else {
      return text
    }
    // By bytes: a quote with a combining mark is another character.
    let doubled = text.utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }

  /// Returns a text that a spreadsheet takes neither for a formula nor for a number or a date.
  ///
  /// Such a text begins with an apostrophe, which ``unguarded(_:)`` removes.
  static func guarded(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    let isFormula = "=+-@\t\r'".unicodeScalars.contains(first)
    let isNumber = text.wholeMatch(of: /[0-9][0-9.,:\/eE+\- ]*/) != nil
    return isFormula || isNumber ? "'" + text : text
  }

  static func unguarded(_ text: String) -> String {
    text.hasPrefix("'") ? String(text.dropFirst()) : text
  }
}

/// Reads comma-separated values with the line of each row.
///
/// If the first line has semicolons and no commas, as spreadsheets of some languages write it, they separate the values.
struct CSVReader {
  struct Row {
    let line: Int
    let cells: [String]
  }

  let name: String
  private let bytes: [UInt8]
  private let separator: UInt8
  private var index = 0
  private var line = 1

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    let first = bytes.prefix { $0 != 0x0A }
    let (comma, semicolon) = (UInt8(ascii: ","), UInt8(ascii: ";"))
    separator = first.contains(semicolon) && !first.contains(comma) ? semicolon : comma
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Reads all rows; empty lines are skipped.
  mutating func rows() throws(AuthError) -> [Row] {
    var rows: [Row] = []
    while next != nil {
      let start = line
      var cells = [try cell()]
      while next == separator {
        advance()
        cells.append(try cell())
      }
      if next == 0x0D { advance() }
      guard next == nil || next == 0x0A else {
        throw wrong("text follows a closing quote", at: line)
      }
      if next == 0x0A { advance() }
      if cells != [""] { rows.append(Row(line: start, cells: cells)) }
    }
    return rows
  }

  private mutating func cell() throws(AuthError) -> String {
    var cell: [UInt8] = []
    guard next == UInt8(ascii: "\"") else {
      while let byte = next, ![0x0A, 0x0D, separator].contains(byte) {
        cell.append(byte)
        advance()
      }
      return try text(cell)
    }
    let start = line
    advance()
    while let byte = next {
      advance()
      if byte == UInt8(ascii: "\"") {
        guard next == UInt8(ascii: "\"") else { return try text(cell) }
        advance()
      }
      cell.append(byte)
    }
    throw wrong("a quote is not closed", at: start)
  }

  private mutating func advance() {
    if bytes[index] == 0x0A { line += 1 }
    index += 1
  }

  private func text(_ bytes: [UInt8]) throws(AuthError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw wrong("a cell is not UTF-8 text", at: line)
    }
    return text
  }

  private func wrong(_ fault: String, at line: Int) -> AuthError {
    AuthError(
      .invalidArgument, "\(name), line \(line): \(fault).", field: "path",
      remedy: "Save it as CSV in UTF-8, with one pair on each line.")
  }
}
