import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `An account that a stranger opened with the owner's address` {
  static let ways = Way.allCases.filter(\.vouchesForEmail)

  @Test(arguments: ways)
  func `attack 1, 3 and 4: is its owner's after a proof, and nothing of the stranger leads there`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      try await home.trust(way.provider)
      // The attacker signs up with the victim's address, and adds a phone and a vendor's account.
      let eve = FakePerson.named("eve")
      var impostor = FakePerson.ada
      impostor.subject = "4711"
      let account = try await home.opened(.password, for: impostor)
      let session = home.session(account.id)
      _ = try await home.graph.link(
        try await home.phoneCode(for: eve), to: account.id, by: session)
      _ = try await home.graph.link(
        try await home.credential(.facebookAccessToken, for: eve), to: account.id, by: session)
      // The account's open operations: a link in a browser, and one that was mailed.
      let callback = try await home.comeBack(
        from: .google, as: eve, linkingTo: account.id, by: session)
      let mailed = try await home.link(for: eve, account: account.id, by: session)
      home.clock.advance(seconds: 60)

      let result = try await home.signIn(try await home.credential(way, for: .ada))

      #expect(result.receipt.action == .takeOver)
      #expect(result.account.id == account.id)
      #expect(result.account.emailVerified)
      #expect(result.account.phoneNumber == nil)
      #expect(result.account.identities.map(\.key) == [try way.key(of: .ada)])
      let after = try await home.account(account.id)
      await expectError(.invalidCredential) {
        try await home.signIn(try await home.credential(.password, for: impostor))
      }
      await expectError(.invalidCredential) { try await home.finish(callback, by: session) }
      await expectError(.invalidVerificationID, .codeExpired) {
        try await home.graph.link(mailed, to: account.id, by: session)
      }
      await expectError(.userTokenExpired) {
        try await home.graph.link(
          try await home.credential(.googleIDToken, for: eve), to: account.id, by: session)
      }
      await expectError(.userTokenExpired) {
        try await home.graph.renewSession(provider: .password, showing: nil, by: session)
      }
      for way in [Way.phone, .facebookAccessToken] {
        #expect(try await home.opened(way, for: eve).id != account.id)
      }
      #expect(try await home.account(account.id) == after)
    }
  }
}
