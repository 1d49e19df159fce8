/// Records as comma-separated values (RFC 4180): a line of names, then a line for each record, each ended by CR LF.
struct CSVText {
  /// The cells that get an apostrophe in front, so that a spreadsheet takes them for texts.
  enum Guarding {
    /// No cell.
    case nothing
    /// Texts that would be formulas.
    case formulas
    /// Formulas, numbers and times, such as the uid 007, and cells that begin with an apostrophe, so that a file comes
    /// back as it was after it was edited; see ``CSVReader``.
    case everything
  }

  let names: [String]
  let rows: [[String]]
  var guarding = Guarding.formulas

  var text: String {
    ([names] + rows).map { row in row.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  private func cell(_ raw: String) -> String {
    let text = isGuarded(raw) ? "'\(raw)" : raw
    let needsQuotes =
      text.utf8.contains { "\",\r\n".utf8.contains($0) }
      || text.first?.isWhitespace == true || text.last?.isWhitespace == true
    guard needsQuotes else { return text }
    // By scalars, because a mark may join the quote before it to one character.
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    return "\"\(String(quoted))\""
  }

  private func isGuarded(_ text: String) -> Bool {
    switch guarding {
    case .nothing: return false
    case .formulas: return Self.isFormula(text)
    case .everything:
      guard let first = text.unicodeScalars.first else { return false }
      return "=+-@\t\r'".unicodeScalars.contains(first)
        || text.wholeMatch(of: /[0-9][0-9.,:\/eE+\- ]*/) != nil
    }
  }

  /// Tells whether a spreadsheet takes a text for a formula; a signed number, such as that of a phone, is none.
  static func isFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return true
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let rest = text.utf8.dropFirst()
      return rest.isEmpty || !rest.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    default: return false
    }
  }
}
