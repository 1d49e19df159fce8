import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct `A QR code on a terminal` {
  private let uri =
    "otpauth://totp/AuthGraph:ada@example.com?secret=ABCDEFGHIJKLMNOP&issuer=AuthGraph"
  private let colored = TerminalProfile(isTerminal: true, width: 100, supportsColor: true)
  private let plain = TerminalProfile(isTerminal: true, width: 100)

  /// Returns the modules of a drawing by row, true for a dark one.
  private func modules(_ text: String, inverted: Bool) -> [[Bool]] {
    text.split(separator: "\n").flatMap { line -> [[Bool]] in
      let marks = line.filter { "█▀▄ ".contains($0) }
      let upper = marks.map { $0 == "█" || $0 == "▀" }
      let lower = marks.map { $0 == "█" || $0 == "▄" }
      return inverted ? [upper.map { !$0 }, lower.map { !$0 }] : [upper, lower]
    }
  }

  /// The corner that each code has three of.
  private let finder = [
    "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
  ].map { $0.map { $0 == "#" } }

  private func corner(_ rows: [[Bool]], _ row: Int, _ column: Int) -> [[Bool]] {
    rows[row..<row + 7].map { Array($0[column..<column + 7]) }
  }

  @Test func `has its corners and its quiet zone, with colours and without`() throws {
    let code = try #require(QRText(uri))
    let side = code.width
    for (profile, inverted) in [(colored, false), (plain, true)] {
      let text = try #require(code.painted(for: profile)).text(for: profile)
        .replacing(/\u{1B}\[[0-9;]*m/, with: "")
      let rows = modules(text, inverted: inverted)
      #expect(rows.allSatisfy { $0.count == side })
      for (row, column) in [(4, 4), (4, side - 11), (side - 11, 4)] {
        #expect(corner(rows, row, column) == finder, "\(profile) \(row) \(column)")
      }
      #expect(rows.prefix(4).joined().allSatisfy { !$0 })
      #expect(rows.allSatisfy { row in row.prefix(4).allSatisfy { !$0 } })
    }
  }

  @Test func `names both colours in each line, and none without colour`() throws {
    let code = try #require(QRText(uri))
    let lines = try #require(code.painted(for: colored)).text(for: colored).split(separator: "\n")
    #expect(lines.count == (code.width + 1) / 2)
    #expect(
      lines.allSatisfy { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") && $0.hasSuffix("\u{1B}[0m") })
    #expect(try !#require(code.painted(for: plain)).text(for: plain).contains("\u{1B}"))
  }

  @Test func `is not drawn where it has no room, nor into a file`() throws {
    let code = try #require(QRText(uri))
    #expect(code.painted(for: TerminalProfile(isTerminal: true, width: code.width - 1)) == nil)
    #expect(code.painted(for: TerminalProfile(isTerminal: true, width: code.width)) != nil)
    #expect(code.painted(for: TerminalProfile(isTerminal: false)) == nil)
    #expect(QRText(String(repeating: "x", count: 4000)) == nil)
  }
}
