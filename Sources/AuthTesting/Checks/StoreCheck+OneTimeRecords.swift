import AuthCore
import ProviderChecks

/// An error that a check's closure throws on purpose.
private struct Abandoned: Error {}

extension StoreCheck {
  static let oneTimeRecords = [
    StoreCheck("a one-time record is kept with everything in it") { store in
      let kinds: [OneTimeRecord.Kind] = [
        .code, .authorization, .pending, .enrollment, .used, .attempts, .deletion,
      ]
      let records = kinds.enumerated().map { number, kind in
        OneTimeRecord(
          id: "record \(number)", kind: kind,
          account: number.isMultiple(of: 2) ? AccountID("a\(number)") : nil,
          expiresAt: Timestamp(milliseconds: Int64(number) - 2), attempts: number * 1000,
          content: "content \(number)")
      }
      try await store.save(records)

      for record in records {
        try expect(try await store.oneTimeRecord(record.id), is: record, "The record")
      }
      try expect(try await store.oneTimeRecord("record"), is: nil, "A record that was never kept")
    },
    StoreCheck("texts of one-time records come back byte for byte") { store in
      let records = Sample.hardTexts.map { text in
        OneTimeRecord(
          id: "id \(text)", kind: .code, account: AccountID(text), expiresAt: Sample.noon,
          content: text)
      }
      try await store.save(records)

      for record in records {
        let kept = try await store.oneTimeRecord(record.id)
        for (text, wanted) in [
          (kept?.id, record.id), (kept?.account?.rawValue, record.account?.rawValue ?? ""),
          (kept?.content, record.content),
        ] {
          try expect(text.map { Array($0.utf8) }, is: Array(wanted.utf8), "The text")
        }
      }
    },
    StoreCheck("a deleted account comes back exactly, and stays when its sessions end") { store in
      let account = try Sample.fullAccount().revised(12)
      let deletion = KeptDeletion(
        event: "d'1", at: Sample.noon, actor: "admin:Zoë", reason: "because\u{0}of 👍",
        account: account, absorbed: [AccountID("old"), AccountID("older")],
        until: Sample.noon.adding(seconds: 86_400))
      try await store.save(deletion.records)
      try await store.write { writer in
        try writer.apply([.removeRecords(of: account.id)], in: Sample.scope)
      }

      for uid in [account.id, AccountID("old"), AccountID("older")] {
        let found = try await store.read { try $0.deletion(keeping: uid, in: Sample.scope) }
        try expect(found, is: deletion, "The deletion that keeps \(uid)")
      }
      let other = try await store.read {
        try $0.deletion(keeping: account.id, in: Scope(project: "another project"))
      }
      try expect(other, is: nil, "The deletion in another project")
      var query = SnapshotQuery(in: Sample.scope)
      query.newUIDs = [AccountID("old"), AccountID("nobody")]
      let seen = query
      let snapshot = try await store.read { try $0.snapshot(seen) }
      try expect(snapshot.deletions, is: [AccountID("old"): deletion], "The deletions")
      try await store.write { try $0.apply([.deleteScope], in: Sample.scope) }
      let gone = try await store.read { try $0.deletion(keeping: account.id, in: Sample.scope) }
      try expect(gone, is: nil, "The deletion in a deleted scope")
    },
    StoreCheck("a one-time record that is saved again is replaced as a whole") { store in
      try await store.save([record("a", account: "ada", content: "first")])
      var counted = record("a", account: "ada", content: "first")
      counted.attempts = 3
      try await store.save([counted])
      try expect(try await store.oneTimeRecord("a"), is: counted, "The counted record")

      let other = OneTimeRecord(
        id: "a", kind: .used, expiresAt: Sample.noon.adding(seconds: 9), content: "second")
      try await store.save([other])

      try expect(try await store.oneTimeRecord("a"), is: other, "The replaced record")
      try await store.write { writer in
        try writer.apply([.removeRecords(of: AccountID("ada"))], in: Sample.scope)
      }
      try expect(
        try await store.oneTimeRecord("a"), is: other, "The record that is no longer Ada's")
    },
    StoreCheck("a one-time record that is removed is gone, and the others stay") { store in
      try await store.save([record("a"), record("b")])

      try await store.write { writer in
        try writer.removeOneTimeRecord("a", in: Sample.scope)
        try writer.removeOneTimeRecord("never there", in: Sample.scope)
        try expect(
          try writer.oneTimeRecord("a", in: Sample.scope), is: nil, "The record, to its remover")
      }

      try expect(try await store.oneTimeRecord("a"), is: nil, "The removed record")
      try expect(try await store.oneTimeRecord("b"), is: record("b"), "The other record")
    },
    StoreCheck("the one-time records of an account go together, and no others") { store in
      let staying = [
        record("no account's"), record("Ada's", account: "Ada"), record("adam's", account: "adam"),
        record("composed", account: "\u{E9}"),
      ]
      try await store.save(
        [record("1", account: "ada"), record("2", account: "ada")] + staying
          + [record("decomposed", account: "e\u{301}")])

      try await store.write { writer in
        for account in ["ada", "e\u{301}", "unknown"] {
          try writer.apply([.removeRecords(of: AccountID(account))], in: Sample.scope)
        }
      }

      for gone in ["1", "2", "decomposed"] {
        try expect(try await store.oneTimeRecord(gone), is: nil, "The record \(gone)")
      }
      for record in staying {
        try expect(try await store.oneTimeRecord(record.id), is: record, "The record \(record.id)")
      }
    },
    StoreCheck("a one-time record whose time is over is there until it is removed") { store in
      let old = record("old", expiresAt: Timestamp(milliseconds: 1))
      try await store.save([old])

      try expect(try await store.oneTimeRecord("old"), is: old, "The old record")
    },
    StoreCheck("one-time records of other projects and tenants never meet") { store in
      let scopes = [
        Scope(project: "p"), Scope(project: "p", tenant: "t"), Scope(project: "p/t"),
        Scope(project: "P"), Scope(project: "", tenant: "p"), Scope(project: "p\u{0}", tenant: "t"),
      ]
      let kept = { (scope: Scope) in
        record("a", account: "ada", content: "of \(scope)", expiresAt: Sample.noon)
      }
      for scope in scopes { try await store.save([kept(scope)], in: scope) }

      for (number, scope) in scopes.enumerated() {
        try await store.write { writer in
          if number.isMultiple(of: 2) {
            try writer.removeOneTimeRecord("a", in: scope)
          } else {
            try writer.apply([.removeRecords(of: AccountID("ada"))], in: scope)
          }
        }
        for (other, scope) in scopes.enumerated() {
          try expect(
            try await store.oneTimeRecord("a", in: scope), is: other <= number ? nil : kept(scope),
            "The record of \(scope)")
        }
      }
    },
    StoreCheck("a closure that throws leaves one-time records as they were") { store in
      let (kept, ada) = (record("kept"), record("Ada's", account: "ada"))
      try await store.save([kept, ada])
      do {
        try await store.write { writer in
          try writer.save(record("new"), in: Sample.scope)
          try writer.save(record("kept", content: "changed"), in: Sample.scope)
          try writer.apply([.removeRecords(of: AccountID("ada"))], in: Sample.scope)
          throw Abandoned()
        }
        throw CheckFailure("The closure's error was swallowed.")
      } catch is Abandoned {}

      try expect(try await store.oneTimeRecord("new"), is: nil, "The new record")
      try expect(try await store.oneTimeRecord("kept"), is: kept, "The changed record")
      try expect(try await store.oneTimeRecord("Ada's"), is: ada, "The removed record")
    },
    StoreCheck("one-time records of a kind come in order of ID, page by page") { store in
      let records = ["c", "a", "b", "B"].map { record($0, content: "of \($0)") }
      let old = record("d", expiresAt: Timestamp(milliseconds: 1))
      let other = OneTimeRecord(id: "aa", kind: .pending, expiresAt: Sample.noon)
      try await store.save(records + [old, other])
      try await store.save([record("else")], in: Scope(project: "else"))

      try await store.read { reader in
        for (after, limit, wanted) in [
          (nil, 9, ["B", "a", "b", "c", "d"]), (nil, 2, ["B", "a"]), ("a", 2, ["b", "c"]),
          ("bb", 9, ["c", "d"]), ("d", 9, []), (nil, 0, []), (nil, -1, []),
        ] as [(String?, Int, [String])] {
          let page = try reader.oneTimeRecords(
            .code, after: after, limit: limit, in: Sample.scope)
          try expect(page.map(\.id), is: wanted, "The page")
        }
        let all = try reader.oneTimeRecords(.code, after: nil, limit: 9, in: Sample.scope)
        try expect(all[1], is: records[1], "The record")
        try expect(
          try reader.oneTimeRecords(.pending, after: nil, limit: 9, in: Sample.scope),
          is: [other], "The list of another kind")
      }
    },
    StoreCheck("of many that use one thing at once, one does") { store in
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<32 {
          group.addTask {
            try await store.write { writer in
              guard try writer.oneTimeRecord("used:x", in: Sample.scope) == nil else {
                return false
              }
              let mark = OneTimeRecord(id: "used:x", kind: .used, expiresAt: Sample.noon)
              try writer.save(mark, in: Sample.scope)
              return true
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      try expect(winners, is: 1, "The number of winners")
    },
  ]

  private static func record(
    _ id: String, account: String? = nil, content: String = "",
    expiresAt: Timestamp = Sample.noon.adding(seconds: 300)
  ) -> OneTimeRecord {
    OneTimeRecord(
      id: id, kind: .code, account: account.map { AccountID($0) }, expiresAt: expiresAt,
      content: content)
  }
}

extension AccountStore {
  fileprivate func save(_ records: [OneTimeRecord], in scope: Scope = Sample.scope) async throws {
    try await write { writer in
      for record in records { try writer.save(record, in: scope) }
    }
  }

  fileprivate func oneTimeRecord(
    _ id: String, in scope: Scope = Sample.scope
  ) async throws -> OneTimeRecord? {
    try await read { try $0.oneTimeRecord(id, in: scope) }
  }
}
