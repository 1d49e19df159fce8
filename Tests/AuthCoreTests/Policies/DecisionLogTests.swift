import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

@Suite struct `The log of decisions` {
  /// Keeps the account that wanted to link.
  private static let keeping = ClosurePolicy(name: "keeping") { conflict in
    .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
  }
  private static let refusing = ClosurePolicy(name: "refusing") { _ in .refuse("no") }
  private static let broken = ClosurePolicy(name: "broken") { _ in
    throw AuthError(.invalidPolicy, "It is broken.", step: .policy)
  }

  private func home(_ policy: ClosurePolicy) async throws -> TestHome {
    let home = TestHome(policies: [Self.keeping, Self.refusing, Self.broken])
    try await home.use(policy)
    return home
  }

  /// Links a credential of another account, and returns the ID of the event.
  @discardableResult
  private func conflict(_ home: TestHome, _ number: Int = 1) async throws -> String {
    let current = try await home.signIn(home.credential("a\(number)")).account
    let other = try home.credential("b\(number)", provider: TestHome.other)
    _ = try await home.signIn(other)
    do {
      return try await home.graph.link(other, to: current.id, by: home.session(current.id)).id
    } catch let error as AuthError {
      return try error.eventID.unwrapped("event")
    }
  }

  private func all(_ home: TestHome) async throws -> [PolicyDecision] {
    try await home.graph.decisions(limit: 100, in: home.scope)
  }

  @Test(arguments: [0, 1, 2])
  func `a decision is in the log with its event, also a refusal or a failure`(
    _ index: Int
  ) async throws {
    let policy = [Self.keeping, Self.refusing, Self.broken][index]
    let home = try await home(policy)
    let id = try await conflict(home)

    let decision = try #require(try await all(home).first)
    #expect(try await all(home).count == 1 && decision.id == id)
    #expect(decision.at == home.clock.now && decision.conflict.decidedAt == home.clock.now)
    #expect(decision.judgements.map(\.policy) == [policy.name])
    #expect(decision.conflict.proof.both && decision.conflict.provider == TestHome.other)
    let event = try await home.graph.event(id, in: home.scope)
    #expect(event.action == (index == 0 ? .merge : .link))
    #expect(try await home.graph.decision(id, in: home.scope) == decision)
    switch decision.ruling {
    case .answer(.merge(let into, _, _)): #expect(into == decision.conflict.current.id)
    case .answer(.refuse(let refusal)): #expect(refusal.reason == "no")
    case .failure(let message): #expect(message.contains("It is broken"))
    default: Issue.record("\(String(describing: decision.ruling))")
    }
  }

  @Test func `a person's own merge is in the log`() async throws {
    let home = try await home(Self.keeping)
    func proof(_ provider: ProviderID, _ subject: String) async throws -> ProvenSession {
      let account = try await home.signIn(home.credential(subject, provider: provider)).account
      return ProvenSession(
        scope: home.scope, account: account.id, signedInAt: home.clock.now, provider: provider,
        identity: account.identities.first?.key, secondFactor: nil)
    }
    let merge = OwnMerge(
      try await proof(TestHome.fake, "1"), into: try await proof(TestHome.other, "9"))

    _ = try await home.graph.planMerge(merge)
    #expect(try await all(home).isEmpty, "A plan writes nothing.")
    let receipt = try await home.graph.merge(merge).receipt
    #expect(try await all(home).map(\.id) == [receipt.id])
  }

  @Test func `sign-ins and a dry run leave nothing`() async throws {
    let home = try await home(Self.keeping)
    let current = try await home.signIn(home.credential("1")).account
    let other = try home.credential("9", provider: TestHome.other)
    _ = try await home.signIn(other)
    var rehearsing = home.session(current.id)
    rehearsing.dryRun = true
    let receipt = try await home.graph.link(other, to: current.id, by: rehearsing)

    #expect(receipt.dryRun && receipt.action == .merge)
    #expect(try await all(home).isEmpty)
  }

  @Test func `a lifetime of 0 days keeps nothing`() async throws {
    let home = try await home(Self.refusing)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.decisionRetentionDays = 0 }
    let id = try await conflict(home)

    #expect(try await all(home).isEmpty)
    await expectError(.eventNotFound) { try await home.graph.decision(id, in: home.scope) }
  }

  @Test func `a sweep removes decisions after their lifetime alone`() async throws {
    let home = try await home(Self.refusing)
    try await conflict(home, 1)
    home.clock.advance(seconds: 20 * 86_400)
    let late = try await conflict(home, 2)
    home.clock.advance(seconds: 10 * 86_400)

    #expect(try await home.graph.sweep().decisions == 1)
    #expect(try await all(home).map(\.id) == [late])
    _ = try await home.graph.changeSettings(by: home.admin) { $0.decisionRetentionDays = 0 }
    #expect(try await home.graph.sweep().decisions == 1)
    #expect(try await all(home).isEmpty)
  }

  @Test func `the log comes newest first, since a time and up to a number`() async throws {
    let home = try await home(Self.refusing)
    var ids: [String] = []
    var times: [Timestamp] = []
    for number in 1...4 {
      ids.append(try await conflict(home, number))
      times.append(home.clock.now)
      home.clock.advance(seconds: 60)
    }

    #expect(try await all(home).map(\.id) == ids.reversed())
    let recent = try await home.graph.decisions(since: times[2], limit: 9, in: home.scope)
    #expect(recent.map(\.id) == [ids[3], ids[2]])
    let two = try await home.graph.decisions(limit: 2, in: home.scope)
    #expect(two.map(\.id) == [ids[3], ids[2]])
    #expect(try await home.graph.decisions(limit: 9, in: Scope(project: "other")).isEmpty)
  }

  @Test func `the log outlives the accounts, and names none of them`() async throws {
    let home = try await home(Self.refusing)
    try await conflict(home)
    let uids = try await home.everything().map(\.id.rawValue)
    for uid in uids { _ = try await home.graph.delete(AccountID(uid), by: home.admin) }

    let decision = try #require(try await all(home).first)
    for uid in uids { #expect(!decision.json.contains(uid)) }
  }
}
