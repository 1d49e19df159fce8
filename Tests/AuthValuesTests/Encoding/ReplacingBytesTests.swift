import AuthValues
import Testing

/// ASCII characters are replaced wherever their byte is.
@Suite struct ReplacingBytesTests {
  @Test(arguments: [
    ("", ""), ("plain é 👩‍👩‍👧", "plain é 👩‍👩‍👧"), ("<b>", "&lt;b&gt;"), ("<<", "&lt;&lt;"),
    // A sign that joins the character after it, and a mark that joins the one before it.
    ("\u{600}<img>", "\u{600}&lt;img&gt;"), ("<\u{301}b>", "&lt;\u{301}b&gt;"),
    ("<\u{200D}b>", "&lt;\u{200D}b&gt;"), ("a\r\n<", "a\r\n&lt;"),
  ])
  func `a byte is replaced also inside of a character`(_ text: String, _ expected: String) {
    let replaced = text.replacing(bytes: ["<": "&lt;", ">": "&gt;"])

    #expect(Array(replaced.utf8) == Array(expected.utf8))
  }
}
