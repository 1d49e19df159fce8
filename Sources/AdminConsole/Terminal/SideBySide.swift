package import TerminalOutput

/// Compares two or more records field by field.
///
/// Fields whose sides differ are marked with `≠`, so that they are visible without colour too. Long values wrap,
/// because a difference may be at the end.
package struct SideBySide: Drawing {
  /// One field: its value on every side and its outcome.
  package struct Row: Sendable {
    fileprivate let field: String
    fileprivate let sides: [String?]
    fileprivate let outcome: [String?]

    /// Makes a row.
    ///
    /// A missing value is shown as `–`.
    package init(_ field: String, sides: [String?], outcome: [String?] = []) {
      self.field = field
      self.sides = sides
      self.outcome = outcome
    }

    fileprivate var differs: Bool {
      guard let first = sides.first else { return false }
      return sides.contains { $0 != first }
    }
  }

  private let field: String
  private let sides: [String]
  private let outcome: [String]
  private let rows: [Row]
  private let keepsWords: Bool

  /// Makes a comparison of `sides`, followed by columns for the outcome.
  ///
  /// With `keepsWords` no address, date or key is broken: if the terminal has no room for them side by side, every field
  /// becomes a block, and in a file every field is one line.
  package init(
    field: String = "field", sides: [String], outcome: [String] = [], rows: [Row],
    keepsWords: Bool = false
  ) {
    self.field = field
    self.sides = sides
    self.outcome = outcome
    self.rows = rows
    self.keepsWords = keepsWords
  }

  /// Draws the comparison, without a final newline.
  ///
  /// On a terminal that is too narrow for columns, every field becomes a block.
  package func painted(for profile: TerminalProfile) -> PaintedText {
    let names = sides + outcome
    let table = TextTable(
      columns: [TextTable.Column("  " + field, keepsWhole: true)]
        + names.map { TextTable.Column($0) },
      rows: rows.map { [name(of: $0)] + values(of: $0) }, overflow: keepsWords ? .foldWords : .fold)
    guard profile.records != .blocks, let grid = table.grid(for: profile) else {
      return rows.map { row in
        KeyValueBlock(title: name(of: row), zip(names, values(of: row)).map { ($0, $1) })
          .painted(for: profile)
      }.joined(separator: "\n\n")
    }
    return grid
  }

  private func name(of row: Row) -> Cell {
    Cell((row.differs ? "≠ " : "  ") + row.field, style: row.differs ? .notice : .plain)
  }

  private func values(of row: Row) -> [Cell] {
    let differs = row.differs
    return sides.indices.map { cell(row.sides, $0, differs ? .notice : .plain) }
      + outcome.indices.map { cell(row.outcome, $0, differs ? .good : .plain) }
  }

  private func cell(_ values: [String?], _ index: Int, _ style: TextStyle) -> Cell {
    guard index < values.count, let value = values[index] else { return Cell("–", style: .muted) }
    return Cell(value, style: style)
  }
}
