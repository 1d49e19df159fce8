import AuthCore
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import AdminConsole

/// A link that breaks while a statement is sent, runs or is answered.
@Suite struct `A link that breaks` {
  private static let create = "print(accounts.create { uid = 'u1' }.uid) print('done')"

  @Test func `before a statement arrives leaves it unrun, and it never runs later`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let transport = ServedTransport(home)
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      transport.lose { operation, _ in operation == "evaluate" ? .request : nil }
      let end = console.enter(Self.create, seen)
      #expect(end.error?.message.contains("was not run") == true, "\(seen.text)")
      transport.lose { _, _ in nil }
      #expect(try count(home) == 0)
      // The next statement works.
      #expect(console.enter(Self.create, seen).error == nil)
      #expect(try count(home) == 1)
      console.close()
    }
  }

  @Test(arguments: ["evaluate", "output"])
  func `after a statement arrived loses nothing of its answer`(_ operation: String) async throws {
    try await blocking {
      let home = try ConsoleHome()
      let transport = ServedTransport(home)
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      transport.lose { $0 == operation && $1 < 3 ? .answer : nil }
      let end = console.enter(
        "for i = 1, 5 do print(i, accounts.create { uid = 'u' .. i }.uid) end", seen)
      #expect(end.error == nil)
      for index in 1...5 { #expect(seen.text.contains("\(index)\tu\(index)\n")) }
      #expect(transport.sent.count { $0 == "evaluate" } == 1)
      #expect(try count(home) == 5)
      console.close()
    }
  }

  @Test func `and a server that ended make the outcome unknown, and the remedy finds it`()
    async throws
  {
    try await blocking {
      let home = try ConsoleHome()
      let transport = ServedTransport(home)
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      console.enter("x = 1", seen)
      transport.lose { operation, count in
        guard operation == "evaluate", count == 1 else { return nil }
        return .answer
      }
      let restart = Task.detached {
        while transport.sent.count(where: { $0 == "evaluate" }) < 2 {
          try await Task.sleep(for: .milliseconds(1))
        }
        try await Task.sleep(for: .milliseconds(100))
        transport.restart()
      }
      let end = console.enter(Self.create, seen)
      restart.cancel()
      // Either the rest of the output came before the server ended, or the outcome is unknown.
      if let error = end.error {
        #expect(error.code == "unsure-commit")
        #expect(error.remedy?.contains("audit.find { request = \"console-") == true)
        #expect(seen.text.contains("its variables are gone"))
      }
      #expect(transport.sent.count { $0 == "evaluate" } == 2)
      #expect(try count(home) == 1)
    }
  }

  @Test func `for good makes the outcome unknown`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let transport = ServedTransport(home)
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      transport.lose { _, _ in .answer }
      let end = console.enter(Self.create, seen)
      #expect(end.error?.code == "unsure-commit")
      #expect(end.mayHoldSecret)
      #expect(try count(home) == 1)
    }
  }

  @Test func `at the prompt is noticed, and the statement is not run without its variables`()
    async throws
  {
    try await blocking {
      let home = try ConsoleHome()
      let transport = ServedTransport(home)
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening())
      console.enter("x = 1", seen)
      transport.restart()
      let end = console.enter("accounts.create { uid = 'u1' }", seen)
      #expect(end.error?.message.contains("was not run") == true)
      #expect(seen.text.contains("its variables are gone"))
      #expect(try count(home) == 0)
      #expect(console.enter("accounts.create { uid = 'u1' }", seen).error == nil)
      #expect(try count(home) == 1)
      console.close()
    }
  }

  private func count(_ home: ConsoleHome) throws -> Int {
    let (graph, scope) = (home.graph, home.scope)
    return try waiting { try await graph.accountCount(in: scope) }
  }
}
