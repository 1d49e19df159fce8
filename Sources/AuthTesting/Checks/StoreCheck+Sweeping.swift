import AuthCore
import ProviderChecks

extension StoreCheck {
  /// The promises about sweeps of expired data.
  static let sweeping = [
    StoreCheck("one-time records of all scopes whose time is over go oldest first, some at a time")
    { store in
      let noon = Sample.noon
      let other = Scope(project: "other", tenant: "t")
      // Saved in another order than that of their times.
      for seconds: Int64 in [3, 1, 4, 0, 2, 5] {
        try await store.save(
          record("\(seconds)", expiresAt: noon.adding(seconds: seconds)),
          in: seconds.isMultiple(of: 2) ? Sample.scope : other)
      }
      for (moment, limit, removed, left) in [
        (noon.adding(seconds: 3), 0, 0, [0, 1, 2, 3, 4, 5]),
        (noon.adding(seconds: 3), 2, 2, [2, 3, 4, 5]),
        // A record whose time is just reached has expired.
        (noon.adding(seconds: 3), 9, 2, [4, 5]),
        (Timestamp(milliseconds: noon.adding(seconds: 4).milliseconds - 1), 9, 0, [4, 5]),
      ] as [(Timestamp, Int, Int, [Int64])] {
        let count = try await store.removeExpired(by: moment, limit: limit)
        try expect(count, is: removed, "The number of removed records")
        let found = try await store.read { reader in
          try (Int64(0)...5).filter { number in
            try [Sample.scope, other].contains {
              try reader.oneTimeRecord("\(number)", in: $0) != nil
            }
          }
        }
        try expect(found, is: left, "The list of what is left")
      }
    },
    StoreCheck("a waiting message stays for a day longer than its time") { store in
      let message = OneTimeRecord(id: "m", kind: .message, expiresAt: Sample.noon)
      try await store.save(message, in: Sample.scope)
      for (seconds, removed) in [(86_399, 0), (86_400, 1)] as [(Int64, Int)] {
        let count = try await store.removeExpired(
          by: Sample.noon.adding(seconds: seconds), limit: 9)
        try expect(count, is: removed, "The number after \(seconds) seconds")
      }
    },
    StoreCheck("sweeps that run at once remove each record once") { store in
      for number in 0..<50 {
        try await store.save(record("\(number)", expiresAt: Sample.noon), in: Sample.scope)
      }
      let removed = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            var removed = 0
            while true {
              let count = try await store.removeExpired(by: Sample.noon, limit: 10)
              removed += count
              if count == 0 { return removed }
            }
          }
        }
        return try await group.reduce(0, +)
      }
      try expect(removed, is: 50, "The number of removed records")
    },
    StoreCheck("sessions of all scopes come in pages, each once") { store in
      let scopes = [
        Scope(project: "a"), Scope(project: "a", tenant: "t"), Scope(project: "b"),
        Scope(project: "a\u{0}"),
      ]
      for scope in scopes {
        try await store.save((0..<5).map { session("\($0)", of: "ada") }, in: scope)
      }
      var found: [PlacedSession] = []
      while true {
        let place = found.last.map { SessionPlace(scope: $0.scope, id: $0.session.id) }
        let page = try await store.sweep { try $0.sessions(after: place, limit: 3) }
        found += page
        guard page.count == 3 else { break }
      }
      try expect(found.count, is: 20, "The number of sessions")
      try expect(Set(found).count, is: 20, "The number of different sessions")
      try await store.sweep { [found] sweeper in
        for place in found where place.scope == scopes[1] {
          try sweeper.removeSession(place.session.id, in: place.scope)
        }
      }
      let left = try await store.sweep { try $0.sessions(after: nil, limit: 99) }
      try expect(left.count, is: 15, "The number of sessions that are left")
    },
    StoreCheck("a session begins only with its account") { store in
      try await store.write { writer in
        try writer.begin(session("early", of: "ada"), in: Sample.scope)
        try writer.insert(try Sample.account("ada"))
        try writer.begin(session("own", of: "ada"), in: Sample.scope)
        try writer.begin(
          session("elsewhere", of: "ada"), in: Scope(project: "check", tenant: "t"))
      }
      try expect(try await store.session("early"), is: nil, "The session before its account")
      try expect(try await store.session("own"), is: session("own", of: "ada"), "The session")
      let elsewhere = try await store.session(
        "elsewhere", in: Scope(project: "check", tenant: "t"))
      try expect(elsewhere, is: nil, "The session of another scope")
      let again = session("own", of: "ada", claims: ["new": true])
      try await store.write { try $0.begin(again, in: Sample.scope) }
      try expect(try await store.session("own"), is: again, "The replaced session")
    },
    StoreCheck("events that are removed are gone from audit and histories, and others stay") {
      store in
      let other = Scope(project: "other", tenant: "t")
      for number in 1...4 {
        try await store.append(Sample.event("\(number)", about: "a", related: ["b", "a"]))
        try await store.append(Sample.event("\(number)", in: other, about: "a"))
      }
      let scopes = try await store.sweep { sweeper -> [Scope] in
        var scopes: [Scope] = []
        while let next = try sweeper.scopes(having: .events, after: scopes.last, limit: 1).first {
          scopes.append(next)
        }
        return scopes
      }
      try expect(scopes, is: [Sample.scope, other], "The list of scopes")

      try await store.sweep { sweeper in
        let page = try sweeper.oldestEvents(after: 0, limit: 3, in: Sample.scope)
        try expect(page.map(\.id), is: ["1", "2", "3"], "The page")
        let next = try sweeper.oldestEvents(
          after: page[0].sequence, limit: 9, in: Sample.scope)
        try expect(next.map(\.id), is: ["2", "3", "4"], "The next page")
        try sweeper.apply(page.dropFirst().map(StoreWrite.removeEvent), in: Sample.scope)
      }

      try await store.read { reader in
        for uid in ["a", "b"] {
          let history = try reader.events(
            about: [AccountID(uid)], before: nil, limit: 9, in: Sample.scope)
          try expect(history.map(\.id), is: ["4", "1"], "The history of \(uid)")
        }
        try expect(try reader.event("2", in: Sample.scope), is: nil, "The event")
        let kept = try reader.events(about: nil, before: nil, limit: 9, in: other)
        try expect(kept.count, is: 4, "The number of events of another scope")
      }
      try await store.append(Sample.event("5", about: "a"))
      let latest = try await store.read {
        try $0.events(about: [AccountID("a")], before: nil, limit: 9, in: Sample.scope)
      }
      try expect(latest.map(\.id), is: ["5", "4", "1"], "The history after the sweep")
    },
    StoreCheck("an event goes into the outbox only if something takes events from there") { store in
      try await store.append(Sample.event("before", about: "a"))
      try await store.write { writer in
        let events = [Sample.event("b1", about: "a"), Sample.event("b2", about: "b")]
        try writer.apply([.append(events)], in: Sample.scope)
      }
      try expect(
        try await store.read { try $0.outbox(after: 0, limit: 9) }, is: [], "The outbox before")
      try await OutboxConsumer.note(store, at: Sample.noon)
      try await store.append(Sample.event("after", about: "a"))
      try await store.write { writer in
        let events = [Sample.event("a1", about: "a"), Sample.event("a2", about: "b")]
        try writer.apply([.append(events)], in: Sample.scope)
      }
      try expect(
        try await store.read { try $0.outbox(after: 0, limit: 9).map(\.id) },
        is: ["after", "a1", "a2"], "The outbox after")
      try expect(
        try await store.read { try $0.events(about: nil, before: nil, limit: 9, in: Sample.scope) }
          .count, is: 6, "The number of events")
    },
    StoreCheck("a sweep that throws removes nothing") { store in
      struct Abandoned: Error {}
      try await store.save(record("a", expiresAt: Sample.noon), in: Sample.scope)
      do {
        try await store.sweep { sweeper in
          try sweeper.removeOneTimeRecord("a", in: Sample.scope)
          throw Abandoned()
        }
        throw CheckFailure("The closure's error was swallowed.")
      } catch is Abandoned {}
      let left = try await store.read { try $0.oneTimeRecord("a", in: Sample.scope) }
      try expect(left?.id, is: "a", "The record")
    },
  ]

  private static func record(_ id: String, expiresAt: Timestamp) -> OneTimeRecord {
    OneTimeRecord(id: id, kind: .code, expiresAt: expiresAt)
  }
}

extension AccountStore {
  /// Removes records as a sweep does, and returns their number.
  fileprivate func removeExpired(by moment: Timestamp, limit: Int) async throws -> Int {
    try await sweep { sweeper in
      let expired = try sweeper.expiredRecords(by: moment, limit: limit)
      for found in expired { try sweeper.removeOneTimeRecord(found.record.id, in: found.scope) }
      return expired.count
    }
  }

  fileprivate func save(_ record: OneTimeRecord, in scope: Scope) async throws {
    try await write { try $0.save(record, in: scope) }
  }
}
