import AuthCore
import LuaPlugins
import Testing

/// A policy whose `decide` is one line, the fourth.
private struct OneLine: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let body: String
  let examples: [String]
  let gaps: [String]

  init(
    _ name: String, _ body: String, given examples: [String] = [usual], _ gaps: [String]
  ) {
    (testDescription, self.body, self.examples, self.gaps) = (name, body, examples, gaps)
  }

  var source: PolicySource {
    PolicySource(
      name: "line.lua",
      text: """
        return policy {
          name = "line", on = { "credential-already-in-use" },
          decide = function(c)
            \(body)
          end,
          examples = { \(examples.joined(separator: ", ")) },
        }
        """)
  }

  static let usual = "{ expect = { refuse = true } }"
  static let visitor = "{ current = { isAnonymous = true }, expect = { refuse = true } }"
  static let named = "{ current = { displayName = 'A' }, expect = { refuse = true } }"
  private static let end = "return refuse 'no'"

  static let all = [
    OneLine(
      "if", "if c.current.isAnonymous then return refuse 'a' end \(end)",
      [
        "line 4 never true"
      ]),
    OneLine(
      "if, both ways", "if c.current.isAnonymous then return refuse 'a' end \(end)",
      given: [usual, visitor], []),
    OneLine(
      "elseif",
      "if c.current.isAnonymous then \(end) elseif c.current.disabled then \(end) else \(end) end",
      given: [usual, visitor], ["line 4 \"c.current.disabled\" never true"]),
    OneLine(
      "and in a condition",
      "if c.current.isAnonymous and c.existing.isAnonymous then return refuse 'a' end \(end)",
      [
        "line 4 \"c.current.isAnonymous\" never true",
        "line 4 \"c.existing.isAnonymous\" never evaluated",
      ]),
    OneLine(
      "or in a condition",
      "if c.existing.isAnonymous or c.current.isAnonymous then return refuse 'a' end \(end)",
      given: [usual, visitor], ["line 4 \"c.existing.isAnonymous\" never true"]),
    OneLine(
      "and as a value", "local x = c.current.isAnonymous and 1 return refuse(tostring(x))",
      [
        "line 4 never true"
      ]),
    OneLine(
      "or as a value", "return refuse(c.current.displayName or 'none')", given: [named, usual], []),
    OneLine(
      "or with one side", "return refuse(c.current.displayName or 'none')", given: [named],
      [
        "line 4 never false"
      ]),
    OneLine(
      "not around or",
      "if not (c.current.isAnonymous or c.current.disabled) then return refuse 'a' end \(end)",
      [
        "line 4 \"c.current.isAnonymous\" never true", "line 4 \"c.current.disabled\" never true",
      ]),
    OneLine(
      "not alone", "if not c.current.isAnonymous then return refuse 'a' end \(end)", given: [usual],
      [
        "line 4 never false"
      ]),
    OneLine("while", "local n = 0 while n < 3 do n = n + 1 end \(end)", []),
    OneLine(
      "while that is never entered", "while c.current.isAnonymous do \(end) end \(end)",
      [
        "line 4 never true"
      ]),
    OneLine("repeat", "local n = 0 repeat n = n + 1 until n > 2 \(end)", []),
    OneLine(
      "repeat with its own local", "repeat local done = 1 == 1 until done \(end)",
      [
        "line 4 never false"
      ]),
    OneLine("for", "for i = 1, 2 do log.info('x') end \(end)", []),
    OneLine(
      "for without a value", "for _, x in ipairs {} do log.info('x') end \(end)",
      [
        "line 4 never enters its loop"
      ]),
    OneLine(
      "for with break", "for i = 1, 2 do if i == 1 then break end end \(end)",
      [
        "line 4 never comes to the end of its loop", "line 4 never false",
      ]),
    OneLine(
      "for with return", "for i = 1, 2 do if i == i then \(end) end end",
      [
        "line 4 never comes to the end of its loop", "line 4 never false",
      ]),
    OneLine(
      "break of the inner loop", "for i = 1, 2 do for j = 1, 2 do break end end \(end)",
      [
        "line 4 never comes to the end of its loop"
      ]),
    OneLine(
      "goto in a loop",
      "for i = 1, 2 do if i == 1 then goto next end log.info('x') ::next:: end \(end)",
      []),
    OneLine("a body in brackets", "for i = 1, 2 do(log.info)('x') end \(end)", []),
    OneLine("constants", "while true do \(end) end", []),
    OneLine("arithmetic", "local x = #c.code + 1 and -1 or 2 return refuse(tostring(x))", []),
    OneLine(
      "a comparison", "if c.current.createdAt + 1 > 0 then return refuse 'a' end \(end)",
      [
        "line 4 never false"
      ]),
    OneLine(
      "a condition in a condition",
      "if tostring(c.current.isAnonymous and 1) == '1' then return refuse 'a' end \(end)",
      [
        "line 4 \"tostring(c.current.isAnonymous and 1) == '1'\" never true",
        "line 4 \"c.current.isAnonymous\" never true",
      ]),
    OneLine(
      "several values",
      "local function two() return false, true end if two() then return refuse 'a' end \(end)",
      [
        "line 4 never true"
      ]),
    OneLine(
      "a function that is never called",
      "local f = function(x) return x and 1 or 2 end return refuse(type(f))",
      [
        "line 4 never evaluated"
      ]),
    OneLine(
      "a policy that uses the word",
      "local branch = c.current.isAnonymous return refuse(tostring(branch or 1))",
      ["line 4 never true"]),
    OneLine("text that looks like code", "return refuse \"if x and y then\" -- or z", []),
  ]
}

@Suite struct `Coverage of policies` {
  @Test(arguments: OneLine.all)
  fileprivate func `each way of a branch on one line is told`(_ policy: OneLine) throws {
    let results = try LuaMergePolicy.runExamples(of: policy.source)
    #expect(results.compactMap(\.failure) == [])
    let coverage = try PolicyCoverage.measure(policy.source)
    #expect(coverage.unmeasured == nil)
    #expect(coverage.gaps == policy.gaps)
    #expect(coverage.isComplete == policy.gaps.isEmpty)
    #expect(coverage.missedLines.isEmpty)
  }

  /// Line by line: 2, 3, 4, 7, 14 and so on have code; the examples do not count.
  private static let text = """
    local function name(kept, other)
      if kept then
        return kept
      end
      return other
    end

    return policy {
      name = "lines", on = { "credential-already-in-use" },
      decide = function(c)
        if c.current.isAnonymous then
          local why = "visitors"
          return refuse(why)
        end
        return merge {
          into = c.current, from = c.existing,
          fields = { displayName = name },
        }
      end,
      examples = {
        {
          name = "the current account stays",
          current = { displayName = "A" },
          expect = { into = "current", displayName = "A" },
        },
      },
    }
    """

  @Test func `lines that no example reaches are named, and those of the examples do not count`()
    throws
  {
    let coverage = try PolicyCoverage.measure(PolicySource(name: "p.lua", text: Self.text))
    #expect(coverage.missedLines == [5, 12, 13])
    #expect(coverage.lines.allSatisfy { $0 < 20 || $0 > 26 })
    #expect(coverage.branches.map(\.text) == ["kept", "c.current.isAnonymous"])
    #expect(coverage.reachedWays == 2 && coverage.ways == 4)
    let end =
      "branches 2 of 4: line 2 never false; line 5 never reached; line 11 never true; "
      + "lines 12-13 never reached"
    #expect(coverage.text.hasSuffix(end), "\(coverage.text)")
    let (reached, count) = (coverage.reachedLines, coverage.lines.count)
    #expect(coverage.text.hasPrefix("lines \(reached) of \(count) (\(coverage.percent) %), "))
    #expect(reached == count - 3)
  }

  @Test func `a policy whose examples reach all of it has no notice`() throws {
    let whole = PolicySource(
      name: "p.lua",
      text: Self.text.replacing(
        "  examples = {\n",
        with: """
            examples = {
              { name = "visitors", current = { isAnonymous = true }, expect = { refuse = "visitors" } },
              { name = "no name", existing = { displayName = "B" }, expect = { displayName = "B" } },

          """))
    let coverage = try PolicyCoverage.measure(whole)
    #expect(coverage.isComplete && coverage.percent == 100, "\(coverage.text)")
    #expect(coverage.text.hasSuffix("(100 %), branches 4 of 4"))
    #expect(try PolicyCoverage.measure(whole).notice == nil)
    let notice = try PolicyCoverage.measure(PolicySource(name: "p.lua", text: Self.text)).notice
    #expect(notice?.hasPrefix("The examples of p.lua do not reach all of it: lines ") == true)
    #expect(notice?.hasSuffix(".") == true)
  }

  @Test func `a file without examples reaches what it runs when it is read`() throws {
    let policy = OneLine("none", "return refuse 'a'", given: [], [])
    let coverage = try PolicyCoverage.measure(policy.source)
    #expect(coverage.missedLines == [4])
    #expect(!coverage.isComplete)
  }

  @Test func `measuring changes nothing of what the examples say`() throws {
    let source = PolicySource(
      name: "p.lua",
      text: """
        return policy {
          name = "p", on = { "credential-already-in-use" },
          decide = function(c)
            log.info("asked at " .. time.now() .. ": " .. math.random(100))
            for i = 1, 10 do if i == 5 then return refuse("five") end end
          end,
          examples = {
            { name = "right", expect = { refuse = "five" } },
            { name = "wrong", expect = { into = "current" } },
          },
        }
        """)
    let before = try LuaMergePolicy.runExamples(of: source, at: Timestamp(milliseconds: 1))
    _ = try PolicyCoverage.measure(source, at: Timestamp(milliseconds: 1))
    #expect(
      try LuaMergePolicy.runExamples(of: source, at: Timestamp(milliseconds: 1)) == before)
    #expect(before.map(\.passed) == [true, false])
    #expect(before[1].failure?.contains("five") == true)
  }

  @Test func `an example that fails or never ends is measured up to its end`() throws {
    for body in ["error 'x'", "while true do end", "local t = {} while true do t[#t + 1] = t end"] {
      let policy = OneLine("ends", "\(body) return refuse 'a'", [])
      let coverage = try PolicyCoverage.measure(policy.source)
      #expect(coverage.missedLines.isEmpty)
    }
  }

  @Test func `a text that is too deep for calls is measured by its lines`() throws {
    let deep = String(repeating: "(", count: 150) + "c.code" + String(repeating: ")", count: 150)
    let policy = OneLine("deep", "local x = \(deep) and 1 return refuse(tostring(x))", [])
    let coverage = try PolicyCoverage.measure(policy.source)
    #expect(coverage.missedLines.isEmpty)
    // Lua's limit of depth decides which of the two it is.
    #expect(coverage.unmeasured == nil || coverage.text.contains("branches not measured"))
  }

  @Test func `a file at fault is an error with its line`() throws {
    let error = try #require(throws: AuthError.self) {
      try PolicyCoverage.measure(PolicySource(name: "p.lua", text: "local x = = 1"))
    }
    #expect(error.code == .invalidPolicy && error.message.contains("p.lua:1"))
  }

  @Test func `the JSON names the missing ways`() throws {
    let coverage = try PolicyCoverage.measure(PolicySource(name: "p.lua", text: Self.text))
    #expect(coverage.json["lines"]?["missed"] == [5, 12, 13])
    #expect(coverage.json["branches"]?["count"] == 4)
    #expect(
      coverage.json["branches"]?["missed"] == [
        ["line": 2, "condition": "kept", "kind": "condition", "way": false],
        ["line": 11, "condition": "c.current.isAnonymous", "kind": "condition", "way": true],
      ])
    #expect(coverage.json["complete"] == false)
  }
}
