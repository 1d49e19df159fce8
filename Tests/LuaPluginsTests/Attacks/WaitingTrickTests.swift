import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// Attacks on the waiting of `http`, which suspends the script.
@Suite(.serialized) struct `A script that plays with waiting` {
  let vendor = ScriptedVendor()

  private func home(_ body: String) throws -> PluginGraph {
    vendor.answer("GET https://api.test.example/a") { _ in
      await Task.yield()
      return .json(["id": "7"])
    }
    return try PluginGraph(
      script(
        """
        local a = "https://api.test.example/a"
        \(body)
        """), script("return identity { subject = '8' }", id: "other.example"), transport: vendor)
  }

  static let tricks = [
    // A request inside a coroutine of its own.
    "local r = coroutine.wrap(function() return http.get(a) end)() return identity { subject = r:json().id }",
    "local co = coroutine.create(http.get) coroutine.resume(co, a) coroutine.close(co) return identity { subject = '7' }",
    "for i = 1, 20 do coroutine.resume(coroutine.create(http.get), a) end return identity { subject = '7' }",
    "local co co = coroutine.create(function() return http.get(a) end) coroutine.resume(co) coroutine.resume(co, { status = 200 }) return identity { subject = '7' }",
    "coroutine.yield() return identity { subject = '7' }",
    "coroutine.yield(http.get, a) return identity { subject = '7' }",
    "return coroutine.yield(identity { subject = '7' })",
    // A request in a callback of Lua.
    "table.sort({ 3, 1, 2 }, function(x, y) http.get(a) return x < y end) return identity { subject = '7' }",
    "local s = ('x'):gsub('x', function() return http.get(a):json().id end) return identity { subject = s }",
    "local t = setmetatable({}, { __index = function() return http.get(a):json().id end }) return identity { subject = t.id }",
    "local t <close> = setmetatable({}, { __close = function() http.get(a) end }) return identity { subject = '7' }",
    "setmetatable({}, { __gc = function() http.get(a) end }) for i = 1, 1e5 do local t = {} end return identity { subject = '7' }",
    "for r in http.get, a do return identity { subject = r:json().id } end",
    "return xpcall(http.get, function() while true do end end, 'https://evil.example/') and nil",
    "return select(2, pcall(pcall, error)) or identity { subject = '7' }",
    // The script tries to catch the error that stops it.
    "while true do pcall(http.get, a) end",
    "while true do pcall(http.get, 'https://evil.example/') end",
    "while true do xpcall(http.get, function() return http.get(a) end, a) end",
    "while true do coroutine.wrap(function() pcall(http.get, a) end)() end",
    "local function f() pcall(http.get, a) return f() end return f()",
    "pcall(function() while true do end end) return identity { subject = 'after the stop' }",
    "pcall(function() while true do http.get(a) end end) while true do end",
    // A text that is too large is an ordinary error, up to a number of them.
    "pcall(function() local s = 'x' while true do s = s .. s end end) return identity { subject = '7' }",
    "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end",
    // The script keeps its functions for later.
    "kept = http", "_ENV.http = http", "string.http = http", "getmetatable('').__index = http",
    "_G.identity = nil", "rawset(_ENV, 'identity', nil) return identity { subject = '7' }",
  ]

  @Test(arguments: tricks)
  func `attack 32: ends as a sign-in or an error, and others go on`(_ trick: String) async throws {
    let home = try home(trick)
    let began = ContinuousClock.now

    for _ in 1...2 {
      do {
        let account = try await home.signIn("test.example", ["token": "t"]).account
        #expect(account.identities.map(\.key.subject) == ["7"])
      } catch let error as AuthError {
        #expect([.pluginFailed, .networkRequestFailed].contains(error.code), "\(error)")
      }
    }
    let other = try await home.signIn("other.example", ["token": "t"])

    // A guard against hanging.
    #expect(ContinuousClock.now - began < .seconds(60))
    #expect(other.account.identities.map(\.key.subject) == ["8"])
    #expect(vendor.requests.count <= 20)
    #expect(vendor.requests.allSatisfy { $0.url == "https://api.test.example/a" })
  }

  @Test func `attack 32: a cancelled sign-in ends its script, even if that catches errors`()
    async throws
  {
    let home = try home("while true do pcall(http.get, a) end")
    vendor.answer("GET https://api.test.example/a") { _ in
      try await Task.sleep(for: .seconds(60))
      return .json([:])
    }
    let began = ContinuousClock.now

    let signIn = Task { try await home.signIn("test.example", ["token": "t"]) }
    while vendor.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    signIn.cancel()
    let outcome = await signIn.result

    #expect(throws: (any Error).self) { try outcome.get() }
    // A guard against hanging: a request alone may take ten seconds.
    #expect(ContinuousClock.now - began < .seconds(9))
    let other = try await home.signIn("other.example", ["token": "t"])
    #expect(other.isNewUser)
  }

  @Test func `attack 32: hostile scripts of one plug-in do not hold up another's people`()
    async throws
  {
    let names = ["endless-loop", "pcall-hides-abort", "gsub-backtracking", "string-doubling"]
    let tricks = `A hostile script in a plug-in`.tricks.filter { names.contains($0.name) }
    #expect(tricks.count == names.count)
    let hostile = tricks.enumerated().map { number, trick in
      script(trick.source, id: "hostile\(number).example")
    }
    let home = try PluginGraph(
      hostile[0], hostile[1], hostile[2], hostile[3],
      script("return identity { subject = '8' }", id: "other.example"), transport: vendor)
    _ = try await home.signIn("other.example", ["token": "t"])

    let times = try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let error = await expectError {
            try await home.signIn("hostile\(number % 4).example", ["token": "t"])
          }
          #expect(error?.code == .pluginFailed)
        }
      }
      var times: [Duration] = []
      for _ in 0..<21 {
        let began = ContinuousClock.now
        _ = try await home.signIn("other.example", ["token": "t"])
        times.append(ContinuousClock.now - began)
      }
      try await group.waitForAll()
      return times.sorted()
    }

    // Ten scripts of 30 ms each are in every queue: a sign-in that waited in one would wait for 300 ms.
    #expect(times[times.count / 2] < .milliseconds(50), "\(times)")
  }
}
