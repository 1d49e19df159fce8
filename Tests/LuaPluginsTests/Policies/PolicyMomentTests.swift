import AuthCore
import AuthTesting
import LuaPlugins
import Synchronization
import Testing

/// Policies that try to keep data of one decision for the next.
struct Keepsake: CustomTestStringConvertible, Sendable {
  let name: String
  let before: String
  let body: String

  var testDescription: String { name }
  var source: PolicySource {
    PolicySource(name: "keeping.lua", text: "\(before)\n\(PolicyBench.source(body).text)")
  }

  static let all = [
    Keepsake(
      name: "a local number", before: "local n = 0", body: "n = n + 1 return refuse(tostring(n))"),
    Keepsake(
      name: "a local table", before: "local seen = {}",
      body: "seen[#seen + 1] = conflict.current.uid return refuse(tostring(#seen))"),
    Keepsake(
      name: "an upvalue of a closure",
      before: "local function counter() local n = 0 return function() n = n + 1 return n end end "
        + "local count = counter()", body: "return refuse(tostring(count()))"),
    Keepsake(
      name: "a conflict that is kept", before: "local last",
      body: "local text = last and last.current.uid or 'none' last = conflict return refuse(text)"),
    Keepsake(
      name: "a global", before: "",
      body:
        "pcall(function() n = 1 end) return refuse(tostring(select(2, pcall(function() return n end))))"
    ),
    Keepsake(
      name: "a field of _G", before: "",
      body:
        "pcall(function() _G.n = 1 end) return refuse(tostring(select(2, pcall(function() return _G.n end))))"
    ),
    Keepsake(
      name: "a field of a library", before: "",
      body: """
        local function kept() return string.kept, string[1] end
        local old = select(2, pcall(kept))
        pcall(function() string.kept = 'kept' end)
        pcall(table.insert, string, 'kept')
        return refuse(tostring(old) .. tostring(select(2, pcall(kept))))
        """),
    Keepsake(
      name: "a function of a library", before: "",
      body: """
        pcall(function() string.upper = function() return 'replaced' end end)
        pcall(function() math.max = function() return 7 end end)
        pcall(function() json.encode = nil end)
        return refuse(string.upper('a') .. ('a'):upper() .. math.max(1, 2) .. json.encode { 1 })
        """),
    Keepsake(
      name: "a word of policies", before: "",
      body: """
        pcall(function() oldest = newest end)
        return refuse(oldest(conflict.current, conflict.existing).uid)
        """),
    Keepsake(
      name: "a value of the conflict", before: "",
      body: """
        local before = conflict.current.displayName
        conflict.current.displayName = 'changed'
        return refuse(tostring(before))
        """),
    Keepsake(
      name: "a list of claims", before: "",
      body: """
        local tags = conflict.current.customClaims.tags
        tags[#tags + 1] = 'more'
        return refuse(tostring(#tags))
        """),
    Keepsake(
      name: "the series of random numbers", before: "",
      body: "return refuse(math.random(1000000) .. ' ' .. math.random(1000000))"),
    Keepsake(
      name: "random numbers of the file", before: "local lot = math.random(1000000)",
      body: "return refuse(tostring(lot))"),
    Keepsake(
      name: "an answer", before: "local answer",
      body: """
        if answer then return refuse 'kept' end
        answer = merge { into = conflict.current, from = conflict.existing }
        return answer
        """),
    Keepsake(
      name: "a function of a field", before: "local n = 0",
      body: """
        return merge { into = conflict.current, from = conflict.existing,
          fields = { displayName = function() n = n + 1 return tostring(n) end } }
        """),
    Keepsake(
      name: "a table of the file that decide changes", before: "local limits = { days = 30 }",
      body: "limits.days = limits.days + 1 return refuse(tostring(limits.days))"),
    Keepsake(
      name: "an error that was caught", before: "local caught",
      body: """
        local text = tostring(caught)
        local _, error = pcall(function() return conflict.nothing end)
        caught = 'caught'
        return refuse(text)
        """),
    Keepsake(
      name: "metatables of strings", before: "",
      body: """
        pcall(function() (""). kept = 1 end)
        return refuse(tostring(select(2, pcall(function() return (""). kept end))))
        """),
  ]
}

@Suite struct `C10: a policy has no memory` {
  @Test(arguments: Keepsake.all)
  func `C10: each decision is the first`(keepsake: Keepsake) throws {
    let conflict = try PolicyBench.conflict()
    let policy = try LuaMergePolicy(keepsake.source)
    let first = try policy.decide(conflict)
    for _ in 0..<3 { #expect(try policy.decide(conflict) == first) }
    if let atOnce = try policy.decideAtOnce(conflict) { #expect(atOnce == first) }
    #expect(try LuaMergePolicy(keepsake.source).decide(conflict) == first, "In another state.")
  }

  @Test(arguments: Keepsake.all)
  func `C10: states that are taken in turns answer alike`(keepsake: Keepsake) async throws {
    let conflict = try PolicyBench.conflict()
    let policy = try LuaMergePolicy(keepsake.source)
    let answers = try await withThrowingTaskGroup(of: MergeAnswer.self) { group in
      for _ in 0..<32 { group.addTask { try policy.decide(conflict) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let first = try policy.decide(conflict)
    #expect(answers.count == 32 && answers.allSatisfy { $0 == first })
  }

  @Test func `C10: a decision that was stopped leaves nothing behind`() throws {
    let policy = try LuaMergePolicy(
      PolicySource(
        name: "test.lua",
        text: """
          local half = {}
          \(PolicyBench.source("""
            if #half > 0 then return refuse "half made" end
            half[1] = true
            if conflict.provider == "github.com" then while true do end end
            return refuse "whole"
            """).text)
          """))
    let conflict = try PolicyBench.conflict()
    for _ in 0..<3 { #expect(throws: AuthError.self) { try policy.decide(conflict) } }
    let other = MergeConflict(
      code: conflict.code, current: conflict.current, existing: conflict.existing,
      provider: ProviderID("google.com"), proof: conflict.proof)
    #expect(try policy.decide(other) == .refuse("whole"))
  }

  @Test func `C10: equal examples pass or fail alike, in any order`() throws {
    let results = try LuaMergePolicy.runExamples(
      of: PolicySource(
        name: "test.lua",
        text: """
          local n = 0
          return policy {
            name = "test", on = { "credential-already-in-use" },
            decide = function(c)
              n = n + 1
              if n > 1 then return refuse "asked before" end
              return merge { into = c.current, from = c.existing }
            end,
            examples = {
              { name = "one", expect = { into = "current" } },
              { name = "two", expect = { into = "current" } },
              { name = "three", expect = { refuse = "asked before" } },
            },
          }
          """))
    #expect(results.map(\.passed) == [true, true, false])
  }

  @Test func `C10: random numbers are those of the conflict`() throws {
    func numbers(_ change: (MergeConflict) -> MergeConflict = { $0 }) throws -> MergeAnswer {
      let policy = try LuaMergePolicy(
        PolicyBench.source("return refuse(math.random(1 << 40) .. ' ' .. math.random())"))
      return try policy.decide(change(try PolicyBench.conflict()))
    }
    let first = try numbers()
    #expect(try numbers() == first)
    let later = try numbers {
      MergeConflict(
        code: $0.code, current: $0.current, existing: $0.existing, provider: $0.provider,
        proof: $0.proof, decidedAt: Timestamp(milliseconds: 1))
    }
    #expect(later == first, "The same conflict is decided the same way later.")
    let other = try numbers {
      MergeConflict(
        code: $0.code, current: $0.existing, existing: $0.current, provider: $0.provider,
        proof: $0.proof)
    }
    #expect(other != first)
  }
}

@Suite struct `C10: a policy has the time of its conflict` {
  private static let day: Int64 = 86_400_000
  private static let now = Timestamp(milliseconds: 1_790_000_000_123)

  private func conflict(at now: Timestamp, existingSince created: Int64 = 1) throws -> MergeConflict
  {
    MergeConflict(
      code: .credentialAlreadyInUse, current: try PolicyBench.account("current", createdAt: 2),
      existing: try PolicyBench.account("existing", createdAt: created),
      provider: ProviderID("github.com"), proof: MergeProof(current: true, existing: true),
      decidedAt: now)
  }

  @Test func `C10: the time is the moment of the conflict, for each decision`() throws {
    let policy = try LuaMergePolicy(PolicyBench.source("return refuse(time.format(time.now()))"))
    for milliseconds in [Self.now.milliseconds, 0, 86_400_000, 1_790_000_000_124] {
      let now = Timestamp(milliseconds: milliseconds)
      let text = MergeAnswer.refuse(
        MergeRefusal(now.text.count == 20 ? now.text.dropLast() + ".000Z" : now.text))
      #expect(try policy.decide(conflict(at: now)) == text)
      #expect(try policy.decideAtOnce(conflict(at: now)) == text)
    }
  }

  @Test
  func `C10: the time stands still during a decision, in the file and in functions of fields`()
    throws
  {
    let policy = try LuaMergePolicy(
      PolicySource(
        name: "test.lua",
        text: """
          local outside = time.now()
          \(PolicyBench.source("""
            local inside = time.now()
            return merge { into = conflict.current, from = conflict.existing, fields = {
              displayName = function()
                return table.concat({ outside, inside, time.now() }, " ")
              end } }
            """).text)
          """))
    for later in [0, 5] as [Int64] {
      let now = Timestamp(milliseconds: Self.now.milliseconds + later)
      let text = Array(repeating: "\(now.milliseconds)", count: 3).joined(separator: " ")
      guard case .merge(_, _, let rules) = try policy.decide(conflict(at: now)) else {
        Issue.record("It did not merge.")
        return
      }
      #expect(rules.fields[.displayName] == .value(.string(text)))
    }
  }

  @Test(arguments: [(29, "young"), (30, "young"), (31, "old"), (4000, "old")])
  func `C10: an age of 30 days can be checked`(days: Int64, word: String) throws {
    let policy = try LuaMergePolicy(
      PolicyBench.source(
        """
        local age = time.now() - conflict.existing.createdAt
        return refuse(age > 30 * 24 * 60 * 60 * 1000 and "old" or "young")
        """))
    let created = Self.now.milliseconds - days * Self.day
    let conflict = try conflict(at: Self.now, existingSince: created)
    #expect(try policy.decide(conflict) == .refuse(MergeRefusal(word)))
  }

  @Test func `C10: an example has its own time, or that of the run`() throws {
    func results(_ now: String) throws -> [PolicyExampleResult] {
      try LuaMergePolicy.runExamples(
        of: PolicyBench.source(
          "return refuse(time.format(time.now()))",
          more: "examples = { { \(now) expect = { refuse = time.format(time.now()) } } },"),
        at: Self.now)
    }
    #expect(try results("").map(\.failure) == [nil])
    for (now, shown) in [
      ("now = '2026-05-01T12:00:00Z',", "2026-05-01T12:00:00.000Z"),
      ("now = '2026-05-01T12:00:00.25+02:00',", "2026-05-01T10:00:00.250Z"),
      ("now = '2026-05-01',", "2026-05-01T00:00:00.000Z"),
      ("now = 1777636800000,", "2026-05-01T12:00:00.000Z"),
      ("now = time.parse '2026-05-01T12:00:00Z' + 1.0,", "2026-05-01T12:00:00.001Z"),
      ("now = 0,", "1970-01-01T00:00:00.000Z"),
    ] {
      #expect(try results(now).first?.failure?.contains("refused with \"\(shown)\"") == true)
    }
    for now in ["now = 'yesterday',", "now = true,", "now = {},", "now = 1.5,", "now = '',"] {
      let failure = try #require(try results(now).first?.failure)
      #expect(failure.hasPrefix("now is no time; give milliseconds"), "\(failure)")
    }
    #expect(try results("nwo = 1,").first?.failure?.contains("Did you mean \"now\"?") == true)
  }

  @Test func `C10: examples of old and young accounts do not depend on the day they run`() throws {
    let source = PolicyBench.source(
      """
      local days = (time.now() - (conflict.existing.lastSignInAt or 0)) / (24 * 60 * 60 * 1000)
      if days <= 30 then return refuse "used of late" end
      return merge { into = conflict.current, from = conflict.existing }
      """,
      more: """
        examples = {
          { name = "a month", now = "2026-06-30", existing = { lastSignInAt = "2026-05-30T23:59:59Z" },
            expect = { into = "current" } },
          { name = "not yet", now = "2026-06-30", existing = { lastSignInAt = "2026-05-31" },
            expect = { refuse = "of late" } },
          { name = "by the run", existing = { lastSignInAt = time.now() - 31 * 24 * 60 * 60 * 1000 },
            expect = { into = "current" } },
          { name = "no time", existing = { lastSignInAt = "last week" }, expect = { refuse = true } },
          { name = "none either", existing = { createdAt = true }, expect = { refuse = true } },
        },
        """)
    for now in [0, 1_750_000_000_000, 4_000_000_000_000] as [Int64] {
      let results = try LuaMergePolicy.runExamples(
        of: source, at: Timestamp(milliseconds: now))
      #expect(results.map(\.passed) == [true, true, true, false, false], "\(results)")
      #expect(results[3].failure?.contains("existing.lastSignInAt is no time") == true)
      #expect(results[4].failure?.contains("existing.createdAt is no time") == true)
    }
  }
}

@Suite struct `C10: the log of a policy is shown` {
  @Test func `C10: beside the result of an example, whether it passes or not`() throws {
    let results = try LuaMergePolicy.runExamples(
      of: PolicyBench.source(
        """
        log.info("asked about " .. conflict.existing.uid)
        log.warn("and again")
        if conflict.provider == "github.com" then error "broken" end
        return refuse "no"
        """,
        more: """
          examples = {
            { name = "passes", expect = { refuse = "no" } },
            { name = "fails", expect = { into = "current" } },
            { name = "breaks", provider = "github.com", expect = { refuse = "no" } },
            { name = "is none", expects = 1 },
          },
          """))
    let lines = ["info test.lua:", "warn test.lua:"]
    for result in results.prefix(3) {
      #expect(result.log.count == 2)
      #expect(zip(result.log, lines).allSatisfy { $0.hasPrefix($1) }, "\(result.log)")
      #expect(result.log.first?.hasSuffix(": asked about existing") == true)
    }
    #expect(results.map(\.passed) == [true, false, false, false])
    #expect(results.last?.log == [])
  }

  @Test func `C10: in a decision, with the policy's name`() throws {
    let lines = Mutex<[ScriptLogRecord]>([])
    let compiler = LuaPolicyCompiler(log: { line in lines.withLock { $0.append(line) } })
    let policy = try compiler.policy(
      PolicyBench.source("log.error('seen ' .. conflict.current.uid) return refuse 'no'"))
    for decide in [policy.decide, { try policy.decideAtOnce($0) ?? .refuse("none") }] {
      lines.withLock { $0 = [] }
      #expect(try decide(PolicyBench.conflict()) == .refuse("no"))
      let logged = lines.withLock(\.self)
      #expect(logged.map(\.message) == ["seen current"])
      #expect(logged.first?.script == "test" && logged.first?.kind == .mergePolicy)
      #expect(logged.first?.level == "error")
      #expect(logged.first?.place?.hasPrefix("test.lua:") == true)
    }
  }

  @Test func `C10: once, although a slow decision is begun twice, and also if it fails`() throws {
    let lines = Mutex<[ScriptLogRecord]>([])
    let compiler = LuaPolicyCompiler(log: { line in lines.withLock { $0.append(line) } })
    let policy = try compiler.policy(
      PolicyBench.source("log.info 'begun' for _ = 1, 20000 do end error 'no'"))
    #expect(try policy.decideAtOnce(PolicyBench.conflict()) == nil)
    #expect(throws: AuthError.self) { try policy.decide(PolicyBench.conflict()) }
    #expect(lines.withLock { $0.map(\.message) } == ["begun"])
  }

  @Test func `C10: twenty lines of a decision, each cut`() throws {
    let results = try LuaMergePolicy.runExamples(
      of: PolicyBench.source(
        "for n = 1, 30 do log.info(n .. ('x'):rep(1000)) end return refuse 'no'",
        more: "examples = { { expect = { refuse = 'no' } }, { expect = { refuse = 'no' } } },"))
    for result in results {
      #expect(result.log.count == 21 && result.log.allSatisfy { $0.utf8.count < 560 })
      #expect(result.log.last?.contains("more than 20 lines") == true)
    }
  }

  @Test func `C10: print is not there, and the message names log.info`() async throws {
    let failure = try PolicyBench.failure("print('seen')")
    #expect(failure.contains("'print'") && failure.contains("log.info"), "\(failure)")
    #expect(!failure.contains("pairs"))
    let results = try LuaMergePolicy.runExamples(
      of: PolicyBench.source(
        "print('seen')", more: "examples = { { expect = { refuse = true } } },"))
    #expect(results.first?.failure?.contains("log.info") == true)
  }
}
