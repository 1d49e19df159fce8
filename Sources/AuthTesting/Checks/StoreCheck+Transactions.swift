import AuthCore
import ProviderChecks

/// An error that a check's closure throws on purpose.
private struct Abandoned: Error {}

extension StoreCheck {
  static let transactions = [
    StoreCheck("a closure that throws leaves nothing of anything it wrote") { store in
      try await store.insert(try Sample.account("a", identities: [Sample.identity("1")]))
      let old = try await store.existing("a")
      do {
        try await store.write { writer in
          try writer.insert(try Sample.account("b", email: "b@example.com", verified: true))
          var changed = old
          changed.displayName = "Changed"
          changed.identities = [Sample.identity("2")]
          try writer.update(changed, replacing: old)
          try writer.setAlias(AccountID("x"), for: AccountID("a"), in: Sample.scope)
          try writer.append(Sample.event("e", about: "a"))
          try writer.save(try Sample.merge("m", keep: "a", absorb: "x"))
          try writer.saveCheckpoint("c", "1", in: Sample.scope)
          var settings = ProjectSettings()
          settings.identitiesPerProvider = .many
          try writer.save(settings, for: Sample.scope)
          throw Abandoned()
        }
        throw CheckFailure("The closure's error was swallowed.")
      } catch is Abandoned {}

      try await store.read { reader in
        let scope = Sample.scope
        try expect(try reader.account(AccountID("a"), in: scope), is: old, "The account")
        try expect(try reader.account(AccountID("b"), in: scope), is: nil, "The new account")
        try expect(try reader.owner(of: Sample.key("2"), in: scope), is: nil, "The owner")
        try expect(try reader.survivor(of: AccountID("x"), in: scope), is: nil, "The alias")
        try expect(try reader.event("e", in: scope), is: nil, "The event")
        try expect(try reader.outbox(after: 0, limit: 9), is: [], "The outbox")
        try expect(try reader.merge("m", in: scope), is: nil, "The merge")
        try expect(try reader.checkpoint("c", in: scope), is: nil, "The checkpoint")
        try expect(try reader.settings(of: scope), is: ProjectSettings(), "The settings")
      }
    },
    StoreCheck("a closure sees what it wrote itself") { store in
      try await store.write { writer in
        try writer.insert(try Sample.account("a", identities: [Sample.identity("1")]))
        let owner = try writer.owner(of: Sample.key("1"), in: Sample.scope)
        try expect(owner, is: AccountID("a"), "The owner")
        guard let account = try writer.account(AccountID("a"), in: Sample.scope) else {
          throw CheckFailure("The account is not there yet.")
        }
        try writer.delete(account)
        try expect(try writer.accountCount(in: Sample.scope), is: 0, "The count")
      }
    },
    StoreCheck("a value that a closure gives comes back") { store in
      let written = try await store.write { _ in "written" }
      let read = try await store.read { _ in 42 }

      try expect(written, is: "written", "The value of a write")
      try expect(read, is: 42, "The value of a read")
    },
    StoreCheck("a transaction that is taken back gives its result and leaves nothing") { store in
      for purpose in [TransactionPurpose.change, .sweep] {
        let count = try await store.transact(purpose) { writer in
          try writer.insert(try Sample.account("a", identities: [Sample.identity("1")]))
          try writer.append(Sample.event("e", about: "a"))
          return .takeBack(try writer.accountCount(in: Sample.scope))
        }
        let nothing = try await store.transact(purpose) { _ in .takeBack("nothing written") }

        try expect(count, is: 1, "The result")
        try expect(nothing, is: "nothing written", "The result of nothing")
        try expect(try await store.account("a"), is: nil, "The account")
        let event = try await store.read { try $0.event("e", in: Sample.scope) }
        try expect(event, is: nil, "The event")
      }
      try await store.insert(try Sample.account("a", identities: [Sample.identity("1")]))
    },
    StoreCheck("a conflict is found before the transaction is rolled back") { store in
      try await store.insert(try Sample.account("a", identities: [Sample.identity("1")]))
      let given = try await conflicting {
        try await store.transact(.change) { writer in
          try writer.insert(try Sample.account("b", identities: [Sample.identity("1")]))
          return .takeBack(true)
        }
      }
      try expect(given, is: nil, "The result")
    },
    StoreCheck("a use that a snapshot says is new is recorded once, or not at all") { store in
      let use = OneTimeUse("code", expiresAt: Sample.noon)
      let query = SnapshotQuery(uses: [use], in: Sample.scope)
      let won = try await winners(of: 20) { _ in
        let isFirst = try await store.transact(.change) { writer in
          let isNew = try writer.snapshot(query).used.isEmpty
          if isNew { try writer.apply([.use(use)], in: Sample.scope) }
          return .commit(isNew)
        }
        if !isFirst { throw UniqueKeyConflict(key: "used") }
      }
      try expect(won.count, is: 1, "The number of first uses")

      let (used, kept) = try await store.transact(.change) { writer in
        let used = try writer.snapshot(query).used
        return .commit((used, try writer.oneTimeRecord(use.recordID, in: Sample.scope)))
      }
      try expect(used, is: ["code"], "The used codes")
      try expect(kept, is: use.record, "The record")
    },
    StoreCheck("the next read sees a committed write") { store in
      try await store.insert(try Sample.account("a"))
      for number in 1...50 {
        try await store.change("a") { $0.displayName = "\(number)" }
        try expect(try await store.account("a")?.displayName, is: "\(number)", "The name")
      }
    },
    StoreCheck("readers never see half a transaction") { store in
      try await store.insert(try Sample.account("a"), try Sample.account("b"))
      try await withThrowingTaskGroup { group in
        group.addTask {
          for number in 1...40 {
            try await store.write { writer in
              for id in [AccountID("a"), AccountID("b")] {
                guard let old = try writer.account(id, in: Sample.scope) else { continue }
                var new = old
                new.displayName = "\(number)"
                try writer.update(new, replacing: old)
              }
            }
          }
        }
        for _ in 0..<3 {
          group.addTask {
            for _ in 0..<60 {
              let names = try await store.read { reader in
                try ["a", "b"].map {
                  try reader.account(AccountID($0), in: Sample.scope)?.displayName
                }
              }
              try expect(names[0], is: names[1], "The second name")
            }
          }
        }
        try await group.waitForAll()
      }
    },
    StoreCheck("writers never run at the same time: no increment is lost") { store in
      try await withThrowingTaskGroup { group in
        for _ in 0..<40 {
          group.addTask {
            for _ in 0..<5 {
              try await store.write { writer in
                let count = try writer.checkpoint("count", in: Sample.scope).flatMap { Int($0) }
                try writer.saveCheckpoint("count", "\((count ?? 0) + 1)", in: Sample.scope)
              }
            }
          }
        }
        try await group.waitForAll()
      }

      let count = try await store.read { try $0.checkpoint("count", in: Sample.scope) }
      try expect(count, is: "200", "The count")
    },
    StoreCheck("of many updates computed from one revision, one wins") { store in
      try await store.insert(try Sample.account("a"))
      let old = try await store.existing("a")

      let won = try await winners(of: 20) { number in
        try await store.write { writer in
          var new = old
          new.displayName = "Writer \(number)"
          try writer.update(new, replacing: old)
        }
      }

      try expect(won.count, is: 1, "The number of winners")
      let name = try await store.account("a")?.displayName
      try expect(name, is: won.first.map { "Writer \($0)" }, "The name")
    },
    StoreCheck("of many accounts that claim one identity at once, one gets it") { store in
      let won = try await winners(of: 20) { number in
        try await store.insert(
          try Sample.account("a\(number)", identities: [Sample.identity("1")]))
      }

      try expect(won.count, is: 1, "The number of winners")
      try expect(
        try await store.read { try $0.accountCount(in: Sample.scope) }, is: 1, "The count")
    },
    StoreCheck("of many accounts that verify one address at once, one gets it") { store in
      let won = try await winners(of: 20) { number in
        try await store.insert(
          try Sample.account("a\(number)", email: "ada@example.com", verified: true))
      }

      try expect(won.count, is: 1, "The number of winners")
    },
    StoreCheck("a write that fails takes none of those beside it along") { store in
      let won = try await winners(of: 60) { number in
        try await store.write { writer in
          try writer.insert(try Sample.account("a\(number)"))
          try writer.append(Sample.event("e\(number)", about: "a\(number)"))
          if number.isMultiple(of: 3) { throw UniqueKeyConflict(key: "on purpose") }
        }
      }

      try expect(won.count, is: 40, "The number of winners")
      let stored = try await store.read { reader in
        try reader.accounts(matching: AccountFilter(), after: nil, limit: 100, in: Sample.scope)
      }
      try expect(Set(stored.map(\.id.rawValue)), is: Set(won.map { "a\($0)" }), "The set of uids")
      let events = try await store.read { try $0.outbox(after: 0, limit: 100) }
      try expect(Set(events.map(\.id)), is: Set(won.map { "e\($0)" }), "The set of events")
    },
    StoreCheck("a cancelled task leaves all of its transaction or nothing") { store in
      await withTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            try? await store.write { writer in
              for part in 0..<3 { try writer.insert(try Sample.account("a\(number).\(part)")) }
            }
          }
          if number.isMultiple(of: 10) { group.cancelAll() }
        }
      }

      let stored = try await store.read { reader in
        try reader.accounts(matching: AccountFilter(), after: nil, limit: 200, in: Sample.scope)
      }
      let parts = Dictionary(grouping: stored) { $0.id.rawValue.split(separator: ".").first }
      try expect(parts.values.allSatisfy { $0.count == 3 }, "A transaction was written in part.")
    },
    StoreCheck("a write of a task that was cancelled before is not done") { store in
      let isCancelled = await withTaskGroup(of: Bool.self) { group in
        group.cancelAll()
        group.addTask {
          do {
            try await store.insert(try Sample.account("a"))
            return false
          } catch {
            return error is CancellationError
          }
        }
        return await group.next() ?? false
      }

      try expect(isCancelled, "The write did not throw CancellationError.")
      try expect(try await store.account("a"), is: nil, "The account")
    },
  ]

  /// Runs writes concurrently and returns those that were not refused with a conflict, in order.
  private static func winners(
    of count: Int, _ write: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<count {
        group.addTask {
          do {
            try await write(number)
            return number
          } catch is UniqueKeyConflict {
            return nil
          }
        }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }.sorted()
    }
  }
}
