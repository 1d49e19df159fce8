import LuaRuntime
import Testing

/// Makes each allocation fail once: every script ends cleanly.
@Suite struct AllocationFailureTests {
  static let scripts = [
    "local t = {} for i = 1, 30 do t[i] = { i, name = 'n' .. i } end return #t",
    "return (('abc'):rep(40):gsub('b', function(c) return c:upper() end))",
    "return pcall(pcall, error, { code = 'x' })",
    "local co = coroutine.wrap(function(a) local b = coroutine.yield(a) return b end) return co(1), co(2)",
    "local t = setmetatable({}, { __index = function(_, k) return k .. k end }) return t.a, t.b",
    "return json.encode(json.decode '[1, {\"a\": [true, null, \"x\\\\u00e9\"]}]')",
    "return host(1, 'text', { 1, 2 })",
    "return pcall(throw)",
    "local o = thing() return tostring(o), o.field, pcall(function() return o.feld end)",
    "for w in ('some words here'):gmatch('%a+') do words = (words or '') .. w end return words",
    "return select('#', table.unpack({}, 1, 500)), table.concat({ 1, 2, 3 }, ', ')",
    "local function f(n) if n > 0 then return 1 + f(n - 1) end return 0 end return f(200)",
    "error({ message = 'raised' })",
    "return xpcall(error, function(m) return m .. '!' end, 'x')",
  ]

  private struct Refusal: LuaErrorConvertible {
    func luaError() -> LuaTable { LuaTable(fields: ["code": "refused", "message": "No."]) }
  }

  static func prepared() throws -> LuaState {
    let state = try LuaState(profile: .plugin)
    try state.set("host", to: .function(state.function(named: "host") { $0.arguments }))
    try state.set("throw", to: .function(state.function(named: "throw") { _ in throw Refusal() }))
    var type = LuaObjectType(name: "thing", fields: ["field"])
    type.get = { _, _, name in name == "field" ? .values([["nested", [1]]]) : nil }
    type.describe = { _ in "a thing" }
    state.define(type)
    try state.set(
      "thing",
      to: .function(
        state.function(named: "thing") { _ in [.object(LuaObject(type: "thing", value: 0))] }))
    return state
  }

  @Test(arguments: scripts)
  func `any allocation of a script may fail`(source: String) throws {
    let state = try Self.prepared()
    func attempt() throws -> Result<[LuaValue], LuaError> {
      do { return .success(try evaluate(state, source)) } catch let error as LuaError {
        return .failure(error)
      }
    }
    state.failAllocation(.max / 2)
    _ = try attempt()
    let allocations = state.allocationCount
    #expect(allocations > 0)

    for k in 1...allocations {
      state.failAllocation(k)
      let result = try attempt()
      state.failAllocation(0)
      if case .failure(let error) = result, error.code != .memory, error.code != .runtime {
        Issue.record("allocation \(k): \(error)")
      }
      #expect(try evaluate(state, "return 6 * 7") == [42])
    }
  }
}
