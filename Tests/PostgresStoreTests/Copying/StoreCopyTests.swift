import AuthCore
import AuthTesting
import SQLAccounts
import SQLiteStore
import Testing
import TestSupport

@testable import PostgresStore

/// The promises of a copy of a SQLite store.
@Suite(.serialized) struct StoreCopyTests {
  @Test func `a copy has the same contents as its source`() async throws {
    try await CopyPair.with("whole") { pair in
      try pair.add()
      #expect(try pair.compare() == 0)

      let (source, copy) = try await pair.content()
      #expect(source.accounts.count > 20 && source.deliveries.count > 20 && source.dead.count == 1)
      #expect(copy == source)
      // Equal strings need not have equal bytes.
      #expect(
        copy.accounts.flatMap { Array($0.id.rawValue.utf8) }
          == source.accounts.flatMap { Array($0.id.rawValue.utf8) })
    }
  }

  @Test func `unchanged rows are not written again`() async throws {
    try await CopyPair.with("again") { pair in
      try pair.add()
      #expect(try pair.compare(pageSize: 1) == 0)
      #expect(try pair.compare(pageSize: 1000) == 0)
    }
  }

  @Test func `a copied store goes on after the last change of its source`() async throws {
    try await CopyPair.with("going") { pair in
      try pair.add()
      try pair.compare()
      let copy = try PostgresStore(url: pair.url)
      defer { copy.close() }
      let scope = FullStore.scopes[0]
      let newest = try await pair.source.read {
        try $0.events(about: nil, before: nil, limit: 1, in: scope)
      }

      try await copy.write { writer in
        try writer.append(
          AuditEvent(
            id: "later", scope: scope, at: FullStore.noon, actor: "a", reason: nil,
            action: .update, accountID: AccountID("uid0")))
      }

      let events = try await copy.read {
        try $0.events(about: [AccountID("uid0")], before: nil, limit: 2, in: scope)
      }
      #expect(events.map(\.id) == ["later"] + newest.map(\.id))
      try await #require(throws: UniqueKeyConflict.self) {
        try await copy.write { writer in
          var thief = Account(id: AccountID("thief"), scope: scope, createdAt: FullStore.noon)
          thief.identities = [
            Identity(
              key: IdentityKey(.apple, subject: "oldest"), origin: .credential,
              linkedAt: FullStore.noon)
          ]
          try writer.insert(thief)
        }
      }
    }
  }

  @Test func `rows that were damaged, lost, added or exchanged in the copy are mended`()
    async throws
  {
    try await CopyPair.with("mending") { pair in
      try pair.add()
      for damage in [
        "update accounts set display_name = 'mallory' where uid like 'uid3%'",
        "update accounts set custom_claims = custom_claims || ' ' where uid like 'uid4%'",
        "delete from identities where uid like 'uid5%'",
        "delete from accounts where uid like 'uid6%'",
        """
        insert into accounts (project, tenant, uid, revision, email_verified, disabled, is_anonymous, created_at)
        select 'shop', '', 'extra' || n, 1, 0, 0, 0, 0 from generate_series(1, 30) n
        """,
        // Two accounts exchange their keys.
        """
        update identities set subject = subject || '?' where uid like 'uid1%';
        update identities i set subject = replace(o.subject, '?', ''), issuer = o.issuer
        from identities o where i.uid like 'uid2%' and o.uid like 'uid1%' and i.project = o.project
          and i.tenant = o.tenant and o.uid not like 'uid10%' and o.uid not like 'uid11%'
        """,
        """
        update accounts a set verified_email = (
          select b.verified_email from accounts b where b.uid like 'uid8%' and b.project = 'shop' and b.tenant = '')
        where false;
        update accounts set verified_email = null where uid like 'uid8%' and project = 'shop';
        """,
        "update outbox set attempts = 99, is_dead = 0", "delete from event_accounts",
        "update events set details = '{}' where id like '%NULL%'",
        "update settings set revision = 1",
        "delete from merges", "insert into sessions values ('other', '', 'x', 'x', '{}')",
      ] {
        try pair.sql(damage)
        #expect(try pair.compare() > 0, "\(damage)")
        #expect(try pair.compare() == 0)
      }
      let (source, copy) = try await pair.content()
      #expect(copy == source)
    }
  }

  @Test func `a copy that was interrupted goes on, even if rows moved meanwhile`() async throws {
    let seed = UInt64.random(in: .min ... .max)
    print("interrupted copy: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for round in 1...3 {
      try await CopyPair.with("resume\(round)", filled: false) { pair in
        let scope = FullStore.scopes[0]
        try await Self.add(1...50, to: pair.source, in: scope)
        var interruptions = 0
        while interruptions < 5 {
          var pages = Int.random(in: 1...8, using: &generator)
          do {
            try pair.add(pageSize: 13) { _ in
              pages -= 1
              if pages == 0 { throw Interruption() }
            }
            break
          } catch is Interruption {
            interruptions += 1
            try await Self.move(in: pair.source, scope, &generator)
          }
        }
        try pair.add()
        try pair.compare()
        let (source, copy) = try await pair.content()
        #expect(copy == source)
        #expect(source.accounts.count > 10)
      }
    }
  }

  @Test func `writers write while a copy is made, and nothing of theirs is lost in the end`()
    async throws
  {
    try await CopyPair.with("online", filled: false) { pair in
      let scope = FullStore.scopes[0]
      let source = pair.source
      try await Self.add(1...80, to: source, in: scope)
      let writer = Task {
        var generator = SeededGenerator(seed: 7)
        var next = 1000
        while !Task.isCancelled {
          try await Self.add(next...next, to: source, in: scope)
          next += 1
          try await Self.move(in: source, scope, &generator)
          // A pause, so that the copy can catch up on a busy machine.
          try await Task.sleep(for: .milliseconds(20))
        }
        return next
      }
      // A thread of the cooperative pool must not block, because the writer's tasks need it.
      try await blocking {
        try pair.add(pageSize: 20)
        for _ in 1...2 { try pair.compare(pageSize: 20) }
      }
      writer.cancel()
      let written: Int
      do { written = try await writer.value } catch is CancellationError { written = 1001 }
      #expect(written > 1000)
      try await blocking { try pair.compare() }
      let (now, copy) = try await pair.content()
      #expect(copy == now)
    }
  }

  @Test func `a connection that is lost is made again`() async throws {
    try await CopyPair.with("lost", filled: false) { pair in
      try await Self.add(1...100, to: pair.source, in: FullStore.scopes[0])
      let named = CopyPair(source: pair.source, url: pair.url + "&application_name=cut_copy")
      var count = 0
      try named.add(pageSize: 10) { _ in
        count += 1
        guard count % 5 == 0 else { return }
        try PostgresServer.shared.run(
          """
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'cut_copy'
          """)
      }
      #expect(count > 20)
      #expect(try pair.compare() == 0)
    }
  }

  /// Adds accounts with two identities each.
  private static func add(
    _ numbers: ClosedRange<Int>, to store: SQLiteStore, in scope: Scope
  ) async throws {
    try await store.write { writer in
      for number in numbers {
        // Uids in no particular order, so that new ones are not always last.
        let uid = String(number &* 2_654_435_761 % 4_294_967_291, radix: 16)
        var account = Account(id: AccountID(uid), scope: scope, createdAt: FullStore.noon)
        account.email = try EmailAddress("\(number)@example.com")
        account.emailVerified = true
        account.identities = ["a", "b"].map {
          Identity(
            key: IdentityKey(.google, subject: "\(number)\($0)"), origin: .credential,
            linkedAt: FullStore.noon)
        }
        try writer.insert(account)
        try writer.append(
          AuditEvent(
            id: uid, scope: scope, at: FullStore.noon, actor: "test", reason: nil,
            action: .update, accountID: account.id))
      }
    }
  }

  /// Moves an account's identities and address to another one, or deletes it.
  private static func move(
    in store: SQLiteStore, _ scope: Scope, _ generator: inout SeededGenerator
  ) async throws {
    let shift = Int.random(in: 1...1000, using: &generator)
    let goes = Int.random(in: 0...2, using: &generator) == 0
    try await store.write { writer in
      let all = try writer.accounts(matching: AccountFilter(), after: nil, limit: 2000, in: scope)
      guard all.count > 20 else { return }
      let (giver, taker) = (all[shift % all.count], all[(shift * 7 + 1) % all.count])
      guard giver.id != taker.id else { return }
      var (poor, rich) = (giver, taker)
      rich.identities += giver.identities
      rich.email = giver.email
      poor.identities = []
      poor.email = nil
      poor.emailVerified = false
      if goes {
        try writer.delete(giver)
        try writer.setAlias(giver.id, for: taker.id, in: scope)
      } else {
        try writer.update(poor, replacing: giver)
      }
      try writer.update(rich, replacing: taker)
    }
  }
}
