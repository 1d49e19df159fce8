import AuthCore
import ProviderChecks

extension StoreCheck {
  static let scopes = [
    StoreCheck("accounts of other projects and tenants never meet") { store in
      let scopes = separateScopes
      for scope in scopes {
        try await store.insert(
          try Sample.account(
            "a", in: scope, email: "ada@example.com", verified: true,
            identities: [Sample.identity("1")]))
      }

      for scope in scopes {
        try await store.change("a", in: scope) { $0.displayName = $0.scope.description }
      }

      try await store.read { reader in
        for scope in scopes {
          let found = try reader.accounts(
            matching: AccountFilter(), after: nil, limit: 10, in: scope)
          try expect(found.map(\.scope), is: [scope], "The list of scopes")
          try expect(found.map(\.displayName), is: [scope.description], "The list of names")
          try expect(try reader.accountCount(in: scope), is: 1, "The count")
          try expect(
            try reader.accountIDs(withEmail: "ada@example.com", in: scope), is: [AccountID("a")],
            "The list by address")
        }
      }
    },
    StoreCheck("deleting an account leaves the same uid of another scope alone") { store in
      let scopes = separateScopes
      for scope in scopes {
        try await store.insert(
          try Sample.account("a", in: scope, identities: [Sample.identity("1")]))
      }

      let first = try await store.existing("a", in: scopes[0])
      try await store.write { try $0.delete(first) }

      try await store.read { reader in
        let owners = try scopes.map { try reader.owner(of: Sample.key("1"), in: $0) }
        try expect(
          owners, is: [nil] + Array(repeating: AccountID("a"), count: scopes.count - 1), "The list")
      }
    },
    StoreCheck("aliases, settings, checkpoints, events and merges stay in their scope") { store in
      let scopes = separateScopes
      let first = scopes[0]
      try await store.write { writer in
        try writer.setAlias(AccountID("b"), for: AccountID("a"), in: first)
        try writer.saveCheckpoint("import", "7", in: first)
        try writer.append(Sample.event("e", in: first, about: "a"))
        try writer.save(try Sample.merge("m", keep: "a", absorb: "b", in: first))
        var settings = ProjectSettings()
        settings.recentLoginSeconds = 1
        try writer.save(settings, for: first)
      }

      try await store.read { reader in
        for other in scopes.dropFirst() {
          try expect(try reader.survivor(of: AccountID("b"), in: other), is: nil, "The survivor")
          try expect(try reader.aliases(of: AccountID("a"), in: other), is: [], "The aliases")
          try expect(try reader.checkpoint("import", in: other), is: nil, "The checkpoint")
          try expect(try reader.event("e", in: other), is: nil, "The event")
          try expect(
            try reader.events(about: [AccountID("a")], before: nil, limit: 9, in: other), is: [],
            "The history")
          try expect(
            try reader.events(about: nil, before: nil, limit: 9, in: other), is: [], "The events")
          try expect(try reader.merge("m", in: other), is: nil, "The merge")
          try expect(
            try reader.merges(involving: nil, before: nil, limit: 9, in: other), is: [],
            "The merges")
          try expect(try reader.settings(of: other), is: ProjectSettings(), "The settings")
        }
      }
    },
    StoreCheck("scopes that may keep something sealed are listed, each once") { store in
      let scopes = separateScopes
      try await store.write { writer in
        try writer.save(ProjectSettings(), for: scopes[0])
        try writer.saveCheckpoint("import", "7", in: scopes[0])
        try writer.saveCheckpoint("import", "7", in: scopes[1])
        try writer.save(
          OneTimeRecord(id: "r", kind: .code, expiresAt: Timestamp(milliseconds: 1)), in: scopes[2])
        try writer.save(try Sample.merge("m", keep: "a", absorb: "b", in: scopes[3]))
        var guarded = try Sample.account("a", in: scopes[4])
        guarded.secondFactors = [SecondFactor(id: "f", kind: .totp)]
        try writer.insert(guarded)
        try writer.insert(try Sample.account("a", in: scopes[5]))
      }

      // The values that servers share have a scope of their own.
      let listed = try await store.read { try $0.scopes(having: .secrets) }.filter {
        $0 != .servers
      }

      try expect(Set(listed), is: Set(scopes.prefix(5)), "The scopes")
      try expect(listed.count, is: 5, "The number of scopes")
    },
  ]

  /// Scopes whose names would collide if they were concatenated.
  private static let separateScopes = [
    Scope(project: "p"), Scope(project: "p", tenant: "t"), Scope(project: "p/t"),
    Scope(project: "pt"), Scope(project: "P"), Scope(project: "p", tenant: "T"),
    Scope(project: "", tenant: "p"), Scope(project: "p\u{0}", tenant: "t"),
  ]
}
