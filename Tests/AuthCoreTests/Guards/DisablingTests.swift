import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

@Suite struct `An account that is shut out and let in again` {
  let home = TestHome()

  enum Path: String, CaseIterable, Sendable {
    case console, update, record
  }

  private func set(_ disabled: Bool, _ account: Account, _ path: Path) async throws {
    switch path {
    case .console: _ = try await home.graph.setDisabled(disabled, account.id, by: home.admin)
    case .update: try await home.update(account.id) { $0.disabled = disabled }
    case .record:
      var record = try await home.account(account.id)
      record.disabled = disabled
      let outcomes = try await home.graph.importRecords(
        [ImportedAccount(account: record, line: 1)], overwriting: true, by: home.admin)
      #expect(outcomes == [.imported])
    }
  }

  @Test(arguments: Path.allCases)
  func `F9: its sessions of before do not come back`(_ path: Path) async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let caller = home.session(ada.id)
    home.clock.advance(seconds: 10)
    try await set(true, ada, path)
    home.clock.advance(seconds: 10)
    try await set(false, ada, path)
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(provider: TestHome.fake, showing: nil, by: caller)
    }
    home.clock.advance(seconds: 1)
    let again = try await home.signIn(home.credential("1"))
    _ = try await home.graph.renewSession(
      provider: TestHome.fake, showing: nil,
      by: home.session(again.account.id, signedInAt: again.session?.signedInAt))
  }

  @Test func `F9: letting in ends the sessions that an earlier version left open`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let caller = home.session(ada.id)
    home.clock.advance(seconds: 10)
    try await home.store.write { [home] writer in
      let old = try #require(try writer.account(ada.id, in: home.scope))
      var new = old
      new.disabled = true
      try writer.update(new, replacing: old)
    }
    try await home.update(ada.id) { $0.disabled = false }
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(provider: TestHome.fake, showing: nil, by: caller)
    }
  }

  @Test func `F8: MANDATORY in a store of an earlier version is read as enabled`() throws {
    let text = #"{"state":"MANDATORY","allowsPhone":true,"allowsTOTP":false}"#
    let factors = try JSONText.decode(MultiFactorSettings.self, text)
    #expect(factors.state == .enabled && factors.allowsPhone && !factors.allowsTOTP)
  }
}
