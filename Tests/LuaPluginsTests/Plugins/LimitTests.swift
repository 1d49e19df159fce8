import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

@Suite(.serialized) struct LimitTests {
  let home = PluginHome()

  @Test func `a thousand verifications are in flight at once, and no thread waits for them`()
    async throws
  {
    let text = """
      return provider {
        id = "acme.example", name = "Acme", hosts = { "api.acme.example" },
        credentials = { token = { token = field.text "the token" } },
        verify = function(credential, http)
          local a = http.get("https://api.acme.example/a", { query = { t = credential.token } }):json()
          local b = http.get("https://api.acme.example/b", { query = { t = a.next } }):json()
          return identity { subject = b.id }
        end,
      }
      """
    let provider = try home.provider(text)
    let gate = Gate(arrivals: 1_000)
    home.vendor.answer("GET https://api.acme.example/a") { request in
      // No request is answered before all have arrived.
      gate.arrive()
      await gate.wait()
      return .json(["next": .string(request.fields["t"] ?? "")])
    }
    home.vendor.answer("GET https://api.acme.example/b") { request in
      .json(["id": .string(request.fields["t"] ?? "")])
    }

    let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let identity = try await home.verify(provider, "token", ["token": "person-\(number)"])
          return identity.key?.subject != "person-\(number)"
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }

    #expect(wrong == 0)
    #expect(home.vendor.requests.count == 2_000)
  }

  static let endless = [
    "while true do end", "for i = 1, 1e12 do pcall(error, 'x') end",
    "local t = {} for i = 1, 1e12 do t[i] = {} end", "local s = 'x' while true do s = s .. s end",
    "local s = ('a'):rep(1e10)", "('a'):rep(20000):find(('a*'):rep(40) .. 'b')",
    "local function f() return f() + 1 end f()", "for i = 1, 1e9 do log.info('x') end",
    "while true do pcall(http.get, 'https://api.test.example/a') end",
    "while true do coroutine.wrap(function() while true do end end)() end",
  ]

  @Test(arguments: endless)
  func `attack 32: a script that does not end is stopped and reported`(
    _ body: String
  ) async throws {
    home.vendor.answer("GET https://api.test.example/a", json: ["id": 1])

    let error = await expectError {
      try await home.verify(body + " return identity { subject = 1 }")
    }

    #expect(error?.code == .pluginFailed)
    let report = try #require(home.log.records.last { $0.level == .error })
    let reasons = ["CPU time", "memory", "budget", "stack overflow"]
    #expect(reasons.contains { report.message.contains($0) }, "\(report)")
    #expect(report.place == "test.lua:5")
    #expect(home.log.records.count <= 25)
  }

  @Test func `a script that logs without end is cut off, and the rest of it goes on`() async throws
  {
    let identity = try await home.verify(
      "for i = 1, 1000 do log.info('line ' .. i) end return identity { subject = 1 }")

    #expect(identity.key?.subject == "1")
    #expect(home.log.records.count == 21)
    #expect(home.log.records.last?.message.contains("logs more than 20 lines") == true)
  }

  @Test func `a script makes ten requests, and no more`() async throws {
    home.vendor.answer("GET https://api.test.example/a", json: ["id": 1])

    let error = await expectError {
      try await home.verify(
        "for i = 1, 11 do http.get('https://api.test.example/a') end return identity { subject = 1 }"
      )
    }

    #expect(error?.code == .pluginFailed)
    #expect(home.vendor.requests.count == 10)
    #expect(home.log.text.contains("too many requests"))
  }

  @Test func `a vendor that never answers is given up, and a script cannot wait longer`()
    async throws
  {
    var home = PluginHome()
    home.limits.requestTime = .milliseconds(50)
    home.limits.time = .milliseconds(200)
    home.vendor.answer("GET https://api.test.example/a") { request in
      #expect(request.timeout <= .milliseconds(50))
      try await Task.sleep(for: request.timeout)
      throw AuthError(.networkRequestFailed, "api.test.example did not answer in time.")
    }

    let patient = await expectError {
      try await home.verify(
        "while true do pcall(http.get, 'https://api.test.example/a') end")
    }
    let plain = await expectError {
      try await home.verify(
        "http.get('https://api.test.example/a') return identity { subject = 1 }")
    }

    #expect(patient?.code == .pluginFailed || patient?.code == .networkRequestFailed)
    #expect(plain?.code == .networkRequestFailed && plain?.step == .profile)
    #expect(home.vendor.requests.count <= 12)
  }

  @Test func `one plug-in's endless scripts do not keep another's people waiting`() async throws {
    let endless = try home.provider(
      """
      return provider {
        id = "endless.example", name = "Endless",
        credentials = { token = { token = field.text "the token" } },
        verify = function() while true do end end,
      }
      """)
    let quick = try home.provider(
      """
      return provider {
        id = "quick.example", name = "Quick", hosts = { "api.quick.example" },
        credentials = { token = { token = field.text "the token" } },
        verify = function(credential, http)
          return identity { subject = http.get("https://api.quick.example/me"):json().id }
        end,
      }
      """)
    home.vendor.answer("GET https://api.quick.example/me", json: ["id": "ada"])
    _ = try await home.verify(quick, "token", ["token": "x"])

    let stoppedBefore = try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<60 {
        group.addTask {
          let error = await expectError { try await home.verify(endless, "token", ["token": "x"]) }
          #expect(error?.code == .pluginFailed)
        }
      }
      for _ in 0..<20 { _ = try await home.verify(quick, "token", ["token": "x"]) }
      // Each is reported once.
      let count = home.log.records.count
      try await group.waitForAll()
      return count
    }

    // 60 endless scripts are stopped one after another; twenty quick sign-ins do not wait for them.
    #expect(stoppedBefore < 40, "\(stoppedBefore) of 60")
  }
}
