import AuthCore
import LuaRuntime
import SessionTokens
import TerminalOutput
import TestSupport
import Testing

@testable import AdminConsole

/// The scopes that the functions of the console need on a server.
@Suite struct `The scopes of a console on a server` {
  @Test func `every function of the help has a need, and so has every function of a library`()
    async throws
  {
    for topic in HelpTopic.all { #expect(topic.need != nil, "\(topic.name)") }
    try await blocking {
      let home = try ConsoleHome()
      let libraries = [
        "accounts", "audit", "auth", "duplicates", "graph", "hooks", "merge",
        "plugins", "policy", "set", "settings", "tenants", "input",
      ]
      for library in libraries {
        let found = home.admin.candidates("\(library).", library.utf8.count + 1).candidates
        #expect(!found.isEmpty, "\(library)")
        for name in found { #expect(ConsoleNeed.of(name) != nil, "\(name)") }
      }
    }
  }

  @Test func `a function without an entry is refused`() {
    let all = ConsoleRights(Set(AdminScope.allCases))
    #expect(throws: AuthError.self) { try all.check("accounts.wipe") }
    #expect(throws: AuthError.self) { try all.check("account:wipe") }
    #expect(throws: Never.self) { try all.check("hash.sha256") }
    #expect(throws: Never.self) { try all.check("google.com.rekey") }
    #expect(throws: AuthError.self) { try ConsoleRights([.config]).check("google.com.rekey") }
  }

  /// Every function × every scope, by calls from a script.
  @Test func `a token without a scope cannot do what the scope names`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let world = try World(home)
      for topic in HelpTopic.all {
        let need = try #require(topic.need, "\(topic.name)")
        // Methods of objects that are hard to make are asked about by name.
        let call = world.call(of: topic.name)
        func error(_ rights: Set<AdminScope>) -> String? {
          world.session.rights = ConsoleRights(rights)
          if let call { return world.error(call) }
          do throws(AuthError) {
            try ConsoleRights(rights).check(topic.name)
            return nil
          } catch {
            return error.message
          }
        }
        for scope in AdminScope.allCases {
          // With both scopes of the console, only the scope of the thing itself decides.
          let rights: Set<AdminScope> = [scope, .writeConsole]
          let missing = need.scopes.filter { !AdminScope.does(rights, allow: $0) }
          let error = error(rights)
          #expect(
            (error?.contains("needs the scope") ?? false) == !missing.isEmpty,
            "\(topic.name) with \(scope.rawValue): \(error ?? "no error")")
          if let first = missing.first {
            #expect(error?.contains(first.rawValue) == true, "\(topic.name): \(error ?? "")")
          }
        }
        // With all other scopes, only those of the console decide.
        let others = Set(AdminScope.allCases).subtracting([.all, .readConsole, .writeConsole])
        #expect(error(others)?.contains("console:") == true, "\(topic.name)")
        let isWrite = need.scopes.contains(.writeConsole)
        #expect(
          (error(others.union([.readConsole]))?.contains("needs the scope console:write") ?? false)
            == isWrite,
          "\(topic.name)")
      }
    }
  }

  /// Written out, so that a mistake in the table of needs is seen.
  @Test(arguments: [
    ("accounts.get", "accounts:read"), ("accounts.create", "accounts:write"),
    ("account:link", "accounts:write"), ("account:update", "accounts:write"),
    ("account:delete", "accounts:write"), ("account:history", "audit"),
    ("merge.plan", "merge"), ("plan:commit", "merge"), ("merge.undo", "merge"),
    ("account:split", "merge"), ("transfer:commit", "merge"), ("accounts.undo", "merge"),
    ("merge.list", "audit"), ("audit.tail", "audit"), ("why", "audit"),
    ("settings.get", "config"), ("settings.set", "config"), ("policy.use", "config"),
    ("policy.history", "config"), ("policy.diff", "config"), ("policy.rollback", "config"),
    ("policy.promote", "config"),
    ("providers.configure", "config"), ("rekey:commit", "accounts:write"),
    ("auth.signIn", "accounts:write"), ("plugins.list", "plugins"),
  ])
  func `the needs are those of the administration`(_ name: String, _ scope: String) throws {
    let need = try #require(ConsoleNeed.of(name))
    #expect(need.scopes.map(\.rawValue).contains(scope))
    let writes = [
      "create", "link", "update", "delete", "commit", "undo", "set", "use",
      "rollback", "promote", "configure", "signIn",
    ]
    let verb = name.split { ".:".contains($0) }.last.map(String.init) ?? name
    #expect(need.scopes.contains(.writeConsole) == writes.contains(verb), "\(name)")
  }

  @Test func `the configuration of a provider needs the scope config, which its name does not`()
    async throws
  {
    try await blocking {
      let home = try ConsoleHome()
      let world = try World(home)
      world.session.rights = ConsoleRights([.readConsole, .readAccounts])
      #expect(world.error("providers['google.com'].name") == nil)
      #expect(
        world.error("providers['google.com'].configuration")?.contains("config") == true)
    }
  }

  @Test func `help names the scopes, on a server alone`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let (near, far) = (CollectedOutput(), CollectedOutput())
      try home.state(near.output()).enter("help 'accounts.create'", near)
      let console = try RemoteConsole(
        ServedTransport(home).link, output: far.output(), opening: ConsoleOpening())
      console.enter("help 'accounts.create'", far)
      #expect(!near.text.contains("Needs"))
      #expect(far.text.contains("Needs console:write and accounts:write."))
    }
  }

  @Test func `a token that is narrowed is narrowed from the next statement on`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let transport = ServedTransport(home, scopes: [.writeConsole, .writeAccounts])
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      console.enter("accounts.create { uid = 'u1' }", seen)
      transport.allow([.readConsole, .readAccounts])
      #expect(console.enter("accounts.create { uid = 'u2' }", seen).error != nil)
      #expect(console.enter("accounts.get 'u1'", seen).error == nil)
      #expect(console.enter("pcall(accounts.create, { uid = 'u2' })", seen).error == nil)
      #expect(console.enter("assert(accounts.get 'u2' == nil)", seen).error == nil)
    }
  }
}

/// A console with an object of each type that is easy to make, whose rights a test sets.
private final class World {
  let session: ConsoleSession
  private let home: ConsoleHome
  private let admin: AdminState
  private let seen = CollectedOutput()

  init(_ home: ConsoleHome) throws {
    self.home = home
    session = ConsoleSession(
      graph: home.graph, scope: home.scope, actor: "ada", defaultReason: "test",
      output: seen.output())
    session.host = SilentHost()
    session.rights = ConsoleRights([.all, .server])
    admin = try AdminState(session: session)
    for code in [
      "ada = accounts.create { uid = 'u1', email = 'ada@example.com' }",
      "bob = accounts.create { uid = 'u2', email = 'bob@example.com' }",
      "plan = merge.plan(ada, bob)",
    ] {
      let end = admin.run(ConsoleStatement(code, .prompt))
      if let error = end.error { throw Failed(description: "\(code): \(error.line)") }
    }
  }

  /// A call of a topic's function without arguments; nil if it is no function, or one of an object that is not here.
  func call(of topic: String) -> String? {
    if ["account", "account.multiFactor", "event", "resolver.hints"].contains(topic) { return nil }
    if topic == "providers.credential" { return "providers['password'].credential()" }
    if topic == "providers.rekey" { return "providers['google.com'].rekey()" }
    if topic == "providers.rekeys" { return "providers['google.com'].rekeys()" }
    guard let colon = topic.firstIndex(of: ":") else { return "\(topic)()" }
    switch topic[..<colon] {
    // A field of an account is read under its own need.
    case "plan": return "\(topic)()"
    default: return nil
    }
  }

  func error(_ code: String) -> String? {
    admin.run(ConsoleStatement(code, .prompt)).error?.line
  }
}

/// A machine without keyboard and files.
private struct SilentHost: ConsoleHost {
  func contents(of path: String, atMost limit: Int) throws(InputFile.Unreadable) -> [UInt8] {
    throw InputFile.Unreadable(reason: "there are no files")
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(AuthError) {
    throw AuthError(.operationNotAllowed, "there are no files")
  }

  func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {
    throw AuthError(.operationNotAllowed, "there are no files")
  }

  func secret(_ question: String, unless isInterrupted: () -> Bool) throws -> Secret<String> {
    throw AuthError(.operationNotAllowed, "there is no keyboard")
  }

  func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String {
    throw AuthError(.operationNotAllowed, "there is no keyboard")
  }

  func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value { body() }
}
