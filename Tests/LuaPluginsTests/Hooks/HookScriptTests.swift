import AuthCore
import LuaPlugins
import Synchronization
import Testing

@Suite struct `A script of hooks` {
  private static func event(_ claims: JSONValue = .null) throws -> SignInHookEvent {
    var functions = BlockingFunctions()
    functions.script = nil
    return SignInHookEvent(
      kind: .beforeSignIn, scope: Scope(project: "test"), account: try PolicyBench.account("ada"),
      signInMethod: "password", secondFactor: nil, claims: claims, functions: functions,
      client: ClientDescription())
  }

  private func answer(
    _ body: String, claims: JSONValue = .null, hooks: LuaSignInHooks = LuaSignInHooks()
  ) async throws -> SignInHookAnswer? {
    var event = try Self.event(claims)
    var functions = BlockingFunctions()
    functions.script = PolicySource(
      name: "hooks.lua", text: "return hooks { before_sign_in = function(event)\n\(body)\nend }")
    event = SignInHookEvent(
      kind: event.kind, scope: event.scope, account: event.account,
      signInMethod: event.signInMethod, secondFactor: nil, claims: claims, functions: functions,
      client: event.client)
    return try await hooks.answer(event)
  }

  private func failure(_ body: String, claims: JSONValue = .null) async -> AuthError? {
    do {
      _ = try await answer(body, claims: claims)
      Issue.record("It was answered: \(body)")
    } catch let error as AuthError {
      return error
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  @Test(arguments: [.null, ["groups": .null], [:], "text"] as [JSONValue])
  func `PB4: the obvious hook works if the vendor says nothing`(claims: JSONValue) async throws {
    let answer = try await answer(
      "return { sessionClaims = { groups = event.claims.groups } }", claims: claims)
    #expect(answer?.sessionClaims == [:])
  }

  @Test func `PB4: empty values are nil at any depth, and others are there`() async throws {
    let answer = try await answer(
      """
      local inner = event.claims.a
      return { sessionClaims = {
        b = inner.b or "none", c = inner.c, count = #event.claims.list, last = event.claims.list[2],
        tenant = event.tenant, factor = event.secondFactor, address = event.client.address,
        plan = event.account.customClaims.plan, role = event.account.customClaims.role,
      } }
      """, claims: ["a": ["b": .null, "c": 1], "list": [.null, "x", ["y": .null]]])
    #expect(
      answer?.sessionClaims
        == ["b": "none", "c": 1, "count": 2, "last": [:], "role": "admin"])
  }

  @Test(arguments: [
    "refuse 'not you'", "{ customClaims = refuse 'not you' }", "{ refuse 'not you' }",
    "{ sessionClaims = { roles = { refuse 'not you' } } }", "{ displayName = refuse 'not you' }",
    "nil, refuse 'not you'",
  ])
  func `PB3: a refusal anywhere in an answer refuses`(value: String) async throws {
    let error = try #require(await failure("return \(value)"))
    #expect(error.code == .blockingFunctionError && error.message.contains("not you"))
    #expect(error.cause == nil, "It is no failure.")
    #expect(error.remedy?.contains("hooks.lua:2") == true, "\(error.remedy ?? "no remedy")")
  }

  @Test(arguments: [
    ("local _ = event.acount", "an event has no \"acount\". Did you mean \"account\"?"),
    ("local _ = event.account.emailVerifed", "Did you mean \"emailVerified\"?"),
    ("local _ = event.client.ip", "has no \"ip\""),
  ])
  func `PB7: an unknown name is an error`(body: String, problem: String) async throws {
    let error = try #require(await failure(body))
    let cause = try #require(error.cause as? AuthError)
    #expect(cause.message.hasPrefix("hooks.lua:2: ") && cause.message.contains(problem), "\(cause)")
  }

  @Test(arguments: [
    ("return event.claims.a.b", "hooks.lua:2: "), ("while true do end", "hooks.lua"),
    ("return true", "hooks.lua: the hook returned boolean"),
    ("return { displayName = 7 }", "hooks.lua: the hook returned displayName"),
    ("return { plan = 'x' }", "hooks.lua: a hook cannot change \"plan\""),
    ("return { customClaims = { 'a' } }", "hooks.lua: the hook returned customClaims"),
  ])
  func `PB5: a client learns of the failure, and an admin of its reason`(
    body: String, problem: String
  ) async throws {
    let error = try #require(await failure(body))
    #expect(error.code == .blockingFunctionError)
    #expect(error.message == "A hook of the app failed.")
    let cause = error.cause as? AuthError
    #expect(cause?.message.hasPrefix(problem) == true, "\(error.debugDescription)")
  }

  @Test func `PB14: a hook has the server's time, and its log goes there`() async throws {
    let lines = Mutex<[ScriptLogRecord]>([])
    let hooks = LuaSignInHooks(
      clock: { Timestamp(milliseconds: 1_700_000_000_000) },
      log: { line in lines.withLock { $0.append(line) } })
    let answer = try await answer(
      "log.warn('seen ' .. event.account.uid) return { sessionClaims = { now = time.now() } }",
      hooks: hooks)
    #expect(answer?.sessionClaims == ["now": 1_700_000_000_000])
    let line = try #require(lines.withLock(\.self).first)
    #expect(line.level == "warn" && line.message == "seen ada")
    #expect(line.place?.hasPrefix("hooks.lua") == true)
  }

  /// Attempts of a hook to keep one person's data for the next.
  @Test(arguments: [
    ("local n = 0", "n = n + 1 return { displayName = tostring(n) }"),
    (
      "local seen = {}",
      "local last = seen[1] seen[1] = event.account.uid return { displayName = tostring(last) }"
    ),
    (
      "",
      "pcall(function() n = 1 end) return { displayName = tostring(select(2, pcall(function() return n end))) }"
    ),
    (
      "",
      "pcall(function() string.upper = 1 end) return { displayName = type(string.upper) }"
    ),
    ("", "return { displayName = tostring(math.random(1000000)) }"),
    ("local lot = math.random(1000000)", "return { displayName = tostring(lot) }"),
  ])
  func `C10: state of an event is not there in the next`(before: String, body: String) async throws
  {
    let hooks = LuaSignInHooks(clock: { Timestamp(milliseconds: 1_700_000_000_000) })
    var functions = BlockingFunctions()
    functions.script = PolicySource(
      name: "hooks.lua",
      text: "\(before)\nreturn hooks { before_sign_in = function(event)\n\(body)\nend }")
    let event = SignInHookEvent(
      kind: .beforeSignIn, scope: Scope(project: "test"), account: try PolicyBench.account("ada"),
      signInMethod: "password", secondFactor: nil, claims: .null, functions: functions,
      client: ClientDescription())
    let first = try await hooks.answer(event)
    #expect(first != nil)
    for _ in 0..<3 { #expect(try await hooks.answer(event) == first) }
    let others = LuaSignInHooks(clock: { Timestamp(milliseconds: 1_700_000_000_000) })
    #expect(try await others.answer(event) == first)
  }

  @Test func `C10: the time of an event stands still, and each event has its own`() async throws {
    let ticks = Mutex<Int64>(0)
    let hooks = LuaSignInHooks(clock: {
      Timestamp(
        milliseconds: ticks.withLock {
          $0 += 1000; return $0
        })
    })
    var seen: [JSONValue] = []
    for _ in 0..<3 {
      let answer = try await answer(
        "local a = time.now() return { sessionClaims = { a = a, b = time.now() } }", hooks: hooks)
      guard case .object(let claims)? = answer?.sessionClaims else { continue }
      #expect(claims["a"] == claims["b"])
      seen.append(claims["a"] ?? .null)
    }
    #expect(seen.count == 3 && Set(seen.map(\.text)).count == 3)
  }

  @Test func `C10: print is not there, and the message names log.info`() async throws {
    let error = try #require(await failure("print('seen')"))
    #expect((error.cause as? AuthError)?.message.contains("log.info") == true)
  }

  @Test func `a hook that is no function is not used`() {
    #expect(throws: AuthError.self) {
      try LuaChangeHook.runExamples(
        of: PolicySource(name: "hooks.lua", text: "return hooks { before_sign_in = 7 }"))
    }
  }
}
