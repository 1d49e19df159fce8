import AuthCore
import Foundation
import LuaRuntime
import NIOConcurrencyHelpers
import SessionTokens
import TestSupport
import Testing

@testable import AdminConsole

/// The sessions of a server: their bounds, and what one can do to another.
@Suite struct `The consoles of a server` {
  private static let admin = ConsoleAdmin(
    name: "ada", scopes: [.all, .server], scope: Scope(project: "default"),
    client: ClientDescription(address: "192.0.2.7"))

  /// Limits that a test reaches in a moment.
  private static var narrow: ServedConsoles.Limits {
    var limits = ServedConsoles.Limits()
    limits.statement = LuaLimits(
      instructions: 2_000_000_000, cpuTime: .seconds(1), memory: 16 << 20, deadline: .seconds(30))
    limits.wait = .milliseconds(200)
    return limits
  }

  private func open(
    _ consoles: ServedConsoles, _ graph: AccountGraph, by admin: ConsoleAdmin = Self.admin
  ) async throws -> String {
    let outcome = try await consoles.answer(.open, of: nil, [:], by: admin, on: graph)
    guard case .done(let answer) = outcome else { throw Failed(description: "not opened") }
    return try #require(answer["id"]?.stringValue)
  }

  /// Runs a statement to its end, and returns its pieces and its end.
  private func run(
    _ code: String, _ number: Int = 1, in id: String, of consoles: ServedConsoles,
    on graph: AccountGraph
  ) async throws -> (pieces: [JSONValue], end: JSONValue) {
    let statement: JSONValue = .integer(Int64(number))
    var outcome = try await consoles.answer(
      .evaluate, of: id, ["statement": statement, "code": .string(code)], by: Self.admin,
      on: graph)
    var pieces: [JSONValue] = []
    while case .done(let page) = outcome {
      if case .array(let more)? = page["pieces"] { pieces += more }
      if let end = page["end"] { return (pieces, end) }
      outcome = try await consoles.answer(
        .output, of: id, ["statement": statement, "next": page["next"] ?? 0], by: Self.admin,
        on: graph)
    }
    throw Failed(description: "no end of \(code)")
  }

  @Test(arguments: [
    ("while true do end", "time"),
    ("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end", "memory"),
    ("pcall(function() while true do end end) while true do pcall(error) end", "time"),
  ])
  func `a hostile script is stopped, and others notice nothing`(
    _ code: String, _ reason: String
  ) async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    let consoles = ServedConsoles(limits: Self.narrow)
    let (hostile, other) = (
      try await open(consoles, graph), try await open(consoles, graph)
    )
    async let stopped = run(code, in: hostile, of: consoles, on: graph)
    for number in 1...5 {
      let (pieces, end) = try await run("1 + 1", number, in: other, of: consoles, on: graph)
      #expect(pieces.count == 1)
      #expect(end["error"] == nil)
    }
    let error = try #require(try await stopped.end["error"])
    #expect(error["code"] == .string(reason), "\(error.text)")
    // The session itself goes on.
    let (_, end) = try await run("1 + 1", 2, in: hostile, of: consoles, on: graph)
    #expect(end["error"] == nil)
  }

  @Test func `a flood of output waits for its reader, and ends by an interrupt`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    var limits = Self.narrow
    limits.statement.cpuTime = .seconds(60)
    let consoles = ServedConsoles(limits: limits)
    let id = try await open(consoles, graph)
    let first = try await consoles.answer(
      .evaluate, of: id,
      ["statement": 1, "code": "while true do print(('x'):rep(1000)) end"], by: Self.admin,
      on: graph)
    guard case .done(let page) = first else { throw Failed(description: "not begun") }
    try await Task.sleep(for: .seconds(1))
    // What is kept is a page and what was begun.
    let next = try await consoles.answer(
      .output, of: id, ["statement": 1, "next": page["next"] ?? 0], by: Self.admin,
      on: graph)
    guard case .done(let second) = next, case .array(let pieces)? = second["pieces"] else {
      throw Failed(description: "no output")
    }
    #expect(pieces.reduce(0) { $0 + $1.text.utf8.count } < 4 << 20)
    _ = try await consoles.answer(.interrupt, of: id, [:], by: Self.admin, on: graph)
    var (from, end) = (second["next"] ?? 0, second["end"])
    while end == nil {
      let outcome = try await consoles.answer(
        .output, of: id, ["statement": 1, "next": from], by: Self.admin, on: graph)
      guard case .done(let page) = outcome else { throw Failed(description: "no page") }
      (from, end) = (page["next"] ?? 0, page["end"])
    }
    #expect(end?["isInterrupted"] == true)
  }

  @Test func `fifty sessions work at once, and one more of the token is refused`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    let consoles = ServedConsoles(limits: Self.narrow)
    var ids: [String] = []
    for _ in 0..<50 { ids.append(try await open(consoles, graph)) }
    #expect(consoles.count == 50)
    await #expect(throws: AuthError.self) { _ = try await open(consoles, graph) }
    // Another token still has room.
    let other = ConsoleAdmin(
      name: "bob", scopes: [.readConsole], scope: Scope(project: "default"),
      client: ClientDescription())
    _ = try await open(consoles, graph, by: other)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, id) in ids.enumerated() {
        group.addTask {
          let (pieces, end) = try await run(
            "mine = \(index) accounts.create { uid = 'u' .. mine } print(mine)", in: id,
            of: consoles,
            on: graph)
          #expect(end["error"] == nil, "\(end.text)")
          #expect(pieces.first?["string"] == .string("\(index)"))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await graph.accountCount(in: Self.admin.scope) == 50)
    for id in ids {
      _ = try await consoles.answer(.close, of: id, [:], by: Self.admin, on: graph)
    }
    #expect(consoles.count == 1)
  }

  @Test func `a session is that of its token, project and tenant alone`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    let consoles = ServedConsoles()
    let id = try await open(consoles, graph)
    let others = [
      ConsoleAdmin(
        name: "eve", scopes: [.all, .server], scope: Self.admin.scope,
        client: ClientDescription()),
      ConsoleAdmin(
        name: "ada", scopes: [.all, .server], scope: Scope(project: "other"),
        client: ClientDescription()),
      ConsoleAdmin(
        name: "ada", scopes: [.all], scope: Scope(project: "default", tenant: "t"),
        client: ClientDescription()),
    ]
    for other in others {
      let outcome = try await consoles.answer(
        .evaluate, of: id, ["statement": 1, "code": "1"], by: other, on: graph)
      guard case .gone = outcome else { throw Failed(description: "\(outcome)") }
    }
  }

  @Test func `a number runs once, and not at all after it was asked about`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    let consoles = ServedConsoles(limits: Self.narrow)
    let id = try await open(consoles, graph)
    let create = "accounts.create { uid = 'u1' }"
    _ = try await run(create, 1, in: id, of: consoles, on: graph)
    await #expect(throws: AuthError.self) {
      _ = try await run("accounts.create { uid = 'u2' }", 1, in: id, of: consoles, on: graph)
    }
    let asked = try await consoles.answer(
      .output, of: id, ["statement": 2], by: Self.admin, on: graph)
    guard case .neverBegun = asked else { throw Failed(description: "\(asked)") }
    await #expect(throws: AuthError.self) {
      _ = try await run("accounts.create { uid = 'u3' }", 2, in: id, of: consoles, on: graph)
    }
    #expect(try await graph.accountCount(in: Self.admin.scope) == 1)
    let (_, end) = try await run("accounts.count()", 3, in: id, of: consoles, on: graph)
    #expect(end["error"] == nil)
  }

  @Test func `sessions that are not used are closed, and all of them at the end`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    var limits = Self.narrow
    limits.idle = .milliseconds(100)
    let consoles = ServedConsoles(limits: limits)
    let id = try await open(consoles, graph)
    try await Task.sleep(for: .milliseconds(300))
    // Opening another one looks for those that are not used.
    let second = try await open(consoles, graph)
    let outcome = try await consoles.answer(
      .evaluate, of: id, ["statement": 1, "code": "1"], by: Self.admin, on: graph)
    guard case .gone = outcome else { throw Failed(description: "\(outcome)") }
    let task = Task { await consoles.run() }
    task.cancel()
    await task.value
    #expect(consoles.count == 0)
    _ = second
  }

  @Test func `another version of the protocol is refused with both numbers`() async throws {
    let home = try ConsoleHome()
    let graph = home.graph
    defer { withExtendedLifetime(home) {} }
    await #expect {
      _ = try await ServedConsoles().answer(
        .open, of: nil, ["version": 99], by: Self.admin, on: graph)
    } throws: { error in
      "\(error)".contains("99")
    }
  }
}
