import LuaRuntime
import Testing

/// The lines of a run, as coverage sees them.
@Suite struct `Watched lines` {
  private func lines(of text: String, _ profile: LuaProfile = .policy) throws -> [Int] {
    let state = try LuaState(profile: profile)
    var seen: [Int] = []
    state.watchLines {
      seen.append($0.line)
      return true
    }
    try evaluate(state, text)
    return seen
  }

  @Test func `each line is told when it runs, also in functions`() throws {
    let text = """
      local function f(x)
        if x then
          return 1
        end
        return 2
      end
      f(nil)
      return f(true)
      """
    #expect(try lines(of: text) == [6, 7, 2, 5, 8, 2, 3])
  }

  @Test func `the lines of coroutines are told too`() throws {
    let text = """
      local co = coroutine.wrap(function()
        coroutine.yield(1)
        return 2
      end)
      co()
      return co()
      """
    #expect(Set(try lines(of: text, .plugin)) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `the lines with code include those of functions that never exist`() throws {
    let text = """
      local t = 1
      local function never()
        local y = 1
        return function()
          return y
        end
      end

      -- a comment
      if t then
        t = 2
      else
        t = 3
      end
      return t
      """
    let state = try LuaState(profile: .policy)
    let code = try state.codeLines(of: state.load(text, name: "test"))
    #expect(code == [1, 3, 5, 6, 7, 10, 11, 13, 15])
    #expect(code.subtracting(try lines(of: text)) == [3, 5, 6, 13])
  }

  @Test func `the lines of long texts and of far lines are found`() throws {
    let state = try LuaState(profile: .policy)
    let long = "local x = 0\n" + String(repeating: "x = x + 1 x = x * 2\n", count: 400)
    #expect(try state.codeLines(of: state.load(long, name: "test")) == Set(1...401))
    let far = "local x = 'a'" + String(repeating: "\n", count: 3000) + "x = 1.5\nreturn x"
    #expect(try state.codeLines(of: state.load(far, name: "test")) == [1, 3001, 3002])
  }

  @Test func `nothing is told after the watch has ended`() throws {
    let state = try LuaState(profile: .policy)
    var count = 0
    state.watchLines { _ in
      count += 1
      return true
    }
    try evaluate(state, "local x = 1")
    let told = count
    state.watchLines(nil)
    #expect(try evaluate(state, "local x = 1\nx = 2\nreturn x") == [2])
    #expect(told > 0 && count == told)
  }

  @Test func `a watched script finds no library for hooks`() throws {
    for profile in [LuaProfile.policy, .plugin, .console] {
      let state = try LuaState(profile: profile)
      state.watchLines { _ in true }
      #expect(try failure(state, "return debug.sethook").message.contains("'debug' is not defined"))
      #expect(try failure(state, "return string.dump").message.contains("no field 'dump'"))
    }
  }
}

/// Attacks on the limits of a run that is watched.
@Suite struct `The limits of watched lines` {
  private func watched(_ profile: LuaProfile) throws -> LuaState {
    let state = try LuaState(profile: profile)
    state.watchLines { _ in true }
    return state
  }

  @Test(arguments: [
    "while true do end", "while true do\nend", "local function f()\n  return f()\nend\nreturn f()",
    "while true do\n  pcall(function()\n    local x = 1\n  end)\nend",
    "while true do\n  xpcall(error, function()\n    while true do\n    end\n  end)\nend",
    "for i = 1, math.huge do\n  local x = i\nend",
  ])
  func `instructions are counted`(_ text: String) throws {
    let state = try watched(.policy)
    let error = try failure(state, text, limits: LuaLimits(instructions: 50_000))
    #expect(error.code == .instructions)
    #expect(try evaluate(state, "return 7") == [7])
  }

  @Test func `many short coroutines are not free`() throws {
    let state = try watched(.plugin)
    let text = """
      local function spin()
        for i = 1, 100 do
        end
      end
      while true do
        coroutine.wrap(spin)()
      end
      """
    let error = try failure(state, text, limits: LuaLimits(instructions: 200_000))
    #expect(error.code == .instructions)
  }

  @Test func `memory and time are limited`() throws {
    let state = try watched(.policy)
    let growth = "local t = {}\nwhile true do\n  t[#t + 1] = ('x'):rep(1000) .. #t\nend"
    #expect(try failure(state, growth, limits: LuaLimits(memory: 2 << 20)).code == .memory)
    let time = try failure(
      watched(.policy), "while true do\n  local x = 1\nend",
      limits: LuaLimits(cpuTime: .milliseconds(20)))
    #expect(time.code == .time)
  }

  @Test func `the budget is the same with and without a watch`() throws {
    let text = "local n = 0\nfor i = 1, 1000 do\n  n = n + i\nend\nreturn n"
    for limit in [1000, 100_000] {
      let plain = try LuaState(profile: .policy)
      let (a, b) = (
        try? evaluate(plain, text, limits: LuaLimits(instructions: limit)),
        try? evaluate(watched(.policy), text, limits: LuaLimits(instructions: limit))
      )
      #expect(a == b)
      #expect((a == nil) == (limit == 1000))
    }
  }

  @Test(arguments: [
    "local ok = pcall(function()\n  local x = 1\n  x = 2\nend)\nreturn ok",
    "xpcall(function()\n  local x = 1\n  x = 2\nend, function() while true do end end)\nreturn 1",
    "local x = 1\nwhile true do\n  pcall(function()\n    x = 2\n  end)\nend",
  ])
  func `a script cannot catch its end, and no handler of it runs`(_ text: String) throws {
    let state = try LuaState(profile: .policy)
    var last = 0
    state.watchLines { pause in
      last = pause.line
      return pause.line != 3
    }
    let error = try failure(state, text, limits: LuaLimits(instructions: 1_000_000))
    #expect(error.code == .interrupted)
    #expect(last == 3)
    state.watchLines(nil)
    #expect(try evaluate(state, "return 7") == [7])
  }

  @Test func `a coroutine ends with the run`() throws {
    let state = try LuaState(profile: .plugin)
    state.watchLines { $0.line != 2 }
    let text = """
      local co = coroutine.create(function()
        return 1
      end)
      local ok = coroutine.resume(co)
      return ok
      """
    #expect(try failure(state, text).code == .interrupted)
  }
}
