import AuthCore
import Testing

@Suite struct FoldedTextTests {
  @Test(
    arguments: [
      ("Grace.Haas1647@gmail.com", ["grace", "haas1647", "gmail", "com"]),
      ("JOS\u{C9} Haas-M\u{FC}ller", ["jose", "haas", "muller"]),
      ("Jose\u{301}", ["jose"]), ("Stra\u{DF}e", ["strasse"]), ("\u{D8}st", ["ost"]),
      ("\u{130}stanbul", ["istanbul"]), ("\u{FF21}\u{FF22}", ["ab"]), ("o'Brien", ["o", "brien"]),
      ("\u{4E2D}\u{6587} x", ["\u{4E2D}\u{6587}", "x"]), ("", []), (" .-_@+ ", []),
      ("a\u{0}b", ["a", "b"]), ("\u{202E}x", ["x"]),
    ] as [(String, [String])])
  func `a text is words without case, accents and punctuation`(text: String, words: [String]) {
    #expect(FoldedText.words(text) == words)
  }

  @Test func `the terms of an account are few, and each is there once`() throws {
    var account = Account(
      id: AccountID("a"), scope: Scope(project: "p"), createdAt: Timestamp(milliseconds: 0))
    account.email = try EmailAddress("grace.haas@gmail.com")
    account.displayName = "Grace Haas"
    for provider in [ProviderID.google, .apple, .password] {
      account.identities.append(
        Identity(
          key: IdentityKey(provider, subject: "1"),
          profile: IdentityProfile(email: "Grace.Haas@gmail.com", displayName: "Grace Haas"),
          origin: .credential, linkedAt: Timestamp(milliseconds: 0)))
    }

    #expect(
      account.searchTerms.map(\.text) == [
        "grace haas gmail com", "haas gmail com", "gmail com", "grace haas", "haas grace",
      ])
  }

  @Test func `a sign-in changes no term`() throws {
    var account = Account(
      id: AccountID("a"), scope: Scope(project: "p"), createdAt: Timestamp(milliseconds: 0))
    account.email = try EmailAddress("grace.haas@gmail.com")
    var later = account
    later.lastSignInAt = Timestamp(milliseconds: 1)
    later.emailVerified = true
    #expect(later.hasSearchTerms(of: account))
    later.displayName = "Grace"
    #expect(!later.hasSearchTerms(of: account))
  }

  @Test(arguments: ["", "  ", "@", "%", "--"])
  func `a search without a letter or digit is refused`(text: String) {
    #expect(throws: AuthError.self) { try TextSearch(text) }
  }
}
