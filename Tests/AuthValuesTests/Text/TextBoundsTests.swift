import AuthValues
import Testing

@Suite struct TextBoundsTests {
  private let bounds = TextBounds(characters: 4, bytes: 10)

  @Test(arguments: ["", "abcd", "éèàü", "語語語", "e\u{301}e\u{301}e\u{301}", "😀😀"])
  func `a text within both bounds is allowed, and stays`(text: String) {
    #expect(bounds.allow(text))
    #expect(bounds.cut(text) == text)
  }

  @Test(arguments: [
    ("abcde", "abcd"), ("語語語語", "語語語"),
    ("e\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}"),
    ("😀😀😀", "😀😀"), ("a語語語é", "a語語語"),
  ])
  func `a longer text is refused, or cut between two scalars`(text: String, kept: String) {
    #expect(!bounds.allow(text))
    #expect(bounds.cut(text).utf8.elementsEqual(kept.utf8))
    #expect(bounds.allow(bounds.cut(text)))
  }

  @Test func `a refusal says both bounds, and names the field`() throws {
    let error = try #require(
      throws: AuthError.self,
      performing: {
        try TextBounds.name.check(
          String(repeating: "x", count: 257), "A name", field: "displayName")
      })
    #expect(error.code == .invalidArgument)
    #expect(error.field == "displayName")
    #expect(error.message == "A name has at most 256 characters (1,024 bytes).")
    #expect(TextBounds(bytes: 1 << 20).description == "1,048,576 bytes")
    #expect(TextBounds(bytes: 64).description == "64 bytes")
  }
}
