import AuthCore
import Foundation
import LuaRuntime
import TerminalOutput
import Testing

@testable import AdminConsole

/// `policy.test` with coverage, and `policy.debug` by a list of commands.
@Suite struct `Policies at the console` {
  private let home: ConsoleHome
  private let seen = CollectedOutput()
  private let admin: AdminState
  private let file: String

  init() throws {
    home = try ConsoleHome()
    file = try home.file(
      "keep.lua",
      """
      return policy {
        name = "keep", on = { "credential-already-in-use" },
        decide = function(conflict)
          local keep, absorb = conflict.current, conflict.existing
          if keep.isAnonymous then
            keep, absorb = absorb, keep
          end
          log.info("keeps " .. keep.uid)
          return merge { into = keep, from = absorb }
        end,
        examples = {
          { name = "the current account stays", expect = { into = "current" } },
          {
            name = "a visitor becomes the member", current = { isAnonymous = true },
            expect = { into = "existing" },
          },
        },
      }
      """)
    admin = try AdminState(
      session: ConsoleSession(
        graph: home.graph, scope: home.scope, actor: "ada", defaultReason: "test",
        output: seen.output()))
  }

  private func run(_ code: String) throws -> [LuaValue] {
    try admin.call(admin.compile(code, name: "console")).map { value in
      guard case .reference(let reference) = value else { return value }
      return try admin.state.value(of: reference)
    }
  }

  private func failure(_ code: String) throws -> LuaError {
    try #require(throws: LuaError.self) { try run(code) }
  }

  @Test func `the results of a test are a list, and have the coverage beside it`() throws {
    let values = try run(
      """
      local t = policy.test '\(file)'
      local names, pairsSeen = {}, 0
      for i, r in ipairs(t) do names[i] = r.name end
      for _ in pairs(t) do pairsSeen = pairsSeen + 1 end
      return #t, names[2], t[1].passed, t[3] == nil, pairsSeen, t.coverage.complete,
        t.coverage.branches.count, #t.coverage.lines.missed, json.encode(t)
      """)
    #expect(
      values.dropLast() == [2, "a visitor becomes the member", true, true, 2, true, 2, 0])
    let json = try #require(values.last?.stringValue)
    #expect(json.hasPrefix("[{") && json.hasSuffix("}]") && !json.contains("coverage"))
    let csv = try run("return show(policy.test '\(file)'):csv()").first?.stringValue
    #expect(csv?.components(separatedBy: "\r\n").count == 4)
    #expect(try failure("policy.test('\(file)').covrage = 1").message.contains("cannot be changed"))
    #expect(try failure("return policy.test('\(file)').covrage").message.contains("coverage"))
  }

  @Test func `the examples are printed, and then the coverage`() throws {
    let partial = try home.file(
      "partial.lua",
      """
      return policy {
        name = "partial", on = { "credential-already-in-use" },
        decide = function(c)
          if c.current.isAnonymous then
            return refuse "a visitor"
          end
          return merge { into = c.current, from = c.existing }
        end,
        examples = { { name = "the only one", expect = { into = "current" } } },
      }
      """)
    let value = try #require(try run("return policy.test '\(partial)'").first)
    let text = ValueText(state: admin.state, session: admin.session).painted(value)
      .text(for: seen.profile)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("the only one") })
    #expect(lines.last?.hasPrefix("lines ") == true)
    #expect(
      lines.last?.hasSuffix("branches 1 of 2: line 4 never true; line 5 never reached") == true)
  }

  @Test func `commands of a list are carried out and shown`() throws {
    let values = try run(
      """
      local r = policy.debug('\(file)', 2, { commands = { "break 6", "continue", "print keep.uid", "next",
        "print keep.uid" } })
      return r.answer, r.failure, #r.log, r.log[1]
      """)
    #expect(values[0].stringValue?.hasPrefix("existing absorbs current") == true)
    #expect(values[1].isNil && values[2] == 1)
    #expect(values[3].stringValue?.hasSuffix("keeps existing") == true)
    let lines = seen.taken().split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "\(file):4: local keep, absorb = conflict.current, conflict.existing",
        "debug> break 6", "Breakpoint at line 6.",
        "debug> continue", "\(file):6: keep, absorb = absorb, keep",
        "debug> print keep.uid", "\"current\"",
        "debug> next", "\(file):8: log.info(\"keeps \" .. keep.uid)",
        "debug> print keep.uid", "\"existing\"",
      ])
  }

  @Test func `a conflict is a number, a name or a table, and the first example if left out`() throws
  {
    let first = try run("return policy.debug('\(file)', nil, { commands = {} }).answer").first
    #expect(first?.stringValue?.hasPrefix("current absorbs existing") == true)
    let named =
      "return policy.debug('\(file)', 'a visitor becomes the member', { commands = {} }).answer"
    #expect(try run(named).first?.stringValue?.hasPrefix("existing absorbs current") == true)
    let table =
      "return policy.debug('\(file)', { current = { isAnonymous = true } }, { commands = {} }).answer"
    #expect(try run(table).first?.stringValue?.hasPrefix("existing absorbs current") == true)
    for wrong in ["3", "0", "'no such example'", "{ curent = {} }", "true"] {
      #expect(
        try failure("policy.debug('\(file)', \(wrong), { commands = {} })").message.isEmpty == false
      )
    }
  }

  @Test func `nothing is written, and no limit of the console is needed`() throws {
    let before = try run("return #audit.tail(100), policy.current()")
    _ = try admin.call(
      admin.compile(
        """
        policy.debug('\(file)', 1, { commands = { "= conflict.current", "= accounts", "= policy",
          "= (function() while true do end end)()", "quit" } })
        """, name: "console"))
    #expect(try run("return #audit.tail(100), policy.current()") == before)
    let text = seen.taken()
    #expect(text.contains("'accounts' is not defined"))
    #expect(text.contains("'policy' is not defined"))
    #expect(text.contains("budget of instructions"))
  }

  @Test func `without a terminal the commands are asked for`() throws {
    admin.session.host = DeafHost()
    let error = try failure("policy.debug('\(file)', 1)")
    #expect(error.message.contains("there is no terminal"))
    let line = ErrorText(error).line
    #expect(line.contains("commands = {"), "\(line)")
  }
}

/// A machine without a terminal.
private struct DeafHost: ConsoleHost {
  private let local = LocalHost()

  func contents(of path: String, atMost limit: Int) throws(InputFile.Unreadable) -> [UInt8] {
    try local.contents(of: path, atMost: limit)
  }
  func create(_ path: String, _ bytes: [UInt8]) throws(AuthError) {}
  func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {}
  func secret(_ question: String, unless isInterrupted: () -> Bool) throws -> Secret<String> {
    throw AuthError(.operationNotAllowed, "there is no terminal", remedy: "Run it at one.")
  }
  func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String {
    throw AuthError(.operationNotAllowed, "there is no terminal", remedy: "Run it at one.")
  }
  func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value { body() }
}
