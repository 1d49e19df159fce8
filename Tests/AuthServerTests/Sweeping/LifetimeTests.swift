import AuthCore
import AuthTesting
import IdentityToolkitService
import Testing

/// The lifetimes of stored records.
@Suite struct `D6 lifetimes` {
  private static let day: Int64 = 86_400

  /// Runs a body with a server on a store of each kind.
  private func withPair(
    _ kind: SharedKind, _ body: @Sendable (ServerPair, any SharedKind.Store) async throws -> Void
  ) async throws {
    try await kind.withStores(2) { stores in
      try await body(ServerPair(on: stores), stores[0])
    }
  }

  private func session(
    _ id: String, of account: Account, usedAt used: Timestamp, signedInAt: Timestamp? = nil,
    mark: SessionMark? = nil, identity: IdentityKey? = nil
  ) -> SessionRecord {
    SessionRecord(
      id: id, account: account.id, provider: .password, identity: identity,
      signedInAt: signedInAt ?? used, secondFactor: nil, claims: .null,
      createdAt: signedInAt ?? used, mark: mark ?? account.sessionMark, usedAt: used)
  }

  private func create(_ uid: String, _ pair: ServerPair) async throws -> Account {
    _ = try await pair.first.graph.create(
      ProfileChanges(), uid: AccountID(uid), by: pair.admin)
    return try #require(
      try await pair.first.graph.account(AccountID(uid), in: ServerPair.scope))
  }

  private func ids(_ store: any AccountStore) async throws -> [String] {
    try await store.sweep { try $0.sessions(after: nil, limit: 1000).map(\.session.id) }.sorted()
  }

  @Test(arguments: SharedKind.allCases)
  func `D6: sessions that cannot go on are swept, and all others stay`(
    _ kind: SharedKind
  ) async throws {
    try await withPair(kind) { pair, store in
      let start = pair.clock.now
      let ada = try await create("ada", pair)
      let cut = try await create("cut", pair)
      func ago(_ days: Int64) -> Timestamp {
        start.adding(seconds: (100 - days) * Self.day)
      }
      pair.clock.advance(seconds: 50 * Self.day)
      _ = try await pair.first.graph.revokeSessions(of: cut.id, by: pair.admin)
      let afterEnd = try #require(
        try await pair.first.graph.account(cut.id, in: ServerPair.scope))
      pair.clock.advance(seconds: 50 * Self.day)
      let gone = IdentityKey(.google, subject: "gone")
      let sessions = [
        session("old and quiet", of: ada, usedAt: ago(99)),
        session("new", of: ada, usedAt: ago(1)),
        session("another owner's, old", of: ada, usedAt: ago(31), mark: SessionMark(mark: 7)),
        session("another owner's, new", of: ada, usedAt: ago(29), mark: SessionMark(mark: 7)),
        session("ended, old", of: cut, usedAt: ago(60)),
        session("of a lost identity, old", of: ada, usedAt: ago(31), identity: gone),
        session("of a lost identity, new", of: ada, usedAt: ago(29), identity: gone),
        session("after the end", of: afterEnd, usedAt: ago(40)),
      ]
      let orphan = Account(id: AccountID("nobody"), scope: ServerPair.scope, createdAt: start)
      let all = sessions + [session("of nobody", of: orphan, usedAt: ago(1))]
      try await store.write { writer in
        for session in all { try writer.save(session, in: ServerPair.scope) }
      }

      let outcome = try await pair.first.graph.sweep()

      #expect(
        try await ids(store) == [
          "after the end", "another owner's, new", "new", "of a lost identity, new",
          "old and quiet",
        ])
      #expect(outcome.sessions == 4)

      _ = try await pair.first.graph.changeSettings(by: pair.admin) {
        $0.sessionRetentionDays = 90
      }
      #expect(try await pair.first.graph.sweep().sessions == 1)
      let left = try await ids(store)
      #expect(!left.contains("old and quiet"))
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `D6: an account that goes takes its sessions with it, on every path`(
    _ kind: SharedKind
  ) async throws {
    try await withPair(kind) { pair, store in
      let graph = pair.first.graph
      let tenant = Scope(project: ServerPair.scope.project, tenant: "t")
      var inTenant = pair.admin
      inTenant.scope = tenant
      let ways: [(String, @Sendable (Account) async throws -> Void)] = [
        ("deleted", { _ = try await graph.delete($0.id, by: pair.admin) }),
        (
          "deleted among many",
          { _ = try await graph.deleteMany([$0.id], force: true, by: pair.admin) }
        ),
        (
          "absorbed",
          { account in
            _ = try await graph.create(
              ProfileChanges(), uid: AccountID("survivor"), by: pair.admin)
            let plan = try await graph.planMerge(
              keep: AccountID("survivor"), absorb: account.id, rules: MergeRules(),
              in: ServerPair.scope)
            _ = try await graph.commit(plan, by: pair.admin)
          }
        ),
        ("all of them deleted", { _ in try await graph.deleteAllAccounts(by: pair.admin) }),
      ]
      for (name, leave) in ways {
        let account = try await create(name.replacing(" ", with: "-"), pair)
        let own = session(name, of: account, usedAt: pair.clock.now)
        try await store.write { try $0.begin(own, in: ServerPair.scope) }
        #expect(try await ids(store) == [name])

        try await leave(account)

        #expect(try await ids(store) == [], "\(name)")
        // A later session, as of a server that had begun a sign-in, is not kept either.
        try await store.write { try $0.begin(own, in: ServerPair.scope) }
        #expect(try await ids(store) == [], "\(name)")
      }
      try await graph.openTenant(tenant, by: pair.admin)
      _ = try await graph.create(ProfileChanges(), uid: AccountID("there"), by: inTenant)
      let there = try #require(try await graph.account(AccountID("there"), in: tenant))
      let own = session("there", of: there, usedAt: pair.clock.now)
      try await store.write { try $0.begin(own, in: tenant) }
      try await graph.deleteTenant(tenant, by: inTenant)
      #expect(try await ids(store) == [])
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `D6: events go when their time is over, without those that wait for a web service`(
    _ kind: SharedKind
  ) async throws {
    try await withPair(kind) { pair, store in
      let graph = pair.first.graph
      let tenant = Scope(project: ServerPair.scope.project, tenant: "t")
      var inTenant = pair.admin
      inTenant.scope = tenant
      try await graph.openTenant(tenant, by: pair.admin)
      _ = try await graph.changeSettings(by: inTenant) { $0.eventRetentionDays = 0 }
      _ = try await graph.create(ProfileChanges(), uid: AccountID("there"), by: inTenant)
      _ = try await create("a", pair)
      try await OutboxConsumer.note(store, at: pair.clock.now)
      _ = try await create("b", pair)
      pair.clock.advance(seconds: 399 * Self.day)
      try await OutboxConsumer.note(store, at: pair.clock.now)
      #expect(try await graph.sweep().events == 0)
      _ = try await create("c", pair)
      pair.clock.advance(seconds: 2 * Self.day)
      try await OutboxConsumer.note(store, at: pair.clock.now)

      let outcome = try await graph.sweep()

      let left = try await graph.events(limit: 100, in: ServerPair.scope).compactMap(\.accountID)
      #expect(left.map(\.rawValue) == ["c", "b"])
      #expect(outcome.events > 0)
      #expect(try await graph.history(of: AccountID("a"), limit: 9, in: ServerPair.scope) == [])
      #expect(try await graph.events(limit: 100, in: tenant).count >= 2, "kept for ever")
      // The account itself is unchanged.
      #expect(try await graph.account(AccountID("a"), in: ServerPair.scope) != nil)

      // After a consumer's absence of a week, its waiting events are removed.
      pair.clock.advance(seconds: 8 * Self.day)
      let later = try await graph.sweep()
      #expect(later.deliveries == 2)
      #expect(
        try await graph.events(limit: 100, in: ServerPair.scope).compactMap(\.accountID)
          .map(\.rawValue) == ["c"])
      _ = try await create("d", pair)
      #expect(try await store.read { try $0.outbox(after: 0, limit: 9) } == [])
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `D3: expired records go in a sweep, and no sooner`(_ kind: SharedKind) async throws {
    try await withPair(kind) { pair, store in
      let now = pair.clock.now
      try await store.write { writer in
        for number in 0..<2500 {
          try writer.save(
            OneTimeRecord(
              id: "\(number)", kind: .used, expiresAt: now.adding(seconds: Int64(number % 2) * 900)
            ), in: Scope(project: "p\(number % 3)"))
        }
      }
      _ = try await create("a", pair)
      #expect(try await pair.first.graph.sweepOneTimeRecords() == 0, "a late use is told why")
      pair.clock.advance(seconds: 600)
      // Two servers share the work.
      async let first = pair.first.graph.sweepOneTimeRecords()
      async let second = pair.second.graph.sweepOneTimeRecords()
      let counts = try await [first, second]
      #expect(counts.reduce(0, +) == 1250)
      pair.clock.advance(seconds: 900)
      #expect(try await pair.second.graph.sweepOneTimeRecords() == 1250)
    }
  }

  @Test func `D6: one of several servers sweeps everything, once an hour`() async throws {
    try await withPair(.double) { pair, _ in
      let first = try await pair.first.graph.sweepIfDue()
      #expect(first != nil)
      let again = try await pair.second.graph.sweepIfDue()
      #expect(again == nil)
      pair.clock.advance(seconds: 3600)
      let later = try await pair.second.graph.sweepIfDue()
      #expect(later != nil)
      let last = try await pair.first.graph.lastSweep()
      #expect(last == pair.clock.now)
    }
  }
}
