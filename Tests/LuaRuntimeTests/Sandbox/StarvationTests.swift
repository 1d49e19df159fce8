import Foundation
import LuaRuntime
import Testing

extension Sandbox {
  @Suite struct StarvationTests {
    @Test(
      arguments: [
        ("instructions", LuaLimits(instructions: 50_000)),
        ("time", LuaLimits(cpuTime: .milliseconds(20))),
        ("deadline", LuaLimits(deadline: .milliseconds(20))),
      ])
    func `each budget stops an endless loop with its own code`(
      code: String, limits: LuaLimits
    ) throws {
      let state = try LuaState(profile: .plugin)

      let error = try failure(state, "while true do end", limits: limits)

      #expect(error.code.description == code)
      #expect(error.isAbort)
      #expect(error.line == 1)
      #expect(!state.isTainted)
    }

    @Test func `exhausted memory is an error and taints the state`() throws {
      let state = try LuaState(profile: .plugin)

      let error = try failure(
        state, "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
        limits: LuaLimits(memory: 4 << 20))

      #expect(error.code == .memory)
      #expect(state.isTainted)
      #expect(try evaluate(state, "return 1") == [1])
    }

    @Test func `memory that one call kept does not starve the next`() throws {
      let state = try LuaState(
        profile: .plugin, configuration: .init(limits: LuaLimits(memory: 4 << 20)))

      for _ in 0..<20 {
        _ = try failure(state, "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end")
        #expect(try evaluate(state, "return #('x'):rep(1000000)") == [1_000_000])
      }
    }

    @Test func `an interrupt from another thread stops the call`() throws {
      let state = try LuaState(profile: .console)
      let interrupt = state.interrupt
      Thread.detachNewThread {
        usleep(30_000)
        interrupt.interrupt()
      }

      let error = try failure(state, "while true do pcall(function() while true do end end) end")

      #expect(error.code == .interrupted)
      #expect(try evaluate(state, "return 1") == [1])
    }

    @Test func `an early interrupt stops the next call, once`() throws {
      let state = try LuaState(profile: .console)
      state.interrupt.interrupt()

      #expect(try failure(state, "for i = 1, 1000 do end").code == .interrupted)
      #expect(try evaluate(state, "return 1") == [1])
    }

    @Test func `a budget is per call, not per state`() throws {
      let state = try LuaState(profile: .plugin)
      for _ in 0..<50 {
        try evaluate(state, "for i = 1, 10000 do end", limits: LuaLimits(instructions: 50_000))
      }
    }

    /// Sources that are short but take long to compile.
    static let sources: [(String, String)] = [
      ("parentheses", "return " + String(repeating: "(", count: 100_000)),
      ("tables", "return " + String(repeating: "{", count: 100_000)),
      ("minus", "return " + String(repeating: "- ", count: 200_000) + "1"),
      ("concatenation", "return 'a'" + String(repeating: " .. 'a'", count: 50_000)),
      ("blocks", String(repeating: "do ", count: 100_000)),
      (
        "constants",
        "local t = {" + (0..<90_000).map { "'k\($0)'" }.joined(separator: ",") + "} return #t"
      ),
      ("locals", (0..<300).map { "local a\($0)" }.joined(separator: " ")),
      ("labels", (0..<32_000).map { "::l\($0)::" }.joined()),
      ("gotos", (0..<30_000).map { "goto l\($0) " }.joined()),
      (
        "names through many levels",
        (0..<90).map { level in
          "local function f\(level)() local "
            + (0..<100).map { "v\(level)_\($0)" }.joined(separator: ",") + " "
        }.joined() + String(repeating: "a=a ", count: 150_000)
      ),
      ("long string", "return [[" + String(repeating: "x", count: 900_000) + "]]"),
      ("long name", "return " + String(repeating: "x", count: 900_000)),
      ("too long", String(repeating: " ", count: 2_000_000)),
    ]

    @Test(arguments: sources.indices)
    func `a source that is hard to compile ends within the budget`(index: Int) throws {
      let (name, source) = Self.sources[index]
      let state = try LuaState(
        profile: .plugin,
        configuration: .init(
          limits: LuaLimits(instructions: 3_000_000, cpuTime: .milliseconds(100), memory: 32 << 20))
      )

      let time = try leastTime(atMost: .milliseconds(150)) {
        do { _ = try state.load(source, name: name) } catch let error as LuaError {
          #expect(error.code == .syntax || error.isAbort, "\(error)")
        }
      }

      #expect(time < .milliseconds(150), "\(name)")
      #expect(try evaluate(state, "return 1") == [1])
    }
  }
}
