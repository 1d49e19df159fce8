import AuthCore

/// Reads comma-separated values (RFC 4180) with the line of each row.
struct CSVReader {
  /// The origin of the values.
  enum Dialect {
    /// A program, whose cells are taken as they are.
    case plain
    /// A spreadsheet.
    ///
    /// An apostrophe that begins a cell is left out, as ``CSVText/Guarding/everything`` writes it. If the first line has
    /// semicolons and no commas, as spreadsheets of some languages write it, they separate the values.
    case spreadsheet
  }

  struct Row {
    let line: Int
    let cells: [String]
  }

  let name: String
  private let bytes: [UInt8]
  private let dialect: Dialect
  private let separator: UInt8
  private let refused: (_ message: String) -> AuthError
  private var index = 0
  private var line = 1

  /// Makes a reader; `refused` makes the error of a message that names the file, the line and the fault.
  init(
    name: String, bytes: [UInt8], _ dialect: Dialect,
    refused: @escaping (_ message: String) -> AuthError
  ) {
    self.name = name
    self.bytes = bytes
    self.dialect = dialect
    self.refused = refused
    let first = bytes.prefix { $0 != 0x0A }
    let (comma, semicolon) = (UInt8(ascii: ","), UInt8(ascii: ";"))
    let hasSemicolons = first.contains(semicolon) && !first.contains(comma)
    separator = dialect == .spreadsheet && hasSemicolons ? semicolon : comma
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Reads all rows; empty lines are skipped.
  mutating func rows() throws(AuthError) -> [Row] {
    var rows: [Row] = []
    while let row = try row() { rows.append(row) }
    return rows
  }

  /// Reads the next row that is not empty; nil at the end.
  mutating func row() throws(AuthError) -> Row? {
    while next != nil {
      let start = line
      var cells = [try cell()]
      while next == separator {
        advance()
        cells.append(try cell())
      }
      let hasCR = next == 0x0D
      if hasCR { advance() }
      guard hasCR || next == nil || next == 0x0A else {
        throw wrong("text follows a closing quote", at: line)
      }
      if next == 0x0A { advance() }
      if cells != [""] { return Row(line: start, cells: cells) }
    }
    return nil
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
    let byte = bytes[index]
    index += 1
    if byte == 0x0A || byte == 0x0D && next != 0x0A { line += 1 }
  }

  private func text(_ bytes: [UInt8]) throws(AuthError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw wrong("a cell is not UTF-8 text", at: line)
    }
    return dialect == .spreadsheet && text.hasPrefix("'") ? String(text.dropFirst()) : text
  }

  private func wrong(_ fault: String, at line: Int) -> AuthError {
    refused("\(name), line \(line): \(fault).")
  }
}
