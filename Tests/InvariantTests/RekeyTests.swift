import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import SQLiteStore
import Synchronization
import Testing
import TestSupport

/// Rekeys on a real store: many identities in batches, and other operations at the same time.
@Suite(.serialized) struct `Rekeys on a store` {
  static let provider = ProviderID("fake.example")
  static let other = ProviderID("other.example")
  static let scope = Scope(project: "rekey")
  static let admin = Caller(scope: scope, authority: .admin("test"), reason: "test")
  static let anyone = Caller(scope: scope, authority: .anyone)

  private func graph(_ store: any AccountStore, seed: UInt64 = 1) -> AccountGraph {
    let random = Mutex(SeededGenerator(seed: seed))
    return AccountGraph(
      store: store,
      providers: ProviderRegistry([FakeProvider(id: Self.provider), FakeProvider(id: Self.other)]),
      policies: NoPolicies(), random: { random.withLock { $0.next() } })
  }

  private func withStore(
    _ body: (SQLiteStore) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rekey-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try SQLiteStore(path: "\(folder)/accounts.db", durability: .normal)
    try await body(store)
    #expect(try await store.checkIntegrity() == [])
  }

  @Test func `twenty thousand identities get their keys in batches of bounded size`() async throws {
    try await withStore { store in
      let graph = graph(store)
      let count = 20_000
      let now = Timestamp(milliseconds: 1_700_000_000_000)
      for start in stride(from: 0, to: count, by: 1000) {
        let batch = (start..<start + 1000).map { number in
          var account = Account(
            id: AccountID("u\(number)"), scope: Self.scope, createdAt: now)
          account.identities = [
            Identity(
              key: IdentityKey(Self.provider, subject: "s\(number)"), origin: .imported,
              linkedAt: now)
          ]
          return ImportedAccount(account: account, line: number)
        }
        _ = try await graph.importAccounts(batch, by: Self.admin)
      }
      let rekey = try await graph.planRekey(
        from: IdentitySource(Self.provider), to: IdentitySource(Self.other), keepsSubjects: true,
        by: Self.admin)
      let before = try residentBytes()
      let began = ContinuousClock.now
      var progress = RekeyProgress()
      var largest = 0
      while !progress.isComplete {
        progress = try await commit(rekey, graph, progress, limit: 500, largest: &largest)
      }
      print("rekeyed 20,000 in \(ContinuousClock.now - began)")
      #expect(progress.rekeyed == count && largest <= 500)
      // The bound is ten batches, whatever the number of accounts.
      #expect(try residentBytes() - before < 64 << 20)
      let entered = try await graph.signIn(
        FakeProvider(id: Self.provider).credential(subject: "s77"), by: Self.anyone)
      #expect(entered.account.id == AccountID("u77"))
      #expect(try await end(rekey, graph, finishes: false, limit: 2000) == count)
      #expect(try await graph.accountCount(in: Self.scope) == count)
    }
  }

  private func commit(
    _ rekey: Rekey, _ graph: AccountGraph, _ progress: RekeyProgress, limit: Int,
    largest: inout Int
  ) async throws -> RekeyProgress {
    let (page, last) = try await graph.page(
      of: rekey, after: progress.after, limit: limit, in: Self.scope)
    largest = max(largest, page.accounts.count)
    let map = Dictionary(
      page.keys.map { key in
        (key, rekey.to.key(rekey.keepsSubjects ? key.subject : "\(key.subject)'"))
      },
      uniquingKeysWith: { first, _ in first })
    return try await graph.commit(
      rekey, page, last: last, map: map, progress: progress, by: Self.admin
    ).progress
  }

  private func end(
    _ rekey: Rekey, _ graph: AccountGraph, finishes: Bool, limit: Int
  ) async throws -> Int {
    var ending: RekeyEnding?
    while ending?.isOver != true {
      ending =
        finishes
        ? try await graph.finish(
          rekey, behind: ending, limit: limit, force: true, by: Self.admin)
        : try await graph.rollBack(rekey, behind: ending, limit: limit, by: Self.admin)
    }
    return ending?.changed ?? 0
  }

  @Test func `random operations around rekeys keep every key with its account, in SQLite`()
    async throws
  {
    try await withStore { store in try await randomly(store) { try await store.checkIntegrity() } }
  }

  @Test func `random operations around rekeys keep every key with its account, in memory`()
    async throws
  {
    try await randomly(MemoryStore()) { [] }
  }

  /// Signs in by old and new subjects, links, unlinks, merges and undoes between the batches of rekeys.
  ///
  /// A key always belongs to one account, and leads to the same account as before.
  private func randomly(
    _ store: any AccountStore, integrity: () async throws -> [String]
  ) async throws {
    let seed = TestBudget.seed(usual: 20_261_121)
    print("random rekeys: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let graph = graph(store, seed: seed)
    _ = try await graph.changeSettings(by: Self.admin) { $0.identitiesPerProvider = .many }
    var merges: [String] = []
    var rekeyed = 0
    for round in 0..<12 {
      let from = IdentitySource(
        [Self.provider, Self.other].randomElement(using: &random) ?? Self.other)
      let to = IdentitySource(
        [Self.provider, Self.other].randomElement(using: &random) ?? Self.other,
        issuer: Bool.random(using: &random) ? "i" : "")
      for _ in 0..<30 { await operation(graph, &merges, &random) }
      let rekey = try? await graph.planRekey(
        from: from, to: to, keepsSubjects: from != to && round % 3 == 0, by: Self.admin)
      guard let rekey else { continue }
      var progress = RekeyProgress()
      var largest = 0
      while !progress.isComplete {
        let before = try await owners(graph, store)
        let next = try? await commit(rekey, graph, progress, limit: 3, largest: &largest)
        guard let next else { break }
        rekeyed += next.rekeyed - progress.rekeyed
        progress = next
        let after = try await owners(graph, store)
        for (key, owner) in before { #expect(after[key] == owner, "\(key)") }
        for _ in 0..<4 { await operation(graph, &merges, &random) }
      }
      if Int.random(in: 0..<3, using: &random) > 0 {
        _ = try? await end(rekey, graph, finishes: Bool.random(using: &random), limit: 4)
      }
      _ = try await owners(graph, store)
      #expect(try await integrity() == [])
    }
    #expect(rekeyed > 20)
  }

  private func operation(
    _ graph: AccountGraph, _ merges: inout [String], _ random: inout SeededGenerator
  ) async {
    let ids =
      (try? await graph.accounts(limit: 1000, in: Self.scope).map(\.id)) ?? []
    let subject =
      "s\(Int.random(in: 0..<24, using: &random))"
      + (Int.random(in: 0..<4, using: &random) == 0 ? "'" : "")
    let provider = Bool.random(using: &random) ? Self.provider : Self.other
    guard let credential = try? FakeProvider(id: provider).credential(subject: subject) else {
      return
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: _ = try? await graph.signIn(credential, by: Self.anyone)
    case 3, 4:
      guard let id = ids.randomElement(using: &random) else { return }
      _ = try? await graph.link(credential, to: id, by: Self.admin)
    case 5:
      guard let id = ids.randomElement(using: &random) else { return }
      _ = try? await graph.unlink(provider, from: id, force: true, by: Self.admin)
    case 6:
      guard let keep = ids.randomElement(using: &random),
        let absorb = ids.randomElement(using: &random),
        let plan = try? await graph.planMerge(keep: keep, absorb: absorb, in: Self.scope),
        let receipt = try? await graph.commit(plan, by: Self.admin)
      else { return }
      merges.append(receipt.id)
    default:
      guard let merge = merges.popLast() else { return }
      _ = try? await graph.undoMerge(
        merge, force: Bool.random(using: &random), by: Self.admin)
    }
  }

  /// Returns each key's owner, according to the accounts, and checks that the store agrees.
  private func owners(
    _ graph: AccountGraph, _ store: any AccountStore
  ) async throws -> [IdentityKey: AccountID] {
    var owners: [IdentityKey: AccountID] = [:]
    for account in try await graph.accounts(limit: 1000, in: Self.scope) {
      for key in account.identities.flatMap(\.keys) {
        #expect(owners[key] == nil, "\(key) has two owners")
        owners[key] = account.id
        let owner = try await store.read { try $0.owner(of: key, in: Self.scope) }
        #expect(owner == account.id, "\(key)")
      }
    }
    return owners
  }
}
