package import TerminalOutput

/// Lays rows out in columns that fit the terminal.
///
/// Cells of the widest columns are cut or wrapped; in a file they are complete. If even the smallest widths do not fit,
/// every row becomes a ``KeyValueBlock``.
package struct TextTable: Drawing {
  /// The side to which the cells of a column are aligned.
  package enum Alignment: Hashable, Sendable {
    case leading, trailing
  }

  /// The treatment of a text that is wider than its column.
  package enum Overflow: Hashable, Sendable {
    /// The text ends in `…`.
    case truncate
    /// The text continues on the next line.
    case wrap
    /// The text continues on the next line, also in a file, at eighty columns: for comparisons side by side.
    case fold
  }

  /// The header of a column and its rules for shrinking.
  package struct Column: Hashable, Sendable, ExpressibleByStringLiteral {
    var header: String
    var alignment: Alignment
    var minimumWidth: Int
    var keepsWhole: Bool

    /// Describes a column.
    ///
    /// A column that `keepsWhole` is never cut, as a uid must not be.
    package init(
      _ header: String, alignment: Alignment = .leading, minimumWidth: Int = 8,
      keepsWhole: Bool = false
    ) {
      self.header = header
      self.alignment = alignment
      self.minimumWidth = minimumWidth
      self.keepsWhole = keepsWhole
    }

    /// Describes a left-aligned column by its header alone.
    package init(stringLiteral header: String) {
      self.init(header)
    }
  }

  private let columns: [Column]
  private var rows: [[Cell]]
  private let overflow: Overflow

  /// Makes a table.
  ///
  /// A short row is filled with empty cells; surplus cells are not shown.
  package init(columns: [Column], rows: [[Cell]] = [], overflow: Overflow = .truncate) {
    self.columns = columns
    self.rows = rows
    self.overflow = overflow
  }

  /// Adds a row at the bottom.
  package mutating func append(_ row: [Cell]) {
    rows.append(row)
  }

  /// Draws the table, without a final newline.
  package func painted(for profile: TerminalProfile) -> PaintedText {
    grid(for: profile)
      ?? rows.map { row in
        KeyValueBlock(columns.indices.map { (columns[$0].header, row.cell($0)) })
          .painted(for: profile)
      }.joined(separator: "\n\n")
  }

  /// Draws the table in columns; nil if the terminal is too narrow.
  func grid(for profile: TerminalProfile) -> PaintedText? {
    let heads = columns.map { VisibleText.cell($0.header, for: profile) }
    let cells = rows.map { row in
      columns.indices.map { index in
        Cell(
          VisibleText.cell(row.cell(index).text, for: profile), style: row.cell(index).style)
      }
    }
    let gaps = Self.gap.count * max(0, columns.count - 1)
    let demands = demands(heads, cells)
    let isBounded = profile.isBounded || overflow == .fold
    let fitting =
      isBounded
      ? ColumnWidths.fitting(demands, into: profile.width - gaps)
      : demands.map { min($0.natural, Self.widestPadding) }
    guard let widths = fitting else { return nil }
    let header = heads.map { Cell($0, style: .heading) }
    let rule = widths.map { Cell(String(repeating: "─", count: $0), style: .muted) }
    return ([header, rule] + cells)
      .flatMap { lines(of: $0, widths, isCut: isBounded) }
      .joined(separator: "\n")
  }

  private static let gap = "  "
  /// The maximum padding in a file, where one long cell must not make every line long.
  private static let widestPadding = 60

  private func demands(_ heads: [String], _ cells: [[Cell]]) -> [ColumnWidths.Demand] {
    columns.indices.map { index in
      let head = heads[index].displayWidth
      let natural = cells.reduce(head) { max($0, $1[index].text.displayWidth) }
      let least = columns[index].keepsWhole ? natural : max(columns[index].minimumWidth, 2)
      return ColumnWidths.Demand(natural: natural, least: min(natural, least))
    }
  }

  private func lines(of row: [Cell], _ widths: [Int], isCut: Bool) -> [PaintedText] {
    let parts = row.indices.map { index in
      if !isCut { return [row[index].text] }
      return switch overflow {
      case .truncate: [TextFitting.truncated(row[index].text, to: widths[index])]
      case .wrap, .fold: TextFitting.wrapped(row[index].text, to: widths[index])
      }
    }
    let height = parts.map(\.count).max() ?? 0
    return (0..<height).map { line in
      joined(row.indices.map { line < parts[$0].count ? parts[$0][line] : "" }, row, widths)
    }
  }

  private func joined(
    _ texts: [String], _ row: [Cell], _ widths: [Int]
  ) -> PaintedText {
    guard let last = texts.lastIndex(where: { !$0.isEmpty }) else { return "" }
    return (0...last).map { index in
      let painted = PaintedText(laidOut: texts[index], style: row[index].style)
      let room = max(0, widths[index] - texts[index].displayWidth)
      let space = PaintedText(laidOut: String(repeating: " ", count: room))
      if columns[index].alignment == .trailing { return space + painted }
      return index == last ? painted : painted + space
    }.joined(separator: Self.gap)
  }
}

extension [Cell] {
  fileprivate func cell(_ index: Int) -> Cell {
    index < count ? self[index] : ""
  }
}
