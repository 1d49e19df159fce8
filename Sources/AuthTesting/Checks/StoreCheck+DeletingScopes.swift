import AuthCore
import ProviderChecks

extension StoreCheck {
  static let deletingScopes = [
    StoreCheck("a scope exists from its first settings on, the defaults too") { store in
      let scope = Scope(project: "p", tenant: "t")
      try await store.insert(try Sample.account("a", in: scope))
      try expect(try await store.exists(scope), is: false, "The existence of the unsaved scope")

      try await store.write { writer in
        try writer.save(ProjectSettings(), for: scope)
        try expect(try writer.exists(scope), is: true, "The scope's existence in the transaction")
      }

      try expect(try await store.exists(scope), is: true, "The scope's existence")
      for other in [Scope(project: "p"), Scope(project: "p", tenant: "T"), Scope(project: "pt")] {
        try expect(try await store.exists(other), is: false, "The existence of \(other)")
      }
    },
    StoreCheck("the tenants of a project come in order, page by page") { store in
      let scopes = [
        Scope(project: "p", tenant: "b"), Scope(project: "p"), Scope(project: "p", tenant: "a"),
        Scope(project: "q", tenant: "x"), Scope(project: "p", tenant: "B"),
        Scope(project: "p", tenant: "b-2"),
      ]
      try await store.write { writer in
        for scope in scopes { try writer.save(ProjectSettings(), for: scope) }
        try writer.insert(try Sample.account("a", in: Scope(project: "p", tenant: "unsaved")))
      }

      try await store.read { reader in
        for (after, limit, wanted) in [
          (nil, 9, ["B", "a", "b", "b-2"]), (nil, 2, ["B", "a"]), ("a", 1, ["b"]),
          ("aa", 9, ["b", "b-2"]), ("b-2", 9, []), (nil, 0, []), (nil, -1, []),
        ] as [(String?, Int, [String])] {
          try expect(
            try reader.tenants(of: "p", after: after, limit: limit), is: wanted,
            "The page after \(after ?? "nothing") of \(limit)")
        }
        try expect(try reader.tenants(of: "q", after: nil, limit: 9), is: ["x"], "The others")
        try expect(try reader.tenants(of: "none", after: nil, limit: 9), is: [], "The tenants")
      }
    },
    StoreCheck("a deleted scope is empty, but for its history") { store in
      let scopes = neighbours
      for scope in scopes { try await store.fill(scope) }

      try await store.write { try $0.apply([.deleteScope], in: scopes[0]) }

      try await store.expectEmpty(scopes[0])
      try await store.read { reader in
        try expect(try reader.exists(scopes[0]), is: false, "The scope's existence")
        try expect(try reader.settings(of: scopes[0]), is: ProjectSettings(), "The settings")
        try expect(try reader.checkpoint("import", in: scopes[0]), is: nil, "The checkpoint")
        try expect(try reader.oneTimeRecord("code", in: scopes[0]), is: nil, "The code")
        try expect(try reader.event("e", in: scopes[0]) != nil, "The history is gone.")
        try expect(
          try reader.outbox(after: 0, limit: 9).count, is: scopes.count, "The number of events")
      }
      for scope in scopes.dropFirst() { try await store.expectFull(scope) }
    },
    StoreCheck("deleting all accounts leaves settings, checkpoints, open codes and history") {
      store in
      let scopes = neighbours
      for scope in scopes { try await store.fill(scope) }

      try await store.write { try $0.apply([.deleteAccounts], in: scopes[0]) }

      try await store.expectEmpty(scopes[0])
      try await store.read { reader in
        try expect(try reader.exists(scopes[0]), is: true, "The scope's existence")
        try expect(try reader.settings(of: scopes[0]).recentLoginSeconds, is: 7, "The setting")
        try expect(try reader.checkpoint("import", in: scopes[0]), is: "1", "The checkpoint")
        try expect(try reader.oneTimeRecord("code", in: scopes[0]) != nil, "The code is gone.")
        try expect(try reader.event("e", in: scopes[0]) != nil, "The history is gone.")
      }
      for scope in scopes.dropFirst() { try await store.expectFull(scope) }
    },
    StoreCheck("a record deleted with its scope can be made again") { store in
      let scope = neighbours[0]
      for round in 1...2 {
        if round == 2 {
          try await store.write { writer in
            try writer.apply([.deleteAccounts], in: scope)
            try writer.apply([.deleteScope], in: scope)
            try expect(try writer.accountCount(in: scope), is: 0, "The count")
            try expect(
              try writer.settings(of: scope), is: ProjectSettings(), "The settings at once")
          }
        }
        try await store.fill(scope, event: "e\(round)")
      }

      try await store.expectFull(scope)
    },
    StoreCheck("an empty scope can be deleted") { store in
      try await store.write { writer in
        try writer.apply([.deleteAccounts], in: Sample.scope)
        try writer.apply([.deleteScope], in: Sample.scope)
      }

      try expect(try await store.exists(Sample.scope), is: false, "The scope's existence")
    },
  ]

  private static let neighbours = [
    Scope(project: "p"), Scope(project: "p", tenant: "t"), Scope(project: "P"),
    Scope(project: "pt"),
  ]
}

extension AccountStore {
  fileprivate func exists(_ scope: Scope) async throws -> Bool {
    try await read { try $0.exists(scope) }
  }

  /// Adds a row of every kind to a scope.
  fileprivate func fill(_ scope: Scope, event: String = "e") async throws {
    try await write { writer in
      var settings = ProjectSettings()
      settings.recentLoginSeconds = 7
      try writer.save(settings, for: scope)
      try writer.insert(
        try Sample.account(
          "a", in: scope, email: "ada@example.com", verified: true,
          identities: [Sample.identity("1")]))
      try writer.setAlias(AccountID("b"), for: AccountID("a"), in: scope)
      try writer.save(try Sample.merge("m", keep: "a", absorb: "b", in: scope))
      try writer.save(StoreCheck.session("s", of: "a"), in: scope)
      try writer.saveCheckpoint("import", "1", in: scope)
      try writer.save(
        OneTimeRecord(id: "code", kind: .code, account: AccountID("a"), expiresAt: Sample.noon),
        in: scope)
      try writer.append(Sample.event(event, in: scope, about: "a"))
    }
  }

  fileprivate func expectEmpty(_ scope: Scope) async throws {
    try await read { reader in
      try expect(try reader.accountCount(in: scope), is: 0, "The count of \(scope)")
      try expect(try reader.owner(of: Sample.key("1"), in: scope), is: nil, "The owner")
      try expect(
        try reader.accountIDs(withEmail: "ada@example.com", in: scope), is: [], "The accounts")
      try expect(try reader.survivor(of: AccountID("b"), in: scope), is: nil, "The survivor")
      try expect(try reader.aliases(of: AccountID("a"), in: scope), is: [], "The aliases")
      try expect(try reader.merge("m", in: scope), is: nil, "The merge")
      try expect(
        try reader.merges(involving: nil, before: nil, limit: 9, in: scope), is: [], "The merges")
      try expect(try reader.session("s", in: scope), is: nil, "The session")
    }
  }

  fileprivate func expectFull(_ scope: Scope) async throws {
    try await read { reader in
      let ada = AccountID("a")
      try expect(try reader.exists(scope), is: true, "The existence of \(scope)")
      try expect(try reader.accountCount(in: scope), is: 1, "The count of \(scope)")
      try expect(try reader.owner(of: Sample.key("1"), in: scope), is: ada, "The owner")
      try expect(try reader.survivor(of: AccountID("b"), in: scope), is: ada, "The survivor")
      try expect(try reader.merge("m", in: scope)?.scope, is: scope, "The merge's scope")
      try expect(try reader.session("s", in: scope)?.account, is: ada, "The session's account")
      try expect(try reader.checkpoint("import", in: scope), is: "1", "The checkpoint")
      try expect(
        try reader.oneTimeRecord("code", in: scope)?.account, is: ada, "The code's account")
    }
  }
}
