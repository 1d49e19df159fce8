import AuthCore
import ProviderChecks

extension StoreCheck {
  /// The promises about conflicts, which undo the whole transaction.
  static let conflicts = [
    StoreCheck("a conflict undoes the whole transaction") { store in
      let owner = try Sample.account(
        "a", email: "x@example.com", verified: true, identities: [Sample.identity("1")])
      try await store.insert(owner, try Sample.account("b", identities: [Sample.identity("2")]))
      let stale = try Sample.account("b")
      let inTheWay: [(what: String, write: @Sendable (any AccountWriter) throws -> Void)] = [
        ("A taken uid", { try $0.insert(try Sample.account("a")) }),
        (
          "A taken identity",
          { try $0.insert(try Sample.account("c", identities: [Sample.identity("1")])) }
        ),
        (
          "A taken address",
          { try $0.insert(try Sample.account("c", email: "x@example.com", verified: true)) }
        ),
        ("A stale account", { try $0.update(stale, replacing: stale) }),
        (
          "A taken uid, before something is read",
          { writer in
            try writer.insert(try Sample.account("a"))
            _ = try writer.account(AccountID("b"), in: Sample.scope)
          }
        ),
        (
          "An identity that is taken meanwhile",
          { writer in
            guard let old = try writer.account(AccountID("b"), in: Sample.scope) else {
              throw CheckFailure("The account is gone.")
            }
            var new = old
            new.identities.append(Sample.identity("1"))
            try writer.update(new, replacing: old)
          }
        ),
      ]

      for (what, write) in inTheWay {
        let refused: Void? = try await conflicting {
          try await store.write { writer in
            try writer.insert(try Sample.account("new", identities: [Sample.identity("3")]))
            try write(writer)
            try writer.append(Sample.event("e", about: "new"))
          }
        }
        try expect(refused == nil, "\(what) was not refused.")
        try expect(try await store.account("new"), is: nil, "The account written before \(what)")
        try expect(
          try await store.existing("b").identities.count, is: 1,
          "The number of identities after \(what)")
        let event = try await store.read { try $0.event("e", in: Sample.scope) }
        try expect(event, is: nil, "The event after \(what)")
      }
    },
    StoreCheck("a transaction reads what it wrote") { store in
      let old = try Sample.account("a", identities: [Sample.identity("1")])
      try await store.insert(old, try Sample.account("b", identities: [Sample.identity("2")]))

      try await store.write { writer in
        guard let a = try writer.account(AccountID("a"), in: Sample.scope),
          let b = try writer.account(AccountID("b"), in: Sample.scope)
        else { throw CheckFailure("The accounts are gone.") }
        // The change that frees a key comes before the one that takes it.
        try writer.delete(b)
        var new = a
        new.identities.append(Sample.identity("2"))
        try writer.update(new, replacing: a)
        try expect(
          try writer.owner(of: Sample.key("2"), in: Sample.scope), is: AccountID("a"), "The owner")
        try writer.insert(try Sample.account("c"))
        try writer.append(Sample.event("e", about: "a"))
      }

      try expect(try await store.existing("a").identities.count, is: 2, "The identities")
      try expect(try await store.existing("a").revision, is: 2, "The revision")
      try expect(try await store.account("b"), is: nil, "The deleted account")
      try expect(try await store.existing("c").revision, is: 1, "The revision of the new account")
      let event = try await store.read { try $0.event("e", in: Sample.scope) }
      try expect(event != nil, "The event is not there.")
    },
    StoreCheck("of many that change one account at once, each change is kept or refused") { store in
      try await store.insert(try Sample.account("a"))
      try await withThrowingTaskGroup { group in
        for number in 0..<20 {
          group.addTask {
            _ = try await conflicting {
              try await store.write { writer in
                guard let old = try writer.account(AccountID("a"), in: Sample.scope) else {
                  throw CheckFailure("The account is gone.")
                }
                var new = old
                new.identities.append(Sample.identity("\(number)"))
                try writer.update(new, replacing: old)
                try writer.append(Sample.event("e\(number)", about: "a"))
              }
            }
          }
        }
        try await group.waitForAll()
      }

      let account = try await store.existing("a")
      let events = try await store.read { try $0.outbox(after: 0, limit: 100) }
      try expect(account.identities.count, is: events.count, "The number of identities")
      try expect(account.revision, is: Int64(events.count + 1), "The revision")
      try expect(!events.isEmpty, "Nothing was written.")
    },
  ]

  /// Returns the result of a write; nil if it is refused with a conflict.
  static func conflicting<Value>(
    _ write: () async throws -> Value
  ) async throws -> Value? {
    do {
      return try await write()
    } catch is UniqueKeyConflict {
      return nil
    }
  }
}
