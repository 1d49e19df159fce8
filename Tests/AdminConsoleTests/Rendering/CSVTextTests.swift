import Testing

@testable import AdminConsole

@Suite struct CSVTextTests {
  private func row(_ cells: String..., exact: Bool = false) -> String {
    let text = CSVText(names: ["n"], rows: [cells], guarding: exact ? .nothing : .formulas).text
    return String(text.dropFirst("n\r\n".count))
  }

  @Test func `lines end with CR LF, and cells are quoted only if they have to be`() {
    #expect(row("a", "b c", "") == "a,b c,\r\n")
    #expect(row("a,b", "say \"hi\"") == "\"a,b\",\"say \"\"hi\"\"\"\r\n")
    #expect(row("\"\u{301}") == "\"\"\"\u{301}\"\r\n")
    #expect(row("two\nlines", "cr\rhere") == "\"two\nlines\",\"cr\rhere\"\r\n")
    #expect(row("pair\r\nend") == "\"pair\r\nend\"\r\n")
    #expect(row(" padded ", "日本") == "\" padded \",日本\r\n")
  }

  @Test(arguments: ["=1+1", "=HYPERLINK(\"x\")", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\tx"])
  func `a formula is made harmless, unless the text is wanted exactly`(_ formula: String) {
    #expect(CSVText.isFormula(formula))
    #expect(row(formula).contains("'\(formula.first ?? "?")"))
    #expect(!row(formula, exact: true).contains("'\(formula.first ?? "?")"))
  }

  @Test(arguments: ["+15555550123", "-5", "+1.5", "a=b", "", "ada@example.com", "1"])
  func `a number and a text stay as they are`(_ text: String) {
    #expect(!CSVText.isFormula(text))
    #expect(row(text) == "\(text)\r\n")
  }
}
