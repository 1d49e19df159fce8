import Testing
import TestSupport

@testable import AuthValues

@Suite struct `E-mail addresses` {
  @Test(arguments: [
    ("Ada@Example.COM", "ada@example.com"),
    ("ADA.LOVELACE+x@example.com", "ada.lovelace+x@example.com"),
    ("ada@bücher.example", "ada@xn--bcher-kva.example"),
    ("e\u{301}va@example.com", "\u{E9}va@example.com"),
  ])
  func `one canonical form`(text: String, canonical: String) throws {
    let email = try EmailAddress(text)
    #expect(email.canonical == canonical)
    #expect(email.text == text)
    #expect(try EmailAddress(email.canonical).canonical == canonical)
  }

  /// Row 22: letters that look alike, or fold into each other, make different addresses.
  @Test(arguments: [
    "m\u{131}ke@example.com", "\u{FF4D}ike@example.com",
    "\u{1D2E}\u{1D35}ike@example.com", "\u{43C}ike@example.com",
  ])
  func `22: e-mail case and Unicode collisions stay apart`(text: String) throws {
    let lookalike = try EmailAddress(text)
    for victim in ["mike@example.com", "kate@example.com", "bike@example.com"] {
      #expect(!lookalike.matches(try EmailAddress(victim)))
    }
    #expect(try EmailAddress(lookalike.canonical).canonical == lookalike.canonical)
  }

  @Test func `22: the Kelvin sign, which Unicode holds for a K, is refused`() async {
    await expectError(.invalidEmail) { try EmailAddress("\u{212A}ate@example.com") }
  }

  @Test(arguments: [
    "", "ada", "@example.com", "ada@", "a b@example.com", "ada@exa mple.com", "a@b@c",
  ])
  func `a text that is no address is refused`(text: String) async {
    await expectError(.invalidEmail) { try EmailAddress(text) }
  }

  @Test(arguments: [
    "a,b@example.com", "a(c)@example.com", "victim(1)@example.com", "a<b@example.com",
    "a>b@example.com", "a[b@example.com", "a]b@example.com", "a:b@example.com", "a;b@example.com",
    "a\\b@example.com", "a\"b@example.com", "\"@example.com", "\"\"@example.com",
    "\"a\"b@example.com", "a\"b\"@example.com", "\"a\"(c)\"@example.com", "\"a\\\"@example.com",
    "\"a\"\u{301}(c)\"@example.com", "é(c)@example.com",
  ])
  func `S17 special characters outside of quotes are refused in a new address`(
    text: String
  ) async throws {
    // A store that already has such an address can still be read.
    let email = try EmailAddress(text)
    #expect(try JSONText.decode(EmailAddress.self, try JSONText.encode(email)).text == text)
    await expectError(.invalidEmail) { try email.checkSpecials() }
  }

  @Test(arguments: [
    "a.b+c@example.com", "o'brien@example.com", "a!#$%&'*+-/=?^_`{|}~b@example.com",
    "a..b@example.com", "\"a,b\"@example.com", "\"a(c)\"@example.com", "\"a\\\"b\"@example.com",
    "\"a\\\\\"@example.com", "é@example.com",
  ])
  func `S17 quoted parts and ordinary characters are accepted in a new address`(text: String) throws
  {
    try EmailAddress(text).checkSpecials()
  }

  @Test(arguments: [
    ("Ada@Example.com", "ada@example.com"), ("JOSÉ.HAAS10@GMAIL.COM", "jose.haas10@gmail.com"),
    ("jose\u{301}@example.com", "jose@example.com"), ("ÖMER@example.com", "omer@example.com"),
    ("straße@example.com", "strasse@example.com"), ("İris@example.com", "iris@example.com"),
    ("ΣΟΦΟΣ@example.com", "σοφοσ@example.com"), ("σοφος@example.com", "σοφοσ@example.com"),
    ("ａｄａ@example.com", "ada@example.com"), ("a@Müller.example", "a@muller.example"),
    ("a@日本.example", "a@xn--wgv71a.example"),
  ])
  func `similar addresses differ in case and accents only`(text: String, similar: String) throws {
    #expect(try EmailAddress(text).similar == similar)
  }

  @Test(arguments: ["ada@example.com", "A.B+c@EXAMPLE.com", "o'brien@xn--mller-kva.example"])
  func `of ASCII letters the similar form is the canonical one`(text: String) throws {
    let email = try EmailAddress(text)
    #expect(email.similar == email.canonical)
  }
}
