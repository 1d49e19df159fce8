import AuthCore
import AuthTesting
import SessionTokens
import Testing

@Suite struct AdminTokensTests {
  private func tokens(_ home: TokenHome) -> AdminTokens {
    AdminTokens(store: home.store, clock: { home.clock.now })
  }

  @Test(arguments: StoreKind.allCases)
  func `a token is checked by name and scopes, in its project`(kind: StoreKind) async throws {
    let home = TokenHome(store: try kind.open())
    let tokens = tokens(home)
    let token = try await tokens.new(
      name: "backup job", scopes: [.readAccounts, .audit], by: home.admin
    ).reveal()

    let identity = try #require(try await tokens.check(token, project: TokenHome.project))

    #expect(token.hasPrefix("agadm_") && token.count == 49)
    #expect(identity.name == "backup job")
    #expect(identity.scopes == [.readAccounts, .audit])
    #expect(identity.allows(.audit) && !identity.allows(.writeAccounts))
    #expect(try await tokens.check(token, project: "other") == nil)
    #expect(try await tokens.check(token + "A", project: TokenHome.project) == nil)
    #expect(try await tokens.check(String(token.dropLast()), project: TokenHome.project) == nil)
    #expect(try await tokens.check("", project: TokenHome.project) == nil)
    #expect(try await tokens.check("agadm_", project: TokenHome.project) == nil)
    let scope = home.scope
    let stored = try await home.store.read { try $0.checkpoint("admin-tokens", in: scope) }
    #expect(try #require(stored).contains("backup job"))
    #expect(try !#require(stored).contains(token.dropFirst(6)))
  }

  @Test(arguments: StoreKind.allCases)
  func `a revoked token is useless at once, and elsewhere in ten seconds`(
    kind: StoreKind
  ) async throws {
    let home = TokenHome(store: try kind.open())
    let (here, there) = (tokens(home), tokens(home))
    let token = try await here.new(name: "ci", scopes: [.all], by: home.admin).reveal()
    let other = try await here.new(name: "ops", scopes: [.keys], by: home.admin).reveal()
    #expect(try await there.check(token, project: TokenHome.project)?.name == "ci")

    try await here.revoke(name: "ci", by: home.admin)

    #expect(try await here.check(token, project: TokenHome.project) == nil)
    home.clock.advance(seconds: 10)
    #expect(try await there.check(token, project: TokenHome.project) == nil)
    #expect(try await there.check(other, project: TokenHome.project)?.name == "ops")
    #expect(try await here.list(project: TokenHome.project).map(\.name) == ["ops"])
    await expect(.invalidArgument) { try await here.revoke(name: "ci", by: home.admin) }
  }

  @Test func `a new token works at other servers after a second`() async throws {
    let home = TokenHome()
    let (here, there) = (tokens(home), tokens(home))
    let first = try await here.new(name: "one", scopes: [.all], by: home.admin).reveal()
    #expect(try await there.check(first, project: TokenHome.project) != nil)
    let second = try await here.new(name: "two", scopes: [.all], by: home.admin).reveal()
    home.clock.advance(seconds: 1)
    #expect(try await there.check(second, project: TokenHome.project)?.name == "two")
  }

  @Test func `guessing does not read the store each time`() async throws {
    let store = CountingStore(MemoryStore())
    let home = TokenHome(store: store)
    let tokens = tokens(home)
    _ = try await tokens.new(name: "one", scopes: [.all], by: home.admin)
    let before = store.reads
    for number in 0..<50 {
      #expect(try await tokens.check("agadm_\(number)", project: TokenHome.project) == nil)
    }
    #expect(store.reads == before + 1)
  }

  @Test func `a token expires`() async throws {
    let home = TokenHome()
    let tokens = tokens(home)
    let end = home.clock.now.adding(seconds: 60)
    let token = try await tokens.new(
      name: "visit", scopes: [.merge], expiresAt: end, by: home.admin
    ).reveal()
    #expect(try await tokens.check(token, project: TokenHome.project) != nil)
    home.clock.set(end)
    #expect(try await tokens.check(token, project: TokenHome.project) == nil)
    #expect(try await tokens.list(project: TokenHome.project).map(\.expiresAt) == [end])
    // The name of an expired token is free again.
    _ = try await tokens.new(name: "visit", scopes: [.merge], by: home.admin)
    #expect(try await tokens.list(project: TokenHome.project).count == 1)
  }

  @Test func `a text that cannot be a token is refused`() async throws {
    let home = TokenHome()
    let tokens = tokens(home)
    _ = try await tokens.new(name: "taken", scopes: [.all], by: home.admin)
    let past = home.clock.now
    for (name, scopes, end): (String, Set<AdminScope>, Timestamp?) in [
      ("taken", [.all], nil), ("", [.all], nil), ("a\nb", [.all], nil), ("new", [], nil),
      (String(repeating: "a", count: 65), [.all], nil), ("new", [.all], past),
    ] {
      await expect(.invalidArgument) {
        try await tokens.new(name: name, scopes: scopes, expiresAt: end, by: home.admin)
      }
    }
    for authority in [
      Caller.Authority.anyone,
      .session(AccountID("ada"), signedInAt: home.clock.now, secondFactor: true),
    ] {
      let caller = Caller(scope: home.scope, authority: authority)
      await expect(.operationNotAllowed) {
        try await tokens.new(name: "new", scopes: [.all], by: caller)
      }
      await expect(.operationNotAllowed) { try await tokens.revoke(name: "taken", by: caller) }
    }
    #expect(try await tokens.list(project: TokenHome.project).map(\.name) == ["taken"])
  }

  @Test func `a rehearsal changes nothing`() async throws {
    let home = TokenHome()
    let tokens = tokens(home)
    _ = try await tokens.new(name: "ci", scopes: [.all], by: home.admin)
    var caller = home.admin
    caller.dryRun = true
    await expect(.operationNotAllowed) {
      try await tokens.new(name: "new", scopes: [.all], by: caller)
    }
    try await tokens.revoke(name: "ci", by: caller)
    #expect(try await tokens.list(project: TokenHome.project).map(\.name) == ["ci"])
  }

  @Test func `the audit keeps the admin who made and revoked a token, and not the token`()
    async throws
  {
    let home = TokenHome()
    let tokens = tokens(home)
    let token = try await tokens.new(
      name: "ci", scopes: [.writeAccounts, .config], by: home.admin
    ).reveal()
    try await tokens.revoke(name: "ci", by: home.admin)

    let scope = home.scope
    let events = try await home.store.read {
      try $0.events(about: nil, before: nil, limit: 10, in: scope)
    }

    #expect(events.map(\.action) == [.revokeAdminToken, .createAdminToken])
    #expect(events.allSatisfy { $0.actor == "admin:ada" && $0.details["name"] == "ci" })
    #expect(events.last?.details["scopes"] == ["accounts:write", "config"])
    #expect(!events.contains { $0.details.text.contains(token.dropFirst(6)) })
  }

  @Test func `the right to write includes reading, and all is all but the whole server`() {
    #expect(AdminScope.does([.writeAccounts], allow: .readAccounts))
    #expect(!AdminScope.does([.readAccounts], allow: .writeAccounts))
    #expect(AdminScope.does([.writeConsole], allow: .readConsole))
    #expect(!AdminScope.does([.readConsole], allow: .writeConsole))
    #expect(!AdminScope.does([.writeConsole], allow: .writeAccounts))
    #expect(!AdminScope.does([], allow: .audit))
    for scope in AdminScope.allCases {
      #expect(AdminScope.does([.all], allow: scope) == (scope != .server))
      #expect(AdminScope.does([.server], allow: scope) == (scope == .server))
      #expect(scope == .all || !AdminScope.does([scope], allow: .all))
    }
    #expect(
      AdminScope.allCases.map(\.rawValue) == [
        "accounts:read", "accounts:write", "config", "secrets", "merge", "audit", "plugins",
        "keys", "console:read", "console:write", "all", "server",
      ])
  }
}
