import AuthCore

/// Reads comma-separated values with the line of each row.
///
/// An apostrophe that begins a cell is left out, as ``CSVText/Guarding/everything`` writes it.
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
    return text.hasPrefix("'") ? String(text.dropFirst()) : text
  }

  private func wrong(_ fault: String, at line: Int) -> AuthError {
    AuthError(
      .invalidArgument, "\(name), line \(line): \(fault).", field: "path",
      remedy: "Save it as CSV in UTF-8, with one pair on each line.")
  }
}
