import AuthTesting
import NIOConcurrencyHelpers
import Testing
import TestSupport

@testable import AuthCore

/// The earlier merges of both accounts, as a policy sees them.
@Suite struct `The history of a conflict` {
  /// Keeps the account in conflict, and notes what it saw.
  private final class Watcher: Sendable {
    private let seen = NIOLockedValueBox<[ConflictHistory]>([])

    var last: ConflictHistory? { seen.withLockedValue { $0.last } }

    var policy: ClosurePolicy {
      ClosurePolicy(name: "watching") { conflict in
        self.seen.withLockedValue { $0.append(conflict.history) }
        return .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
      }
    }
  }

  private let watcher: Watcher
  private let home: TestHome
  private let credential: Credential

  init() throws {
    watcher = Watcher()
    home = TestHome(policies: [watcher.policy])
    credential = try home.credential("a", provider: TestHome.other)
  }

  /// Opens the account in conflict under the policy.
  private func owner() async throws -> AccountID {
    try await home.use(watcher.policy)
    return try await home.signIn(credential).account.id
  }

  /// Opens an account that links the credential of the other one, so that it is absorbed.
  private func join(_ subject: String) async throws -> (receipt: Receipt, absorbed: AbsorbedAccount)
  {
    let id = try await home.signIn(home.credential(subject)).account.id
    let receipt = try await home.graph.link(credential, to: id, by: home.session(id))
    #expect(receipt.action == .merge)
    return (receipt, AbsorbedAccount(id, at: home.clock.now))
  }

  @Test func `it has the merges that stand, the newest first`() async throws {
    let owner = try await owner()
    let first = try await join("1").absorbed
    #expect(watcher.last == ConflictHistory())
    home.clock.advance(seconds: 60)
    let second = try await join("2").absorbed
    #expect(watcher.last == ConflictHistory(existing: [first]))
    home.clock.advance(seconds: 60)
    _ = try await join("3")
    #expect(watcher.last == ConflictHistory(existing: [second, first]))
    let history = try await home.graph.history(
      ofConflict: owner, with: AccountID("nobody"), in: home.scope)
    #expect(history.current.count == 3 && history.existing.isEmpty)
  }

  @Test func `a merge that was undone is none`() async throws {
    let owner = try await owner()
    let receipt = try await join("1").receipt
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    let history = try await home.graph.history(
      ofConflict: owner, with: receipt.accountID, in: home.scope)
    #expect(history == ConflictHistory())
  }

  @Test func `it is kept with the decision, masked, and an old record has none`() async throws {
    _ = try await owner()
    let first = try await join("1").absorbed
    home.clock.advance(seconds: 60)
    let receipt = try await join("2").receipt

    let decision = try await home.graph.decision(receipt.id, in: home.scope)
    let kept = try #require(decision.conflict.history.existing.first)
    #expect(kept.at == first.at && kept.uid != first.uid)
    #expect(decision.conflict.history.current.isEmpty)
    #expect(!decision.json.contains(first.uid.rawValue))

    let text = decision.conflict.json
    let part = #""history":"# + decision.conflict.history.json + ","
    #expect(text.contains(part), "\(text)")
    let old = try JSONText.decode(MergeConflict.self, text.replacing(part, with: ""))
    #expect(old.history == ConflictHistory())
  }

  @Test func `the journal is read only for two accounts under a policy`() async throws {
    let owner = try await owner()
    let first = try await join("1").absorbed
    let other = try await home.signIn(home.credential("9")).account.id
    func absorbed(_ ids: [AccountID], _ mayConflict: Bool) async throws -> [AbsorbedAccount]? {
      var query = SnapshotQuery(ids.map(AccountKey.uid), in: home.scope)
      query.mayConflict = mayConflict
      let asked = query
      return try await home.graph.store.read { try $0.snapshot(asked) }.absorbed[owner]
    }
    #expect(try await absorbed([owner, other], true) == [first])
    #expect(try await absorbed([owner], true) == nil)
    #expect(try await absorbed([owner, other], false) == nil)
    _ = try await home.graph.removePolicy(by: home.admin)
    #expect(try await absorbed([owner, other], true) == nil)
  }
}
