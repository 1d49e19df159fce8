import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import HTTPClientTransport
import LuaPlugins
import SessionTokens
import Testing

@testable import AuthServer
@testable import IdentityToolkitService

/// Attacks through code that the server runs or addresses that it calls: plug-ins, policies, functions, providers.
@Suite(.serialized) struct `Attacks by scripts and addresses` {
  /// Returns a plug-in that signs in the person named by a token; `body` is the rest of its behaviour.
  private static func plugin(_ body: String) throws -> any AuthProvider {
    let text = """
      return provider {
        id = "test.example", name = "Test", hosts = { "api.test.example" },
        credentials = { token = { token = field.text "the token" } },
        verify = function(credential, http)
          if credential.token == "good" then return identity { subject = "7" } end
          \(body)
        end,
      }
      """
    let clock = FixedClock()
    return try LuaPlugin.provider(
      PluginSource(name: "test.lua", text: text),
      host: PluginHost(transport: HTTPClientTransport(), clock: { clock.now }))
  }

  private func withPlugin(
    _ body: String, _ test: @escaping @Sendable (Federation) async throws -> Void
  ) async throws {
    let plugin = try Self.plugin(body)
    try await withFederation(
      .production,
      configure: {
        $0.providers = { registry, _ in registry.adding([plugin]) }
        $0.http.requestSeconds = 20
      }, test)
  }

  private static func postBody(_ token: String) -> String {
    "providerId=test.example&token=\(token)"
  }

  @Test func `attack 19: a profile of another subject than the token's does not sign in`()
    async throws
  {
    try await withFederation(.production) { home in
      let silent = FakePerson(subject: FakePerson.ada.subject)
      home.oidc.misbehave { $0.profilePerson = .bo }
      let token = try home.oidc.idToken(for: silent, nonce: "n")
      let access = home.oidc.accessToken(for: silent)

      let reply = try await home.signIn(
        postBody: URLText.form([
          (name: "providerId", value: "oidc.work"), (name: "id_token", value: token),
          (name: "access_token", value: access), (name: "nonce", value: "n"),
        ]))

      expectFailure(reply, "INVALID_IDP_RESPONSE")
      #expect(try await home.accountCount() == 0)
    }
  }

  @Test(arguments: ["me@example.com", "ME@EXAMPLE.COM"])
  func `attack 21: a plug-in that gives the address as the subject does not sign in`(
    _ subject: String
  ) async throws {
    try await withPlugin(
      "return identity { subject = '\(subject)', email = 'me@example.com', emailVerified = true }"
    ) { home in
      let reply = try await home.signIn(postBody: Self.postBody("bad"))
      expectFailure(reply, "INVALID_IDP_RESPONSE")
      #expect(try await home.accountCount() == 0)
      expectTokens(try await home.signIn(postBody: Self.postBody("good")))
    }
  }

  static let starving = [
    "while true do end", "local t = {} for i = 1, 1e12 do t[i] = {} end",
    "return ('x'):rep(1e10)", "('a'):rep(20000):find(('a*'):rep(40) .. 'b')",
    "while true do pcall(error, 'x') end", "return setmetatable({}, { __gc = 1 })",
    "while true do coroutine.wrap(function() while true do end end)() end",
    "os.execute('true')", "return require('os')", "return io.open('/etc/passwd'):read('a')",
    "return load('return 1')()", "debug.sethook()", "string.dump(print)",
    "http.get('http://169.254.169.254/')", "http.get('https://api.test.example@127.0.0.1/')",
  ]

  @Test(arguments: starving)
  func `attack 32: a hostile plug-in ends, and others are served meanwhile and after`(
    _ body: String
  ) async throws {
    try await withPlugin(body) { home in
      let replies = try await withThrowingTaskGroup(of: (Bool, Reply).self) { group in
        for number in 0..<8 {
          group.addTask {
            let isGood = number.isMultiple(of: 2)
            return (
              isGood, try await home.signIn(postBody: Self.postBody(isGood ? "good" : "bad"))
            )
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (isGood, reply) in replies {
        if isGood { expectTokens(reply) } else { expectFailure(reply, "INVALID_IDP_RESPONSE") }
        #expect(!reply.text.contains("test.lua"))
      }
      #expect(try await home.server.enter("a@example.com", "wrong-one").status == 400)
    }
  }

  @Test(arguments: starving.prefix(7))
  func `attack 32: a hostile policy is stopped when it is tried`(_ body: String) async throws {
    try await withServer(.production) { home in
      let script: JSONValue = [
        "name": "bad.lua",
        "text": .string(
          """
          return policy {
            name = "bad", on = { "credential-already-in-use" },
            decide = function(conflict) \(body) end,
            examples = { { name = "one", proof = { both = true }, expect = { into = "current" } } },
          }
          """),
      ]
      let used = try await home.admin("PUT", "\(home.adminRoot)/policy", script)
      #expect(used.status == 400, "\(used.text)")
      #expect(used.json["error"]?["reason"] == "invalid-policy")
      #expect(try await home.admin("GET", "\(home.adminRoot)/policy").status == 404)
      #expect(try await home.call("GET", "/ready").status == 200)
    }
  }

  @Test func `attack 33: a plug-in claims and does not grant`() async throws {
    try await withPlugin(
      "return identity { subject = '666', email = 'ada@example.com', emailVerified = true }"
    ) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let reply = try await home.signIn(postBody: Self.postBody("bad"))
      expectNoTokens(reply)
      #expect(try await home.stored(id).identities.map(\.provider) == [.password])

      // A trusted provider is believed.
      try await home.trust(ProviderID("test.example"))
      expectTokens(try await home.signIn(postBody: Self.postBody("bad")))
      #expect(try await home.stored(id).identities.count == 2)
    }
  }

  static let inner = [
    "http://127.0.0.1:1/hook?token=hidden", "http://[::ffff:127.0.0.1]:1/hook?token=hidden",
    "http://localhost:1/hook?token=hidden", "http://169.254.169.254/hook?token=hidden",
    "http://2130706433/hook?token=hidden", "http://0.0.0.0:1/hook?token=hidden",
    "file:///etc/passwd?token=hidden", "gopher://127.0.0.1/?token=hidden",
  ]

  @Test(arguments: inner)
  func `attack 29: a function on a private address is not asked, and the sign-in fails`(
    _ address: String
  ) async throws {
    let tokens = TokenService(
      style: .signed(.rs256), store: MemoryStore(), secrets: EphemeralSealing())
    let hooks = HTTPSignInHooks(transport: HTTPClientTransport(), tokens: tokens)
    try await withServer(.production, configure: { $0.hooks = hooks }) { home in
      try await home.setSettings {
        $0.signIn.blockingFunctions.functionURIs = ["beforeCreate": address]
      }
      let reply = try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
      #expect(reply.message?.hasPrefix("BLOCKING_FUNCTION_ERROR_RESPONSE") == true, "\(reply.text)")
      #expect(!reply.text.contains("hidden"))
      #expect(reply.json["idToken"] == nil)
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }
}
