import LuaRuntime
import Testing

/// Tests what a pool of policies relies on: one compiled chunk can be called again and again.
@Suite struct ReuseTests {
  @Test func `a chunk is compiled once and called often`() throws {
    let state = try LuaState(profile: .policy)
    let chunk = try state.load(
      """
      local account = ...
      local counter = 0
      counter = counter + 1
      return account.uid .. counter
      """, name: "policy", environment: state.makeEnvironment(sealed: true))

    for number in 0..<1000 {
      let account: LuaValue = ["uid": .string("u\(number)"), "providers": [["id": "google.com"]]]
      #expect(try state.call(chunk, [account]) == [.string("u\(number)1")])
    }
  }

  @Test func `a call after an error, a stop and a yield is as good as the first`() async throws {
    let state = try LuaState(profile: .plugin)
    try state.set(
      "wait", to: .function(state.asyncFunction(named: "wait") { _ in [.integer(1)] }))
    let chunk = try state.load(
      """
      local mode = ...
      if mode == 'error' then error 'x' end
      if mode == 'loop' then while true do end end
      if mode == 'wait' then return wait() end
      return 'done'
      """, name: "modes")

    for mode in ["error", "loop", "wait", "plain", "loop", "wait", "error"] {
      let result = try? await state.run(
        chunk, [.string(mode)], limits: LuaLimits(instructions: 20_000))

      switch mode {
      case "wait": #expect(result == [1])
      case "plain": #expect(result == ["done"])
      default: #expect(result == nil)
      }
    }
  }

  @Test func `many calls wait at the same time on one state`() async throws {
    let state = try LuaState(profile: .plugin)
    let ask = state.yieldingFunction(named: "ask") { .yield(try $0.integer(1)) }
    try state.set("ask", to: .function(ask))
    let chunk = try state.load("local n = ... return ask(n) + ask(n * 2)", name: "test")

    let coroutines = try (1...200).map { try state.start(chunk, [.integer($0)]) }
    for coroutine in coroutines { try coroutine.resume([10]) }
    let sums = try coroutines.reversed().map { coroutine -> [LuaValue] in
      guard case .finished(let values) = try coroutine.resume([5]) else { return [] }
      return values
    }

    #expect(sums == Array(repeating: [15], count: 200))
  }
}
