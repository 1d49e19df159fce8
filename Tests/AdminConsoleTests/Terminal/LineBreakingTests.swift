import Testing

@testable import AdminConsole

@Suite struct LineBreakingTests {
  @Test(arguments: [
    ("", 5, [""]), ("abc", 5, ["abc"]), ("abcde", 5, ["abcde"]), ("abcdef", 5, ["abcde", "f"]),
    ("ab cd", 4, ["ab", "cd"]), ("abcd ef", 4, ["abcd", "ef"]),
    ("ab cdefgh", 4, ["ab", "cdef", "gh"]),
    ("abcd ", 4, ["abcd", ""]), (" abcdef", 4, [" abc", "def"]), ("李李李", 4, ["李李", "李"]),
    ("李李李", 5, ["李李", "李"]), ("a  b", 2, ["a ", "b"]), ("a\nb", 5, ["a", "b"]),
    ("\n", 5, ["", ""]),
    ("one two three", 8, ["one two", "three"]),
  ])
  func `lines end at spaces, else between letters`(text: String, width: Int, lines: [String]) {
    #expect(TextFitting.wrapped(text, to: width) == lines)
  }

  @Test func `C20: a grapheme wider than any line is broken between its parts`() {
    let joined = String(repeating: "क्", count: 50) + "क"

    let lines = TextFitting.wrapped(joined, to: 10)

    #expect(lines.joined() == joined)
    #expect(lines.allSatisfy { $0.displayWidth <= 10 })
  }

  /// The cost of wrapping is proportional to the text that is examined: twice the text takes twice the steps.
  @Test(arguments: ["x", "x ", "é", "क्", "👩‍👩‍👧"])
  func `C20: wrapping takes one walk over the text`(piece: String) {
    let text = String(repeating: piece, count: 100_000)

    let lines = TextFitting.wrapped(text, to: 80)

    // With a pass for each line this would exceed the time limit on any machine.
    #expect(
      lines.reduce(0) { $0 + $1.unicodeScalars.count } + (piece == "x " ? lines.count - 1 : 0)
        == text.unicodeScalars.count)
  }
}
