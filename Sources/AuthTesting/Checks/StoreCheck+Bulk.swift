import AuthCore
import ProviderChecks

extension StoreCheck {
  /// The promises about many accounts that are written together.
  static let bulk = [
    StoreCheck("accounts that are added together are as if added one by one") { store in
      var accounts = try (0..<1200).map { number in
        try Sample.account(
          "a\(number)", email: "a\(number)@example.com", verified: number.isMultiple(of: 2),
          identities: [
            Sample.identity("\(number)"), Sample.identity("\(number)", provider: .apple),
          ])
      }
      accounts.append(try Sample.fullAccount())
      accounts.append(
        try Sample.account(
          "replaced",
          identities: [
            replacing("n0", [replacing("o0", [Sample.identity("q0")])]),
            replacing("n1", [Sample.identity("o1"), Sample.identity("o2")]),
          ]))
      accounts += try Sample.hardTexts.enumerated().map { number, text in
        try Sample.account("hard\(number)\(text)", with: text, subject: "hard\(number)\(text)")
      }
      let added = accounts

      try await store.write { try $0.apply([.insert(added.reversed())], in: Sample.scope) }

      try await store.read { reader in
        let keys = added.flatMap { account -> [AccountKey] in
          [.uid(account.id)] + account.identities.map { .identity($0.key) }
        }
        let snapshot = try reader.snapshot(SnapshotQuery(keys, in: Sample.scope))
        try expect(snapshot.accounts.count, is: added.count, "The number of accounts in a snapshot")
        for account in added {
          try expect(
            try reader.account(account.id, in: Sample.scope), is: account.revised(1),
            "The account")
          for identity in account.identities {
            try expect(
              try reader.owner(of: identity.key, in: Sample.scope), is: account.id, "The owner")
          }
        }
        try expect(
          try reader.accountCount(in: Sample.scope), is: added.count, "The number of accounts")
      }
    },
    StoreCheck("of accounts that are added together, one that is in another's way undoes all") {
      store in
      try await store.insert(
        try Sample.account(
          "known", email: "x@example.com", verified: true, identities: [Sample.identity("1")]))
      let inTheWay: [(what: String, accounts: [Account])] = [
        ("A known uid", [try Sample.account("known")]),
        ("A known identity", [try Sample.account("b", identities: [Sample.identity("1")])]),
        ("A known address", [try Sample.account("b", email: "x@example.com", verified: true)]),
        ("A uid that comes twice", [try Sample.account("b"), try Sample.account("b")]),
        (
          "An identity that comes twice",
          [
            try Sample.account("b", identities: [Sample.identity("2")]),
            try Sample.account("c", identities: [Sample.identity("2")]),
          ]
        ),
        (
          "An identity that replaced a known one",
          [
            try Sample.account(
              "b", identities: [replacing("9", [Sample.identity("1")])])
          ]
        ),
      ]
      for (what, accounts) in inTheWay {
        let refused: Void? = try await conflicting {
          try await store.write { writer in
            let events = [Sample.event("e1", about: "a"), Sample.event("e2", about: "a")]
            try writer.apply(
              [.insert([try Sample.account("a")] + accounts), .append(events)], in: Sample.scope)
          }
        }
        try expect(refused == nil, "\(what) was not refused.")
        try expect(try await store.account("a"), is: nil, "The account before \(what)")
        try expect(try await store.account("b"), is: nil, "The account with \(what)")
        let event = try await store.read { try $0.event("e1", in: Sample.scope) }
        try expect(event, is: nil, "The event after \(what)")
      }
    },
    StoreCheck("keys that are to be unknown are refused if an account has them") { store in
      var known = try Sample.account(
        "known", email: "X@example.com", identities: [Sample.identity("1")])
      known.phoneNumber = try PhoneNumber("+15555550100")
      let account = known
      try await store.insert(account)
      try await store.write {
        try $0.setAlias(AccountID("absorbed"), for: AccountID("survivor"), in: Sample.scope)
      }
      let knownKeys: [AccountKey] = [
        .uid(account.id), .uid(AccountID("absorbed")), .uid(AccountID("survivor")),
        .identity(Sample.key("1")), .email(try EmailAddress("x@Example.com")),
        .phone(try PhoneNumber("+15555550100")),
      ]
      let unknownKeys: [AccountKey] = [
        .uid(AccountID("Known")), .uid(AccountID("a\u{0}\"{,}\\")), .identity(Sample.key("2")),
        .email(try EmailAddress("y@example.com")), .phone(try PhoneNumber("+15555550101")),
      ]
      for key in knownKeys {
        let refused: Void? = try await conflicting {
          try await store.write { writer in
            try writer.apply([.requireUnknown(unknownKeys + [key])], in: Sample.scope)
          }
        }
        try expect(refused == nil, "\(key) was not refused.")
      }

      try await store.write { writer in
        try writer.apply([.requireUnknown(unknownKeys)], in: Sample.scope)
        try writer.apply([.requireUnknown(knownKeys)], in: Scope(project: "other"))
        try writer.apply([.requireUnknown([])], in: Sample.scope)
        try writer.insert(try Sample.account("new"))
      }
      try expect(try await store.account("new")?.revision, is: 1, "The revision")
    },
    StoreCheck("uids that a merge concerned are refused where they are to be new") { store in
      let ids = (0..<300).map { AccountID("new\($0)") }
      // Before the first merge, and after.
      for merged in [nil, ("absorbed", "survivor"), ("a\u{0}\"{,}\\", "")] {
        if let (absorbed, survivor) = merged {
          try await store.write {
            try $0.setAlias(
              AccountID(absorbed), for: AccountID(survivor), in: Sample.scope)
          }
          for id in [absorbed, survivor] {
            let refused: Void? = try await conflicting {
              try await store.write { writer in
                try writer.apply([.requireUnmerged(ids + [AccountID(id)])], in: Sample.scope)
              }
            }
            try expect(refused == nil, "\(id) was not refused.")
          }
        }
        try await store.write { writer in
          try writer.apply([.requireUnmerged(ids + [AccountID("Absorbed")])], in: Sample.scope)
          try writer.apply([.requireUnmerged([AccountID("survivor")])], in: Scope(project: "other"))
          try writer.apply([.requireUnmerged([])], in: Sample.scope)
        }
      }
    },
    StoreCheck("events that are added together come in their order, each once") { store in
      let detailed = AuditEvent(
        id: "3", scope: Sample.scope, at: Sample.noon, actor: "a\\,{b}\"c\u{0}", reason: "NULL",
        action: .importAccount, accountID: AccountID("b\u{0}\""),
        details: ["line": .integer(3), "text": "\u{0}\\ {} \"NULL\""])
      let events = [
        Sample.event("1", about: "a"), Sample.event("2", about: "a"), detailed,
        Sample.event("4", about: "a", related: ["c"]), Sample.event("5"),
      ]
      for part in [Array(events[..<3]), Array(events[3...]), []] {
        try await store.write { writer in
          try writer.apply([.append(part)], in: Sample.scope)
        }
      }

      let stored = try await store.read { reader in
        try reader.events(about: nil, before: nil, limit: 9, in: Sample.scope)
      }
      try expect(stored.map(\.id), is: ["5", "4", "3", "2", "1"], "The order of events")
      try expect(Set(stored.map(\.sequence)).count, is: 5, "The number of sequences")
      try expect(stored[2].actor, is: detailed.actor, "The actor")
      try expect(stored[2].reason, is: detailed.reason, "The reason")
      try expect(stored[2].details, is: detailed.details, "The details")
      let wanted: [(about: String, ids: [String])] = [
        ("a", ["4", "2", "1"]), ("b\u{0}\"", ["3"]), ("c", ["4"]),
      ]
      for (uid, ids) in wanted {
        let found = try await store.read { reader in
          try reader.events(about: [AccountID(uid)], before: nil, limit: 9, in: Sample.scope)
        }
        try expect(found.map(\.id), is: ids, "The history of \(uid)")
      }
      let outbox = try await store.read { try $0.outbox(after: 0, limit: 9) }
      try expect(outbox.map(\.id), is: ["1", "2", "3", "4", "5"], "The outbox")
    },
    StoreCheck("of events that are added together, one whose ID is taken undoes all") { store in
      try await store.append(Sample.event("1"))
      let refused: Void? = try await conflicting {
        try await store.write { writer in
          let events = [Sample.event("0", about: "a"), Sample.event("1", about: "a")]
          try writer.apply(
            [.insert([try Sample.account("a")]), .append(events)], in: Sample.scope)
        }
      }
      try expect(refused == nil, "The second event of an ID was not refused.")
      try expect(try await store.account("a"), is: nil, "The account")
    },
  ]
}
