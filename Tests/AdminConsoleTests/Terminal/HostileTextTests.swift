import AuthTesting
import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct HostileTextTests {
  private static let pieces = [
    "a", "lovelace", " ", "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\r", "\n", "\t", "\u{202E}",
    "\u{2066}", "李", "👩‍👩‍👧", "❤️", "\u{FE0F}", "e\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{301}", "\u{200D}", "क्क्क्क्क्क्क्क्क्क्", "한", "\u{1F1E9}", "\u{9B}2J", "\u{3164}", "…",
    "\u{E0041}", "\\", "𠀋",
  ]

  /// Draws every kind of drawing with every kind of text, from a fixed seed.
  @Test(arguments: 1...60)
  func `no text breaks the width, the rows or the terminal`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let profile = TerminalProfile(
      isTerminal: true, width: Int.random(in: 10...90, using: &random))
    let texts = (0..<12).map { _ in
      (0..<Int.random(in: 0...12, using: &random))
        .compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
    }
    let cells = texts.map { Cell($0) }

    let drawings = [
      TextTable(columns: ["a", "b", "c"], rows: [Array(cells[0..<3]), Array(cells[3..<6])])
        .render(for: profile),
      TextTable(
        columns: texts[0..<3].map { .init($0) }, rows: [Array(cells[6..<9])], overflow: .wrap
      ).render(for: profile),
      KeyValueBlock(title: cells[0], [(texts[1], cells[2]), (texts[3], cells[4])])
        .render(for: profile),
      TreeText(.init(cells[0], [.init(cells[1], [.init(cells[2])]), .init(cells[3])]))
        .render(for: profile),
      SideBySide(
        sides: [texts[0], texts[1]], outcome: [texts[2]],
        rows: [.init(texts[3], sides: [texts[4], texts[5]], outcome: [nil])]
      ).render(for: profile),
    ]

    for line in drawings.flatMap({ $0.split(separator: "\n") }) {
      #expect(String(line).displayWidth <= profile.width, "seed \(seed): \(line)")
      let isHarmless = line.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !$0.properties.isBidiControl
      }
      #expect(isHarmless, "seed \(seed): \(line)")
    }
  }

  @Test func `a name with a newline cannot forge a row`() {
    let table = TextTable(columns: ["name"], rows: [["ada\nroot"], ["bo"]])

    let lines = table.render(for: TerminalProfile(isTerminal: true)).split(separator: "\n")

    #expect(lines == ["name", "─────────", #"ada\nroot"#, "bo"])
  }
}
