import Testing

@testable import AuthCore

@Suite struct `A kept credential` {
  /// Servers of two versions share one store while they are updated.
  @Test func `names its only account in every version alike`() throws {
    let identity = VerifiedIdentity(
      provider: .google, key: IdentityKey(.google, subject: "1"))
    let kept = KeptCredential(identity: identity, boundAccount: AccountID("ada"), session: nil)
    let text = try JSONText.encode(kept)
    #expect(text.contains(#""onlyFor":"ada""#), "\(text)")
    #expect(try JSONText.decode(KeptCredential.self, text).boundAccount == AccountID("ada"))
  }
}
