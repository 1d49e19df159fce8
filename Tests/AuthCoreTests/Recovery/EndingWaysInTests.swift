import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

/// One call ends ways into an account, all or none, by the rules of each change.
@Suite struct `Ending ways into an account` {
  let home = TestHome()

  /// Makes an account with two vendors' identities and a password.
  private func ada() async throws -> Account {
    let ada = try await home.person("ada")
    for credential in [
      try home.credential("2", provider: TestHome.other),
      try home.password("ada@example.com", "first-secret"),
    ] {
      _ = try await home.graph.link(credential, to: ada.id, by: home.session(ada.id))
    }
    home.clock.advance(seconds: 1)
    return try await home.account(ada.id)
  }

  private func id(_ kind: WayIn.Kind, of account: AccountID) async throws -> String {
    let ways = try await home.graph.waysIn(of: account, in: home.scope)
    return try #require(ways.first { $0.kind == kind }).id
  }

  @Test func `unlinks, removes and ends in one event`() async throws {
    let ada = try await ada()
    let factor = try await home.enrollTOTP(ada.id).factor
    let before = try await home.account(ada.id)
    let caller = home.session(ada.id, secondFactor: true)
    home.clock.advance(seconds: 1)
    let result = try await home.graph.endWaysIn(
      ["other.example", "password/ada@example.com", factor.id, "sessions"], of: ada.id, by: caller)

    #expect(result.account.identities.map(\.provider) == [TestHome.fake])
    #expect(result.account.secondFactors.isEmpty && result.endedSessions)
    #expect(try await home.account(ada.id) == result.account)
    #expect(result.account.revision == before.revision + 1)
    #expect(result.receipt.action == .unlink)
    #expect(
      result.receipt.waysIn.map { $0.ways.map(\.kind) } == [[.provider, .sessions, .mailbox]])
    let event = try await home.graph.event(result.receipt.id, in: home.scope)
    #expect(
      event.details["identity"] == ["other.example/2", "password/ada@example.com"]
        && event.details["factors"] == [.string(factor.id)])
    await expectError(.userTokenExpired) {
      try await home.graph.revokeSessions(
        of: ada.id, by: home.session(ada.id, signedInAt: before.validSince, secondFactor: true))
    }
  }

  @Test func `ends sessions alone, also with a sign-in of long ago`() async throws {
    let ada = try await ada()
    let caller = home.session(ada.id)
    home.clock.advance(seconds: 86_400)
    await expectError(.requiresRecentLogin) {
      try await home.graph.endWaysIn(["other.example"], of: ada.id, by: caller)
    }
    let result = try await home.graph.endWaysIn(["sessions"], of: ada.id, by: caller)
    #expect(result.receipt.action == .revokeSessions && result.endedSessions)
    #expect(result.account.identities == ada.identities)
  }

  @Test(arguments: [
    (["other.example", "nothing"], AuthError.Code.invalidArgument),
    ([], .invalidArgument), (["other.example", "mailbox"], .operationNotAllowed),
    (["provider"], .ambiguous), (["other.example", "fake.example", "password"], .lastSignInMethod),
  ])
  func `ends all or none`(_ names: [String], _ code: AuthError.Code) async throws {
    let ada = try await ada()
    if names == ["provider"] {
      // Two identities of one vendor share a name, which then names neither.
      _ = try await home.graph.changeSettings(by: home.admin) { $0.identitiesPerProvider = .many }
      _ = try await home.graph.link(
        home.credential("3", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    }
    let before = try await home.everything()
    let asked = names == ["provider"] ? ["other.example"] : names
    await expectError(code) {
      try await home.graph.endWaysIn(asked, of: ada.id, by: home.session(ada.id))
    }
    #expect(try await home.everything() == before)
  }

  @Test func `leaves an admin the last way in to force, and to rehearse`() async throws {
    let ada = try await ada()
    let all = ["other.example", "fake.example", "password"]
    await expectError(.lastSignInMethod) {
      try await home.graph.endWaysIn(all, of: ada.id, by: home.admin)
    }
    var rehearsing = home.admin
    rehearsing.dryRun = true
    let receipt = try await home.graph.endWaysIn(all, of: ada.id, force: true, by: rehearsing)
      .receipt
    #expect(receipt.dryRun && receipt.losses?.identities.count == 3)
    #expect(try await home.account(ada.id) == ada)
    _ = try await home.graph.endWaysIn(all, of: ada.id, force: true, by: home.admin)
    #expect(try await home.account(ada.id).identities.isEmpty)
  }

  @Test func `attack 4: a session without the second factor ends nothing`() async throws {
    let ada = try await ada()
    let factor = try await home.enrollTOTP(ada.id).factor
    for names in [[factor.id], ["other.example"], ["sessions"]] {
      await expectError(.secondFactorRequired) {
        try await home.graph.endWaysIn(names, of: ada.id, by: home.session(ada.id))
      }
    }
    let bo = try await home.person("bo")
    await expectError(.operationNotAllowed) {
      try await home.graph.endWaysIn(["other.example"], of: ada.id, by: home.session(bo.id))
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.endWaysIn(["other.example"], of: ada.id, by: home.anyone)
    }
  }

  @Test func `a list that is out of date ends nothing else`() async throws {
    let ada = try await ada()
    let old = try await home.graph.waysIn(of: ada.id, in: home.scope)
      .first { $0.provider == TestHome.other }
    let name = try #require(old).id
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: home.session(ada.id))
    home.clock.advance(seconds: 1)
    _ = try await home.graph.link(
      home.credential("2", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    await expectError(.invalidArgument) {
      try await home.graph.endWaysIn([name], of: ada.id, by: home.session(ada.id))
    }
    // The list as it is now has its own names.
    let password = try await id(.password, of: ada.id)
    _ = try await home.graph.endWaysIn([password], of: ada.id, by: home.session(ada.id))
  }

  @Test func `an absorbed uid and a disabled account are refused`() async throws {
    let ada = try await ada()
    let bo = try await home.person("bo")
    _ = try await home.graph.commit(
      home.graph.planMerge(keep: ada.id, absorb: bo.id, in: home.scope), by: home.admin)
    await expectError(.invalidArgument) {
      try await home.graph.endWaysIn(["sessions"], of: bo.id, by: home.admin)
    }
    _ = try await home.graph.setDisabled(true, ada.id, by: home.admin)
    await expectError(.userDisabled) {
      try await home.graph.endWaysIn(["other.example"], of: ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.endWaysIn(["other.example"], of: ada.id, by: home.admin)
  }
}
