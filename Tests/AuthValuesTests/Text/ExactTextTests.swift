import AuthValues
import AuthTesting
import Testing

@Suite struct `Texts as their bytes` {
  @Test func `two spellings of a letter are two texts`() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(composed == decomposed)
    #expect(!composed.isExactly(decomposed) && composed.isExactly("caf\u{E9}"))
    #expect(decomposed.precedesExactly(composed) && !composed.precedesExactly(decomposed))
  }

  @Test func `any two are compared as their bytes are`() {
    var generator = SeededGenerator(seed: 20_261_122)
    let alphabet = [
      "", "a", "b", "e", "\u{301}", "\u{E9}", "\u{0}", "\u{1F600}", "abcdefghijklmnop",
    ]
    for _ in 0..<2000 {
      let (a, b) = (text(of: alphabet, &generator), text(of: alphabet, &generator))
      #expect(a.isExactly(b) == a.utf8.elementsEqual(b.utf8))
      #expect(a.precedesExactly(b) == a.utf8.lexicographicallyPrecedes(b.utf8))
      Array(b.utf8).withUnsafeBytes { #expect(a.hasBytes($0) == a.utf8.elementsEqual(b.utf8)) }
    }
  }

  private func text(of parts: [String], _ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      parts.randomElement(using: &generator) ?? ""
    }.joined()
  }
}
