package import TerminalOutput

/// Lays rows out in columns that fit the terminal.
///
/// In a file every row is one whole line. On a terminal that is too narrow, the widest cells are cut or wrapped, then
/// columns that can be spared are left out, and then every row becomes a ``KeyValueBlock``.
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
    /// The text continues on the next line, between words only.
    case foldWords
  }

  /// The header of a column and its rules for shrinking.
  package struct Column: Hashable, Sendable, ExpressibleByStringLiteral {
    var header: String
    var alignment: Alignment
    var minimumWidth: Int
    var keepsWhole: Bool
    var isCutLast: Bool
    var canBeSpared: Bool

    /// Describes a column.
    ///
    /// A column that `keepsWhole` is never cut, as a uid must not be. One that can be spared is left out if the terminal
    /// has no room for all columns. One that `isCutLast` is cut only if that is not enough.
    package init(
      _ header: String, alignment: Alignment = .leading, minimumWidth: Int = 8,
      keepsWhole: Bool = false, isCutLast: Bool = false, canBeSpared: Bool = false
    ) {
      self.header = header
      self.alignment = alignment
      self.minimumWidth = minimumWidth
      self.keepsWhole = keepsWhole
      self.isCutLast = isCutLast
      self.canBeSpared = canBeSpared
    }

    /// A column of e-mail addresses.
    static func address(_ header: String) -> Column {
      Column(header, minimumWidth: 32, isCutLast: true)
    }

    /// Describes a left-aligned column by its header alone.
    package init(stringLiteral header: String) {
      self.init(header)
    }
  }

  private var columns: [Column]
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
    laidOut(for: profile).painted
  }

  /// Draws the table, and names the columns that the terminal has no room for.
  ///
  /// Columns that can be spared are left out from the last one on, and then addresses are cut.
  func laidOut(for profile: TerminalProfile) -> (painted: PaintedText, spared: [String]) {
    guard profile.records != .blocks else { return (blocks(for: profile), []) }
    var table = self
    for index in columns.indices where columns[index].isCutLast {
      table.columns[index].keepsWhole = true
    }
    while true {
      if let grid = table.grid(for: profile) {
        let shown = table.columns.map(\.header)
        return (grid, columns.map(\.header).filter { !shown.contains($0) })
      }
      if let last = table.columns.lastIndex(where: \.canBeSpared) {
        table.columns.remove(at: last)
        for row in table.rows.indices where last < table.rows[row].count {
          table.rows[row].remove(at: last)
        }
      } else if let address = table.columns.firstIndex(where: { $0.isCutLast && $0.keepsWhole }) {
        table.columns[address].keepsWhole = false
      } else {
        return (blocks(for: profile), [])
      }
    }
  }

  /// A line that names the columns which were left out; empty if there are none.
  static func note(leavingOut spared: [String]) -> PaintedText {
    let text =
      spared.isEmpty ? "" : "\nNot shown: \(spared.joined(separator: ", ")). \\x shows all."
    return PaintedText(text, style: .muted)
  }

  private func blocks(for profile: TerminalProfile) -> PaintedText {
    rows.map { row in
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
    guard let widths = widths(demands, isBounded, into: profile.width - gaps, profile) else {
      return nil
    }
    let header = heads.map { Cell($0, style: .heading) }
    let rule = widths.map { Cell(String(repeating: "─", count: $0), style: .muted) }
    return ([header, rule] + cells)
      .flatMap { lines(of: $0, widths, isCut: isBounded) }
      .joined(separator: "\n")
  }

  private func widths(
    _ demands: [ColumnWidths.Demand], _ isBounded: Bool, into room: Int, _ profile: TerminalProfile
  ) -> [Int]? {
    guard isBounded else { return demands.map { min($0.natural, Self.widestPadding) } }
    if let widths = ColumnWidths.fitting(demands, into: room) { return widths }
    guard profile.records == .lines else { return nil }
    // Lines were asked for: what has to be whole makes them longer than the window.
    return demands.map(\.least)
  }

  private static let gap = "  "
  /// The maximum padding in a file, where one long cell must not make every line long.
  private static let widestPadding = 60

  private func demands(_ heads: [String], _ cells: [[Cell]]) -> [ColumnWidths.Demand] {
    columns.indices.map { index in
      let head = heads[index].displayWidth
      let natural = cells.reduce(head) { max($0, $1[index].text.displayWidth) }
      let words = overflow == .foldWords ? widestWord(cells, index) : 0
      let least =
        columns[index].keepsWhole ? natural : max(columns[index].minimumWidth, words, 2)
      return ColumnWidths.Demand(natural: natural, least: min(natural, least))
    }
  }

  private func widestWord(_ cells: [[Cell]], _ index: Int) -> Int {
    cells.reduce(0) { widest, row in
      row[index].text.split(separator: " ").reduce(widest) { max($0, String($1).displayWidth) }
    }
  }

  private func lines(of row: [Cell], _ widths: [Int], isCut: Bool) -> [PaintedText] {
    let parts = row.indices.map { index in
      if !isCut { return [row[index].text] }
      return switch overflow {
      case .truncate: [TextFitting.truncated(row[index].text, to: widths[index])]
      case .wrap, .fold, .foldWords: TextFitting.wrapped(row[index].text, to: widths[index])
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
