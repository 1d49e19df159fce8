import Testing

@testable import AdminConsole

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("李明", 4), ("한글", 4), ("ｱ", 1), ("Ａ", 2),
    ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("…", 1), ("─", 1),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("कि", 2), ("ก็", 1), ("𠀋", 2),
  ])
  func `columns are counted by grapheme`(_ text: String, _ width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("李明王", 5, "李明…"), ("李明王", 4, "李…"),
    ("Zoe\u{308}lla", 4, "Zoe\u{308}…"), ("abc", 1, "…"), ("abc", 0, ""),
  ])
  func `a cut text ends in an ellipsis and keeps graphemes whole`(
    _ text: String, _ width: Int, _ cut: String
  ) {
    #expect(TextFitting.truncated(text, to: width) == cut)
  }

  @Test func `padding counts columns, not characters`() {
    #expect(TextFitting.padded("李", to: 4) == "李  ")
    #expect(TextFitting.padded("12", to: 4, .trailing) == "  12")
    #expect(TextFitting.padded("long", to: 2) == "long")
  }

  @Test func `wrapping prefers spaces and breaks long words`() {
    #expect(TextFitting.wrapped("keep the oldest one", to: 10) == ["keep the", "oldest one"])
    #expect(TextFitting.wrapped("abcdefghij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(TextFitting.wrapped("李明王", to: 3) == ["李", "明", "王"])
    #expect(TextFitting.wrapped("a\n\nb", to: 4) == ["a", "", "b"])
    #expect(TextFitting.wrapped("", to: 4) == [""])
  }
}
