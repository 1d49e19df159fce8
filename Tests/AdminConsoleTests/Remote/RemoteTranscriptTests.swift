import AuthCore
import TerminalOutput
import TestSupport
import Testing

@testable import AdminConsole

/// A console on a server shows what a console on the store shows.
@Suite struct `A console on a server` {
  /// An input of every kind: accounts, tables, plans, errors, prints, strings, help and unfinished work.
  private static let inputs = [
    "1 + 1",
    "'text', nil, { 1, 2 }",
    "print('hello', 42)",
    "string.char(0xFF, 0x41)",
    "accounts.count()",
    "ada = accounts.create { uid = 'u1', email = 'ada@example.com', displayName = 'Ada' }",
    "bob = accounts.create { uid = 'u2', email = 'bob@example.com', displayName = 'Bob' }",
    "ada",
    "accounts.find { displayName = 'Bob' }",
    "accounts.find { disabled = false }",
    "merge.plan(ada, bob)",
    "r = ada:update { displayName = '\\27[31mred' }",
    "ada.displayName",
    "graph.tree 'u1'",
    "providers.list()[1]",
    "settings.get().identitiesPerProvider",
    "acounts.get 'x'",
    "accounts.get(nil)",
    "lastError.code",
    "error { code = 'own', message = 'mine', remedy = 'none' }",
    "for",
    "bob:disable({ reason = 'abuse', dryRun = true }).dryRun",
    "bob:disable({ reason = 'abuse' }).action",
    "bob",
    "audit.tail(1)[1].action",
    "audit.tail(1)[1].actor",
    "log.info 'noted'",
    "_",
  ]

  @Test(arguments: [false, true])
  func `shows the same as one on the store`(_ isJSON: Bool) async throws {
    try await blocking {
      let (near, far) = (try ConsoleHome(), try ConsoleHome())
      defer { withExtendedLifetime(near) {} }
      let (seenNear, seenFar) = (CollectedOutput(), CollectedOutput())
      let local = try near.state(seenNear.output(isJSON: isJSON))
      let remote = try RemoteConsole(
        ServedTransport(far).link, output: seenFar.output(isJSON: isJSON), opening: ConsoleOpening()
      )
      for input in Self.inputs {
        let ends = (local.enter(input, seenNear), remote.enter(input, seenFar))
        #expect(seenNear.taken() == seenFar.taken(), "\(input)")
        #expect(ends.0.mayHoldSecret == ends.1.mayHoldSecret, "\(input)")
        #expect(ends.0.isInterrupted == ends.1.isInterrupted, "\(input)")
      }
      for line in ["acc", "accounts.", "providers[\"pass", "print(ad"] {
        let (one, other) = (
          local.candidates(line, line.utf8.count), remote.candidates(line, line.utf8.count)
        )
        #expect(one.start == other.start, "\(line)")
        #expect(one.candidates == other.candidates, "\(line)")
      }
      for code in ["if true then", "x = {", "x = 1", "'unfinished"] {
        #expect(local.isIncomplete(code) == remote.isIncomplete(code), "\(code)")
      }
      remote.close()
    }
  }

  @Test func `keeps variables between statements, and ends by exit`() async throws {
    try await blocking {
      let transport = ServedTransport(try ConsoleHome())
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      console.enter("x = 41", seen)
      console.enter("x + 1", seen)
      #expect(seen.text == "42\n")
      #expect(console.enter("exit(3)", seen).exit == ScriptExit(status: 3))
      console.close()
      #expect(transport.sessions == 0)
    }
  }

  @Test func `sends output that is larger than a page whole and in order`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let seen = CollectedOutput(profile: TerminalProfile(isTerminal: false))
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening())
      console.enter("for i = 1, 40000 do print(i, ('é'):rep(50)) end", seen)
      let lines = seen.taken().split(separator: "\n")
      #expect(lines.count == 40_000)
      #expect(lines.last == "40000\t\(String(repeating: "é", count: 50))")
      console.enter("('é'):rep(2000000)", seen)
      #expect(seen.taken() == String(repeating: "é", count: 2_000_000) + "\n")
    }
  }

  @Test func `names the token's admin, the client and the statement in events`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home, name: "support").link, output: seen.output(),
        opening: ConsoleOpening())
      console.enter("accounts.create { uid = 'u1' }", seen)
      let (graph, scope) = (home.graph, home.scope)
      let events = try waiting { try await graph.events(limit: 1, in: scope) }
      let event = try #require(events.first)
      #expect(event.actor == "admin:support")
      #expect(event.reason == "console")
      #expect(event.requestID?.hasPrefix("console-") == true)
      #expect(event.requestID?.hasSuffix("-1") == true)
      #expect(event.details["client"]?["address"] == "192.0.2.7")
    }
  }
}

extension ConsoleHome {
  /// A console on the store itself.
  func state(_ output: ConsoleOutput) throws -> AdminState {
    try AdminState(
      session: ConsoleSession(
        graph: graph, scope: scope, actor: "ada", defaultReason: "test", output: output))
  }
}
