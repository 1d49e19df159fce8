import AuthCore
import ProviderChecks

extension StoreCheck {
  static let decisions = [
    StoreCheck("a decision of a policy comes back as it was, in its scope alone") { store in
      let decision = try Sample.decision("1", .failure("it's \"odd\" \\ 中文"))
      let merge = PolicyJudgement.Ruling.answer(
        .merge(
          into: AccountID("b"), from: AccountID("a"),
          MergeRules(
            fields: [.displayName: .newest, .customClaims: .value(["role": "admin"])],
            droppedIdentities: [Sample.key("1")])))
      let other = try Sample.decision("2", merge)

      try await store.write { writer in
        try writer.save(decision)
        try writer.save(other)
      }

      try await store.read { reader in
        try expect(try reader.decision("1", in: Sample.scope), is: decision, "The decision")
        try expect(try reader.decision("2", in: Sample.scope), is: other, "The merge")
        try expect(try reader.decision("3", in: Sample.scope), is: nil, "The unknown decision")
        try expect(try reader.decision("1", in: elsewhere), is: nil, "The decision elsewhere")
      }
    },
    StoreCheck("decisions of policies come newest first, page by page") { store in
      try await store.write { writer in
        for id in ["3", "1", "4", "2"] { try writer.save(try Sample.decision(id)) }
        try writer.save(try Sample.decision("5", in: elsewhere))
      }

      try await store.read { reader in
        for (before, limit, wanted) in [
          (nil, 9, ["4", "3", "2", "1"]), (nil, 2, ["4", "3"]), ("3", 9, ["2", "1"]),
          ("3", 1, ["2"]), ("1", 9, []), ("35", 9, ["3", "2", "1"]), (nil, 0, []), (nil, -1, []),
        ] as [(String?, Int, [String])] {
          let page = try reader.decisions(before: before, limit: limit, in: Sample.scope)
          try expect(
            page.map(\.id), is: wanted, "The page before \(before ?? "nothing") of \(limit)")
        }
        let oldest = try reader.oldestDecisions(limit: 2, in: Sample.scope)
        try expect(oldest.map(\.id), is: ["1", "2"], "The oldest decisions")
        try expect(
          try reader.scopes(having: .decisions), is: [Sample.scope, elsewhere], "The scopes")
      }
    },
    StoreCheck("a decision of a policy that is removed is gone, and others stay") { store in
      try await store.write { writer in
        for scope in [Sample.scope, elsewhere] {
          for id in ["1", "2"] { try writer.save(try Sample.decision(id, in: scope)) }
        }
      }

      try await store.sweep { sweeper in
        let oldest = try sweeper.oldestDecisions(limit: 1, in: Sample.scope)
        try sweeper.apply(oldest.map { .removeDecision($0.id) }, in: Sample.scope)
        try sweeper.apply([.removeDecision("unknown")], in: Sample.scope)
      }

      try await store.read { reader in
        let left = try reader.decisions(before: nil, limit: 9, in: Sample.scope)
        try expect(left.map(\.id), is: ["2"], "The decisions that are left")
        let others = try reader.decisions(before: nil, limit: 9, in: elsewhere)
        try expect(others.map(\.id), is: ["2", "1"], "The decisions of another scope")
      }
    },
    StoreCheck("a change that is rolled back leaves no decision of a policy") { store in
      struct Abandoned: Error {}
      do {
        try await store.write { writer in
          try writer.save(try Sample.decision("1"))
          try expect(
            try writer.decision("1", in: Sample.scope) != nil, "The change does not see its own.")
          throw Abandoned()
        }
        throw CheckFailure("The closure's error was swallowed.")
      } catch is Abandoned {}
      try await store.transact(.change) { writer in
        try writer.save(try Sample.decision("2"))
        return .takeBack(())
      }

      try await store.read { reader in
        try expect(
          try reader.decisions(before: nil, limit: 9, in: Sample.scope), is: [], "The decisions")
        try expect(try reader.scopes(having: .decisions), is: [], "The scopes")
      }
    },
    StoreCheck("decisions of policies stay when their accounts and their scope are deleted") {
      store in
      try await store.write { try $0.save(try Sample.decision("1")) }

      try await store.write { try $0.apply([.deleteAccounts, .deleteScope], in: Sample.scope) }

      try await store.read { reader in
        try expect(try reader.decision("1", in: Sample.scope) != nil, "The decision is gone.")
      }
    },
  ]

  private static let elsewhere = Scope(project: "check", tenant: "t")
}

extension Sample {
  /// Returns a decision about two accounts.
  fileprivate static func decision(
    _ id: String, _ ruling: PolicyJudgement.Ruling = .answer(.refuse("no")),
    in scope: Scope = scope
  ) throws -> PolicyDecision {
    var current = try fullAccount("a", in: scope)
    current.identities.append(identity("1"))
    let conflict = MergeConflict(
      code: .emailAlreadyInUse, current: current,
      existing: try account("b", in: scope, email: "ada@example.com", verified: true),
      provider: .google, proof: MergeProof(current: true, existing: false), decidedAt: noon)
    let judged = JudgedConflict(
      conflict,
      [
        PolicyJudgement(
          policy: "keep oldest", version: PolicyVersionID(number: 3, digest: "0a1b"),
          ruling: ruling),
        PolicyJudgement(policy: "other", role: .shadow, ruling: .answer(.review("later"))),
      ])
    return PolicyDecision(masking: judged, id: id, scope: scope, at: noon)
  }
}
