import Testing

@testable import BuiltInProviders

@Suite struct Base64URLTests {
  @Test func `base64url has one spelling`() {
    for text in ["", "AA", "AAA", "AAAA", "-_-_", "Zm9v"] {
      let bytes = Base64URL.bytes(of: text.utf8)
      #expect(bytes.map(Base64URL.text) == text)
    }
    for text in ["A", "AB", "AAB", "AA==", "AA=", "+/+/", "A A", "AAAAA", "é"] {
      #expect(Base64URL.bytes(of: text.utf8) == nil, "\(text)")
    }
  }
}
