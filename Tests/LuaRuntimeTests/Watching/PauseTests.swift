import LuaRuntime
import Testing

/// A run that waits before a line.
@Suite struct `Paused runs` {
  private let state: LuaState

  init() throws { state = try LuaState(profile: .policy) }

  @Test func `the frames and the variables are seen`() throws {
    let text = """
      local outer = { 1, 2 }
      local function sum(list, first)
        local result = first
        for _, n in ipairs(list) do
          result = result + n
        end
        return result
      end
      return (sum(outer, 10))
      """
    var names: [String] = []
    var (values, lines, depth): ([String: LuaValue], [Int?], Int) = ([:], [], 0)
    state.watchLines { pause in
      guard pause.line == 7 else { return true }
      names = pause.variables.map(\.name)
      for variable in pause.variables { values[variable.name] = variable.value }
      lines = pause.frames(atMost: 5).map(\.line)
      depth = pause.depth
      return true
    }
    #expect(try evaluate(state, text) == [13])
    #expect(names == ["list", "first", "result"])
    #expect(values["result"] == 13 && values["first"] == 10)
    #expect(values["list"]?.referenceValue?.typeName == "table")
    #expect(lines == [7, 9] && depth == 2)
  }

  @Test func `variables of the functions around come first`() throws {
    var names: [String] = []
    state.watchLines { pause in
      if pause.line == 3 { names = pause.variables.map(\.name) }
      return true
    }
    try evaluate(state, "local a = 1\nlocal f = function(b)\n  return a + b\nend\nreturn (f(2))")
    #expect(names == ["a", "b"])
  }

  @Test func `calls aside have limits of their own, and the run goes on with its budget`() throws {
    var (errors, values): ([LuaError.Code], [[LuaValue]]) = ([], [])
    state.watchLines { pause in
      guard pause.line == 2 else { return true }
      pause.aside { state in
        for text in ["while true do end", "return 6 * 7", "error 'x'"] {
          do throws(LuaError) {
            let chunk = try state.load(text, name: "aside")
            values.append(try state.call(chunk, limits: LuaLimits(instructions: 100_000)))
          } catch {
            errors.append(error.code)
          }
        }
      }
      return true
    }
    let text = "local x = 1\nx = x + 1\nfor i = 1, 100 do\n  x = x + 1\nend\nreturn x"
    #expect(try evaluate(state, text, limits: LuaLimits(instructions: 5000)) == [102])
    #expect(errors == [.instructions, .runtime])
    #expect(values == [[42]])
  }

  @Test func `a budget that was small is small after a pause`() throws {
    state.watchLines { pause in
      pause.aside { state in _ = try? state.call(state.load("return 1", name: "aside")) }
      return true
    }
    let error = try failure(
      state, "while true do\n  local x = 1\nend", limits: LuaLimits(instructions: 3000))
    #expect(error.code == .instructions)
  }

  @Test func `time passes only while the run goes on`() throws {
    state.watchLines { pause in
      guard pause.line == 3 else { return true }
      pause.aside { _ in
        // Work of the host that is longer than the limit.
        let end = ContinuousClock.now + .milliseconds(700)
        while ContinuousClock.now < end {}
      }
      return true
    }
    let text = """
      local n = 0
      for i = 1, 2000 do n = n + 1 end
      n = n + 1
      for i = 1, 2000 do n = n + 1 end
      return n
      """
    #expect(try evaluate(state, text, limits: LuaLimits(cpuTime: .milliseconds(500))) == [4001])
  }

  @Test func `a call aside is not watched, and changes nothing that waits`() throws {
    var lines: [Int] = []
    state.watchLines { pause in
      lines.append(pause.line)
      pause.aside { state in
        _ = try? state.call(state.load("\n\n\n\n\nlocal y = 1\nreturn y", name: "aside"))
      }
      return true
    }
    #expect(try evaluate(state, "local x = 1\nx = 2\nreturn x") == [2])
    #expect(lines == [1, 2, 3])
  }

  @Test func `a text aside cannot wait`() throws {
    let state = try LuaState(profile: .plugin)
    try state.set(
      "wait", to: .function(state.asyncFunction(named: "wait") { _ in [.integer(1)] }))
    var message = ""
    state.watchLines { pause in
      pause.aside { state in
        do throws(LuaError) {
          try state.call(state.load("return wait()", name: "aside"))
        } catch {
          message = error.message
        }
      }
      return true
    }
    #expect(try evaluate(state, "return 7") == [7])
    #expect(message.contains("not possible here"))
  }
}
