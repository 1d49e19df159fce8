import LuaRuntime
import Testing

/// Compiles and calls a text in a fresh environment.
@discardableResult
func evaluate(
  _ state: LuaState, _ source: String, _ arguments: [LuaValue] = [], limits: LuaLimits? = nil
) throws -> [LuaValue] {
  let chunk = try state.load(source, name: "test", environment: state.makeEnvironment())
  return try state.call(chunk, arguments, limits: limits)
}

/// Returns the error with which a text ends.
func failure(
  _ state: LuaState, _ source: String, _ arguments: [LuaValue] = [], limits: LuaLimits? = nil
) throws -> LuaError {
  try #require(throws: LuaError.self) {
    try evaluate(state, source, arguments, limits: limits)
  }
}

@Suite struct CallTests {
  let state: LuaState
  init() throws { state = try LuaState(profile: .plugin) }

  @Test func `values go to Lua and back`() throws {
    let values: [LuaValue] = [
      nil, true, 42, 1.5, "text", .bytes([0xff, 0, 0xfe]), .null, [1, [2, 3]],
      ["name": "Ada", "list": ["a", "b"]], .string("zero\0inside"), .integer(.min),
    ]

    let back = try evaluate(state, "return ...", values)

    #expect(back == values)
  }

  @Test func `a syntax error names its line and is not incomplete`() throws {
    let error = try failure(state, "local x = 1\nx = = 2")

    #expect(error.code == .syntax)
    #expect(error.line == 2)
    #expect(error.script == "test")
    #expect(!error.isIncomplete)
  }

  @Test func `text that stops too early is incomplete`() throws {
    #expect(try failure(state, "for i = 1, 2 do").isIncomplete)
    #expect(try failure(state, "return {").isIncomplete)
    #expect(try failure(state, "x = [[long").isIncomplete)
  }

  @Test func `a runtime error names line, message and calls`() throws {
    let error = try failure(state, "local function f()\n  error('broken')\nend\nf()")

    #expect(error.code == .runtime)
    #expect(error.message == "broken")
    #expect(error.line == 2)
    #expect(error.description == "test:2: broken")
    #expect(error.traceback?.contains("test:4") == true)
  }

  @Test func `a table that was raised comes back as value`() throws {
    let error = try failure(state, "error { code = 'no-such-thing', message = 'Not here.' }")

    #expect(error.value?.tableValue?["code"] == "no-such-thing")
    #expect(error.message == "no-such-thing: Not here.")
  }

  @Test func `a copy of a table with a cycle is refused`() throws {
    #expect(try failure(state, "local t = {} t.t = t return t").code == .conversion)
  }

  @Test func `a copy that would explode is refused`() throws {
    let error = try failure(
      state, "local t = {} for i = 1, 50 do t = {t, t} end return t",
      limits: LuaLimits(instructions: 1 << 30, cpuTime: .seconds(60), memory: 64 << 20))

    #expect(error.code == .conversion)
  }

  @Test func `tables can stay in Lua`() throws {
    let chunk = try state.load("local t = {10, 20, name = 'x'} t.t = t return t", name: "test")

    let result = try state.call(chunk, results: .references)[0]

    let table = try #require(result.referenceValue)
    #expect(state.length(of: table) == 2)
    #expect(state.element(2, of: table) == 20)
    #expect(state.field("name", of: table) == "x")
  }

  @Test func `a reference may outlive its state`() throws {
    var other: LuaState? = try LuaState(profile: .plugin)
    let kept = try other?.reference(to: [1, 2, 3])

    other = nil

    #expect(kept?.typeName == "table")
  }

  @Test func `a reference of another state is refused`() throws {
    let other = try LuaState(profile: .plugin)
    let foreign = LuaValue.reference(try other.reference(to: [1]))

    #expect(throws: LuaError.self) { try evaluate(state, "return ...", [foreign]) }
  }

  @Test func `binary chunks are refused`() throws {
    #expect(try failure(state, "\u{1b}Lua").code == .syntax)
  }
}
