import AuthCore
import LuaPlugins
import LuaRuntime
import Testing

/// Decisions line by line.
@Suite struct `The debugger of policies` {
  private static let text = """
    local limit = 2
    local function older(a, b)
      return a.createdAt < b.createdAt
    end

    return policy {
      name = "debugged", on = { "credential-already-in-use" },
      decide = function(conflict)
        local keep, absorb = conflict.current, conflict.existing
        if older(absorb, keep) then
          keep, absorb = absorb, keep
        end
        log.info("keeps " .. keep.uid)
        return merge { into = keep, from = absorb }
      end,
      examples = {
        {
          name = "the existing account is older",
          current = { createdAt = 2 }, existing = { createdAt = 1 },
          expect = { into = "existing" },
        },
        {
          name = "the current account is older",
          current = { createdAt = 1 }, existing = { createdAt = 2 },
          expect = { into = "current" },
        },
      },
    }
    """
  private static let source = PolicySource(name: "debug.lua", text: text)

  private static func deciding(_ body: String) -> PolicySource {
    PolicySource(
      name: "debug.lua",
      text: """
        return policy {
          name = "debugged", on = { "credential-already-in-use" },
          decide = function(conflict)
            \(body)
          end,
        }
        """)
  }

  /// Runs commands and returns what was shown, and the decision.
  private func debug(
    _ commands: [String], _ source: PolicySource = source,
    choosing conflict: (PolicyDebugger) throws -> DebuggedConflict = {
      try $0.conflict(ofExample: 1)
    }
  ) throws -> (shown: [String], decision: DebuggedDecision) {
    var (rest, shown): (ArraySlice<String>, [String]) = (commands[...], [])
    let debugger = try PolicyDebugger(
      source, console: .init(ask: { rest.popFirst() }, show: { shown.append($0) }))
    let decision = try debugger.run(try conflict(debugger))
    return (shown, decision)
  }

  @Test func `step goes into functions, next over them`() throws {
    let first = "debug.lua:9: local keep, absorb = conflict.current, conflict.existing"
    let test = "debug.lua:10: if older(absorb, keep) then"
    let inside = "debug.lua:3: return a.createdAt < b.createdAt"
    let swap = "debug.lua:11: keep, absorb = absorb, keep"
    #expect(try debug([]).shown == [first])
    #expect(try debug(["step", "step", "next"]).shown == [first, test, inside, swap])
    #expect(try debug(["step", "next"]).shown == [first, test, swap])
    #expect(try debug(["next", "", ""]).shown.count == 4)
  }

  @Test func `a decision that was debugged is the one of the examples`() throws {
    let results = try LuaMergePolicy.runExamples(of: Self.source)
    #expect(results.allSatisfy { $0.passed })
    for (number, result) in results.enumerated() {
      let (_, decision) = try debug(["step", "locals", "next", "continue"]) {
        try $0.conflict(ofExample: number + 1)
      }
      #expect(decision.answer == result.answer)
      #expect(decision.failure == nil)
      #expect(decision.log == result.log)
    }
  }

  @Test func `breakpoints stop at lines with code`() throws {
    let shown = try debug([
      "break 5", "break 14", "break 3", "continue", "clear 3", "continue", "where", "clear",
    ]).shown
    #expect(shown[1].hasPrefix("Line 5 has no code. Write break "))
    #expect(shown[2] == "Breakpoint at line 14.")
    #expect(shown[4] == "debug.lua:3: return a.createdAt < b.createdAt")
    #expect(shown[5] == "No breakpoint at line 3.")
    #expect(shown[6] == "debug.lua:14: return merge { into = keep, from = absorb }")
    #expect(shown[7].hasPrefix("debug.lua:14: "))
    #expect(shown[8] == "No breakpoints are left.")
    #expect(try debug(["clear 9"]).shown[1] == "Line 9 has no breakpoint. There is none.")
  }

  @Test func `frames, variables and the text are shown`() throws {
    let shown = try debug(["step", "locals", "step", "where", "locals", "source"]).shown
    let outer = shown[2].split(separator: "\n").map(String.init)
    #expect(outer.contains { $0.hasPrefix("older = ") })
    #expect(outer.contains { $0.hasPrefix("keep = {") })
    #expect(!shown[2].contains("_ENV") && !shown[2].contains("(temporary)"))
    #expect(shown[4].split(separator: "\n").first == "debug.lua:3: older")
    #expect(shown[4].split(separator: "\n").count == 2)
    #expect(shown[5].hasPrefix("a = {") && shown[5].contains("\nb = {"))
    #expect(shown[6].contains("> 3    return a.createdAt < b.createdAt"))
  }

  @Test func `expressions see copies of the variables, and call the functions of the file`() throws
  {
    let shown = try debug([
      "step", "print keep.uid", "= older(absorb, keep)", "= oldest(keep, absorb).uid", "p 1, 2",
      "= conflict.proof.both", "= limits", "print",
    ]).shown.dropFirst(2)
    #expect(
      Array(shown.prefix(5)) == ["\"current\"", "true", "\"existing\"", "1, 2", "true"])
    #expect(shown.dropFirst(5).first?.hasPrefix("'limits' is not defined") == true)
    #expect(shown.last == "There is no expression. Write print conflict.proof.both.")
  }

  @Test func `an expression cannot change the decision`() throws {
    let (shown, decision) = try debug([
      "step", "= keep = absorb", "= (function() keep = absorb end)()",
      "= (function() conflict.current.createdAt = 0 return conflict.current.createdAt end)()",
      "= conflict.current.createdAt", "= older(absorb, keep)", "continue",
    ])
    #expect(shown[2].hasSuffix("An expression is expected; the debugger assigns nothing."))
    #expect(shown[3].contains("keep"))
    #expect(Array(shown[4...6]) == ["0", "2", "true"])
    #expect(decision.answer == (try LuaMergePolicy.runExamples(of: Self.source)[0].answer))
  }

  @Test func `expressions have limits of their own`() throws {
    let (shown, decision) = try debug([
      "= (function() while true do end end)()", "= ('x'):rep(1e9)",
      "= (function() local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end end)()",
      "= pcall(function() while true do end end)", "= 1 + 1",
    ])
    #expect(shown[1].contains("budget of instructions"))
    #expect(shown[3].contains("memory") || shown[3].contains("budget"))
    #expect(shown[4].contains("budget of instructions"))
    #expect(shown[5] == "2")
    #expect(decision.answer != nil)
  }

  @Test(arguments: ["= io", "= os", "= debug", "= load('return 1')", "= policy", "= branch"])
  func `an expression finds nothing that a policy does not have`(_ command: String) throws {
    #expect(try debug([command]).shown[1].contains("is not defined"))
  }

  @Test func `a policy that never ends is stopped while it runs`() throws {
    for body in ["while true do end", "while true do\nlocal x = 1\nend"] {
      let (_, decision) = try debug(["continue"], Self.deciding(body)) {
        try $0.conflict(LuaTable())
      }
      #expect(decision.answer == nil)
      #expect(decision.failure?.contains("the script was stopped") == true)
    }
  }

  @Test func `quit ends the decision, and no pcall of the file catches it`() throws {
    let body = "pcall(function()\nlocal x = 1\nend)\nreturn refuse 'caught'"
    let (_, decision) = try debug(["step", "quit"], Self.deciding(body)) {
      try $0.conflict(LuaTable())
    }
    #expect(decision.answer == nil && decision.failure == nil)
  }

  @Test func `a failure of the file is told with its line`() throws {
    let (_, decision) = try debug(["continue"], Self.deciding("error 'broken'")) {
      try $0.conflict(LuaTable())
    }
    #expect(decision.failure == "debug.lua:4: broken.")
  }

  @Test func `an interrupt and an error of the console end the decision`() throws {
    let interrupted = try PolicyDebugger(
      Self.source, console: .init(ask: { nil }, show: { _ in }, isInterrupted: { true }))
    #expect(throws: CancellationError.self) {
      try interrupted.run(interrupted.conflict(ofExample: 1))
    }
    let failing = try PolicyDebugger(
      Self.source,
      console: .init(ask: { throw AuthError(.operationNotAllowed, "No terminal.") }, show: { _ in })
    )
    let error = try #require(throws: AuthError.self) {
      try failing.run(failing.conflict(ofExample: 1))
    }
    #expect(error.code == .operationNotAllowed)
  }

  @Test func `a conflict is an example by number or name, or a table like one`() throws {
    let named = try debug([]) {
      try #require(try $0.conflict(ofExample: "the current account is older"))
    }
    #expect(named.decision.answer == "current absorbs existing")
    let table = try debug([]) {
      try $0.conflict(
        LuaTable(fields: ["current": ["createdAt": 9], "existing": ["createdAt": 8]]))
    }
    #expect(table.decision.answer == "existing absorbs current")
    let debugger = try PolicyDebugger(
      Self.source, console: .init(ask: { nil }, show: { _ in }))
    #expect(try debugger.conflict(ofExample: "no such example") == nil)
    for number in [0, 3, -1] {
      #expect(throws: AuthError.self) { try debugger.conflict(ofExample: number) }
    }
    let error = try #require(throws: AuthError.self) {
      try debugger.conflict(LuaTable(fields: ["curent": [:]]))
    }
    #expect(error.code == .invalidArgument && error.message.contains("curent"))
  }

  @Test func `an unknown command is told with the nearest one`() throws {
    let shown = try debug(["contineu", "break", "break x", "step 3", "help"]).shown
    #expect(shown[1].contains("no command \"contineu\"") && shown[1].contains("continue"))
    #expect(shown[2] == "break takes the number of a line. Write break 9.")
    #expect(shown[3] == shown[2])
    #expect(shown[4] == "step takes nothing, not \"3\". Write step.")
    #expect(shown[5].contains("print EXPR"))
  }
}
