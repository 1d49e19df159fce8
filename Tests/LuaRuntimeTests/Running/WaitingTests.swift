import LuaRuntime
import Testing

@Suite struct WaitingTests {
  let state: LuaState
  init() throws {
    state = try LuaState(profile: .plugin)
    try state.set(
      "fetch",
      to: .function(
        state.asyncFunction(named: "fetch") { arguments in
          await Task.yield()
          guard let key = arguments.first?.stringValue else {
            throw LuaArgumentError("a key is needed")
          }
          return [.string("value of \(key)")]
        }))
  }

  func run(_ source: String, limits: LuaLimits? = nil) async throws -> [LuaValue] {
    let chunk = try state.load(source, name: "test", environment: state.makeEnvironment())
    return try await state.run(chunk, limits: limits)
  }

  @Test func `a host function may wait`() async throws {
    #expect(try await run("return fetch 'a' .. ', ' .. fetch 'b'") == ["value of a, value of b"])
  }

  @Test func `waiting works below pcall, metamethods, iterators and coroutines`() async throws {
    let source = """
      local ok, a = pcall(fetch, 'a')
      local t = setmetatable({}, { __index = function(_, key) return fetch(key) end })
      local co = coroutine.wrap(function()
        local inner = coroutine.wrap(function() coroutine.yield(fetch 'c') end)
        coroutine.yield(inner())
        coroutine.yield(fetch 'd')
      end)
      local list = {}
      for v in function(_, last) if last ~= 'value of e' then return fetch 'e' end end do
        list[#list + 1] = v
      end
      return a, t.b, co(), co(), list[1]
      """

    #expect(
      try await run(source)
        == ["value of a", "value of b", "value of c", "value of d", "value of e"])
  }

  @Test func `an error of the waiting is raised at the place that waits`() async throws {
    #expect(
      try await run("local ok, e = pcall(fetch) return ok, e") == [
        false, "test:1: a key is needed",
      ])
  }

  @Test func `waiting at an impossible place says so`() async throws {
    let sorted = try await run(
      "return pcall(table.sort, {2, 1}, function() return fetch 'x' end)")
    #expect(sorted[1].stringValue?.contains("has to wait") == true)

    #expect(try failure(state, "fetch 'x'").message.contains("has to wait"))
  }

  @Test func `the budget is carried across waits`() async throws {
    let source = "while true do fetch 'x' for i = 1, 1000 do end end"

    let error = await #expect(throws: LuaError.self) {
      try await run(source, limits: LuaLimits(instructions: 200_000))
    }

    #expect(error?.code == .instructions)
  }

  @Test func `an owner may drive a coroutine itself`() throws {
    try state.set(
      "ask", to: .function(state.yieldingFunction(named: "ask") { .yield(try $0.string(1)) }))
    let chunk = try state.load("return ask 'one' + ask 'two'", name: "test")

    let coroutine = try state.start(chunk)

    guard case .awaiting(let first) = coroutine.step else {
      Issue.record("it does not wait")
      return
    }
    #expect(first as? String == "one")
    guard case .awaiting(let second) = try coroutine.resume([40]) else {
      Issue.record("it does not wait")
      return
    }
    #expect(second as? String == "two")
    guard case .finished(let values) = try coroutine.resume([2]) else {
      Issue.record("it is not finished")
      return
    }
    #expect(values == [42])
    #expect(throws: LuaError.self) { try coroutine.resume() }
  }

  @Test func `a script cannot yield out of its call`() async throws {
    let error = await #expect(throws: LuaError.self) { try await run("coroutine.yield(1)") }

    #expect(error?.message.contains("cannot yield here") == true)
  }
}
