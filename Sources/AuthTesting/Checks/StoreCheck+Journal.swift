import AuthCore
import ProviderChecks

extension StoreCheck {
  static let journal = [
    StoreCheck("a merge comes back with both accounts exactly as they were") { store in
      let full = try Sample.fullAccount().revised(12)
      let record = MergeRecord(
        id: "m'1", scope: Sample.scope, at: Sample.noon, actor: "policy Zoë", reason: nil,
        survivorBefore: try Sample.account("a").revised(3), absorbedBefore: full,
        survivorAfter: try Sample.account("a", identities: full.identities), batch: "b'1")

      try await store.write { try $0.save(record) }

      let stored = try await store.read { try $0.merge("m'1", in: Sample.scope) }
      try expect(stored, is: record, "The merge")
    },
    StoreCheck("merges are listed newest first, for those who took part") { store in
      try await fillWithMerges(store)

      try await expectMerges(store, of: nil, ["3", "2", "1"])
      try await expectMerges(store, of: "a", ["3", "1"])
      try await expectMerges(store, of: "b", ["1"])
      try await expectMerges(store, of: "c", ["3", "2"])
      try await expectMerges(store, of: "unknown", [])
      try await expectMerges(store, of: nil, limit: 2, ["3", "2"])
      try await expectMerges(store, of: nil, before: "3", limit: 1, ["2"])
      try await expectMerges(store, of: nil, before: "2", ["1"])
      try await expectMerges(store, of: nil, before: "1", [])
      try await expectMerges(store, of: "a", before: "3", ["1"])
      try await expectMerges(store, of: "a", before: "2", ["1"])
      try await expectMerges(store, of: "c", before: "unknown", ["3", "2"])
    },
    StoreCheck("a merge that is undone keeps its place") { store in
      try await fillWithMerges(store)
      var second = try Sample.merge("2", keep: "c", absorb: "d")
      second.undoneBy = "undo"
      let undone = second

      try await store.write { try $0.save(undone) }

      try expect(
        try await store.read { try $0.merge("2", in: Sample.scope) }, is: undone, "The merge")
      try await expectMerges(store, of: nil, ["3", "2", "1"])
    },
    StoreCheck("merges end with an account, and go when their time is over") { store in
      try await fillWithMerges(store)
      let (first, second) = (Sample.noon, Sample.noon.adding(seconds: 1))
      try expect(try await store.read { try $0.scopes(having: .endedMerges) }, is: [], "The scopes")

      try await store.write { writer in
        try writer.apply([.endMerges(of: AccountID("b"), at: first)], in: Sample.scope)
        try writer.apply([.endMerges(of: AccountID("a"), at: second)], in: Sample.scope)
      }

      // Merge "1" absorbed b into a, and ended when the first of the two was deleted.
      for (id, end) in [("1", first), ("2", nil), ("3", second)] {
        let merge = try await store.read { try $0.merge(id, in: Sample.scope) }
        try expect(merge?.endedAt, is: end, "The end of \(id)")
      }
      try expect(
        try await store.read { try $0.scopes(having: .endedMerges) }, is: [Sample.scope],
        "The scopes")
      try await store.write { try $0.apply([.removeMerges(endedBefore: first)], in: Sample.scope) }
      try await expectMerges(store, of: nil, ["3", "2"])
      try await expectMerges(store, of: "b", [])
      try await store.write { writer in
        try writer.apply(
          [.removeMerges(endedBefore: second)], in: Scope(project: "another project"))
        try writer.apply([.endMerges(of: AccountID("d"), at: nil)], in: Sample.scope)
      }
      try await expectMerges(store, of: nil, ["3"])
      let again = try await store.read { try $0.merge("3", in: Sample.scope) }
      guard var revived = again else { throw CheckFailure("The merge 3 is gone.") }
      revived.endedAt = nil
      let open = revived
      try await store.write { writer in
        try writer.save(open)
        try writer.apply([.removeMerges(endedBefore: second)], in: Sample.scope)
      }
      let kept = try await store.read { try $0.merge("3", in: Sample.scope) }
      try expect(kept, is: open, "The merge")
    },
    StoreCheck("an alias names one survivor, one step at a time") { store in
      try await store.write { writer in
        try writer.setAlias(AccountID("z"), for: AccountID("b"), in: Sample.scope)
        try writer.setAlias(AccountID("y"), for: AccountID("b"), in: Sample.scope)
        try writer.setAlias(AccountID("b"), for: AccountID("a"), in: Sample.scope)
      }

      try await store.read { reader in
        let scope = Sample.scope
        try expect(
          try reader.survivor(of: AccountID("z"), in: scope), is: AccountID("b"), "The survivor")
        try expect(
          try reader.survivor(of: AccountID("b"), in: scope), is: AccountID("a"), "The survivor")
        try expect(
          try reader.aliases(of: AccountID("b"), in: scope), is: ["y", "z"].map { AccountID($0) },
          "The list of aliases")
        try expect(
          try reader.aliases(of: AccountID("a"), in: scope), is: [AccountID("b")],
          "The list of aliases")
      }
    },
    StoreCheck("a chain of aliases leads to the account that is left") { store in
      try await store.insert(try Sample.account("a"))
      try await store.write { writer in
        try writer.setAlias(AccountID("c"), for: AccountID("b"), in: Sample.scope)
        try writer.setAlias(AccountID("b"), for: AccountID("a"), in: Sample.scope)
      }

      let found = try await store.read { try $0.resolve(AccountID("c"), in: Sample.scope) }
      try expect(found, is: AccountID("a"), "The account")
    },
    StoreCheck("an alias can be turned and taken away") { store in
      try await store.write { writer in
        try writer.setAlias(AccountID("x"), for: AccountID("a"), in: Sample.scope)
        try writer.setAlias(AccountID("x"), for: AccountID("b"), in: Sample.scope)
        try writer.setAlias(AccountID("y"), for: AccountID("b"), in: Sample.scope)
        try writer.apply([.setAlias(AccountID("y"), for: nil)], in: Sample.scope)
      }

      try await store.read { reader in
        let scope = Sample.scope
        try expect(
          try reader.survivor(of: AccountID("x"), in: scope), is: AccountID("b"), "The survivor")
        try expect(try reader.survivor(of: AccountID("y"), in: scope), is: nil, "The survivor")
        try expect(try reader.aliases(of: AccountID("a"), in: scope), is: [], "The aliases")
      }
    },
    StoreCheck("a checkpoint is kept, replaced and forgotten") { store in
      for value in ["1", "", "two\u{0}'", nil, nil] {
        try await store.write { writer in
          try writer.saveCheckpoint("import 'a'", value, in: Sample.scope)
          try writer.saveCheckpoint("other", "stays", in: Sample.scope)
        }

        try await store.read { reader in
          try expect(
            try reader.checkpoint("import 'a'", in: Sample.scope), is: value, "The checkpoint")
          try expect(
            try reader.checkpoint("other", in: Sample.scope), is: "stays", "The other checkpoint")
        }
      }
    },
  ]

  private static func fillWithMerges(_ store: any AccountStore) async throws {
    try await store.write { try $0.save(try Sample.merge("1", keep: "a", absorb: "b")) }
    try await store.write { writer in
      try writer.save(try Sample.merge("2", keep: "c", absorb: "d"))
      try writer.save(try Sample.merge("3", keep: "c", absorb: "a"))
    }
  }

  private static func expectMerges(
    _ store: any AccountStore, of uid: String?, before: String? = nil, limit: Int = 9,
    _ wanted: [String]
  ) async throws {
    let found = try await store.read {
      try $0.merges(
        involving: uid.map { AccountID($0) }, before: before, limit: limit, in: Sample.scope)
    }
    try expect(found.map(\.id), is: wanted, "The list of merges of \(uid ?? "all accounts")")
  }
}
