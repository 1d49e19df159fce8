import TerminalOutput
import Testing

@testable import AdminConsole

@Suite struct PaintedTextTests {
  private let screen = TerminalProfile(isTerminal: true, supportsColor: true)
  private let file = TerminalProfile(isTerminal: false)

  @Test func `C7: text of others cannot pass for a colour in any kind of piece`() {
    let text = "\u{1B}[31mred\u{202E}"
    for painted in [
      PaintedText(text), PaintedText(line: text), PaintedText(laidOut: text), "literal \(text)",
      [PaintedText(text), PaintedText(line: text)].joined(separator: text),
    ] {
      let shown = painted.text(for: screen)
      #expect(!shown.contains("\u{1B}") && !shown.contains("\u{202E}"), "\(shown.debugDescription)")
    }
    #expect(
      PaintedText(line: text, style: .bad).text(for: screen).hasPrefix("\u{1B}[31m\\u{1B}[31mred"))
  }

  @Test func `C15: in a file text is exact, and a line is one line`() {
    let text = "a\u{202E}b\r\nc\td"
    #expect(PaintedText(text, style: .bad).text(for: file) == text)
    #expect(PaintedText(line: text).text(for: file) == "a\u{202E}b\\r\\nc\\td")
  }

  @Test func `C15: in a file cells are whole, and those that would break a row are strings of Lua`()
  {
    let long = String(repeating: "long ", count: 100)
    let table = TextTable(
      columns: ["a", "b"],
      rows: [[Cell("x\u{200F}"), "1"], ["one\ntwo", "2"], ["\"q", "3"], [Cell(long), "4"]])

    let lines = table.render(for: file).split(separator: "\n").map(String.init)

    #expect(lines.count == 6)
    #expect(lines[2].hasPrefix("x\u{200F} ") && lines[2].hasSuffix("  1"))
    #expect(lines[3].hasPrefix(#""one\ntwo" "#))
    #expect(lines[4].hasPrefix(#""\"q" "#))
    #expect(lines[5] == long + "  4")
    #expect(KeyValueBlock([("key", Cell(long))]).render(for: file) == "key  \(long)")
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("a\"b\\", #""a\"b\\""#), ("a\u{202E}\u{1B}", #""a\u{202e}\u{1b}""#),
    ("\n\r\t", #""\n\r\t""#), ("\u{E0041}", #""\u{e0041}""#),
  ])
  func `a quoted text is Lua`(raw: String, quoted: String) {
    #expect(VisibleText.quoted(raw) == quoted)
  }

  @Test func `JSON is shown with its own escapes`() {
    #expect(
      VisibleText.json("[\"\u{9B}\u{202E}\u{E0041}é👩‍👩‍👧\"]")
        == #"["\u009b\u202e\udb40\udc41é👩‍👩‍👧"]"#)
  }
}
