import LuaRuntime
import Testing

private struct Refused: LuaErrorConvertible {
  func luaError() -> LuaTable {
    LuaTable(fields: ["code": "refused", "message": "Not today.", "remedy": "Wait."])
  }
}

@Suite struct HostFunctionTests {
  let state: LuaState
  init() throws { state = try LuaState(profile: .plugin) }

  @Test func `a function gets arguments and gives results`() throws {
    try state.set(
      "add",
      to: .function(
        state.function(named: "add") { call in
          [.integer(try call.integer(1, "a") + call.integer(2, "b"))]
        }))

    #expect(try evaluate(state, "return add(2, 40)") == [42])
  }

  @Test func `a wrong argument is named`() throws {
    try state.set(
      "get", to: .function(state.function(named: "accounts.get") { [.string(try $0.string(1))] }))

    let error = try failure(state, "\nget(nil)")

    #expect(error.message == "bad argument 1 to 'accounts.get' (string expected, got nil)")
    #expect(error.line == 2)
  }

  @Test func `a thrown error becomes a table in Lua and comes back as cause`() throws {
    try state.set("try", to: .function(state.function(named: "try") { _ in throw Refused() }))

    let caught = try evaluate(
      state, "local ok, e = pcall(try) return ok, e.code, e.remedy, tostring(e)")
    #expect(caught == [false, "refused", "Wait.", "refused: Not today."])

    let error = try failure(state, "try()")
    #expect(error.message == "refused: Not today.")
    #expect(error.cause is Refused)
  }

  @Test func `a host function may call back into Lua`() throws {
    let state = state
    try state.set(
      "twice",
      to: .function(
        state.function(named: "twice") { call in
          let function = try call.function(1)
          return try call.state.call(function) + call.state.call(function)
        }))

    #expect(
      try evaluate(state, "local n = 0 return twice(function() n = n + 1 return n end)") == [1, 2])
    #expect(try failure(state, "twice(function() error('inside') end)").message == "inside")
  }

  @Test func `an endless callback is stopped through the host function`() throws {
    try state.set(
      "hide",
      to: .function(
        state.function(named: "hide") { call in
          _ = try? call.state.call(try call.function(1))
          return []
        }))

    let error = try failure(
      state, "while true do pcall(hide, function() while true do end end) end",
      limits: LuaLimits(instructions: 100_000))

    #expect(error.code == .instructions)
  }

  @Test func `a script pays for the copies of its values`() throws {
    try state.set(
      "take",
      to: .function(
        state.function(named: "take") {
          _ = try $0.table(1); return []
        }))

    let error = try failure(
      state, "local t = {} for i = 1, 1000 do t[i] = i end while true do take(t) end",
      limits: LuaLimits(instructions: 1_000_000))

    #expect(error.code == .instructions)
  }

  @Test func `references made in one long call are let go meanwhile`() throws {
    try state.set(
      "look",
      to: .function(
        state.function(named: "look") {
          _ = try $0.reference(1); return []
        }))

    let results = try evaluate(
      state, "for i = 1, 50000 do look({ i, i, i, i }) end return 'kept within the limit'",
      limits: LuaLimits(memory: 2 << 20))

    #expect(results == ["kept within the limit"])
  }
}
