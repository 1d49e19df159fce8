import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// The parts of requests that come from a credential or a script.
@Suite struct `The content of a plug-in's requests` {
  let vendor = ScriptedVendor()

  static let headers = [
    #"{ headers = { ["X-A"] = "a\r\nHost: evil.example" } }"#,
    #"{ headers = { ["X-A"] = "a\nb" } }"#, #"{ headers = { ["X-A"] = "a\0b" } }"#,
    #"{ headers = { ["X\r\nY"] = "a" } }"#, #"{ headers = { ["X Y"] = "a" } }"#,
    #"{ headers = { [""] = "a" } }"#, #"{ headers = { Host = "evil.example" } }"#,
    #"{ headers = { ["content-length"] = "0" } }"#,
    #"{ headers = { ["Transfer-Encoding"] = "chunked" } }"#,
    #"{ bearer = "a\r\nX: y" }"#, #"{ bearer = "a", scheme = "B\r\nX: y" }"#,
  ]

  @Test(arguments: headers)
  func `attack 29: a script cannot write reserved or malformed headers`(_ options: String)
    async throws
  {
    vendor.answer("GET https://api.test.example/", json: ["id": "7"])
    let home = try PluginGraph(
      script(
        "return identity { subject = http.get('https://api.test.example/', \(options)):json().id }"),
      transport: vendor)

    let error = await expectError { try await home.signIn("test.example", ["token": "t"]) }

    #expect(error?.code == .pluginFailed)
    #expect(vendor.requests.isEmpty)
  }

  @Test(arguments: [
    "{ bearer = credential.token }", "{ headers = { ['X-Token'] = credential.token } }",
    "{ bearer = credential.token, scheme = 'OAuth' }",
  ])
  func `attack 29: a credential with line breaks is refused, and the plug-in not blamed`(
    _ options: String
  ) async throws {
    vendor.answer("GET https://api.test.example/", json: ["id": "7"])
    let home = try PluginGraph(
      script(
        "return identity { subject = http.get('https://api.test.example/', \(options)):json().id }"),
      transport: vendor)

    let error = await expectError {
      try await home.signIn("test.example", ["token": "a\r\nHost: evil.example"])
    }

    #expect(error?.code == .invalidCredential && error?.step == .credential)
    #expect(error?.description.contains("evil") == false)
    #expect(vendor.requests.isEmpty)
    #expect(home.log.records.isEmpty)
  }

  @Test func `attack 29: in a query, a form and basic authentication a credential is escaped`()
    async throws
  {
    let token = "a\r\nHost: evil.example&admin=1#x"
    vendor.answer("POST https://api.test.example/", json: ["id": "7"])
    let home = try PluginGraph(
      script(
        """
        local options = { query = { t = credential.token }, form = { t = credential.token },
          basic = { "user", credential.token } }
        return identity { subject = http.post('https://api.test.example/', options):json().id }
        """), transport: vendor)

    _ = try await home.signIn("test.example", ["token": token])

    let request = try #require(vendor.requests.first)
    #expect(request.fields == ["t": token])
    #expect(URLText.query(of: request.url) == ["t": token])
    #expect(URLText.host(of: request.url) == "api.test.example")
    #expect(request.headers.allSatisfy { !$0.value.contains("\n") })
  }

  @Test(arguments: [
    "javascript:alert(1)", "javascript://id.test.example/%0aalert(1)", "http://id.test.example/",
    "//evil.example/", "data:text/html,x", "https://id.test.example@evil.example/", "",
    #"https://id.test.example\\@evil.example/"#, "file:///etc/passwd", "intent://x.example/",
  ])
  func `attack 29: a browser is sent to no unsafe address`(_ url: String) async throws {
    let text = """
      return provider {
        id = "test.example", name = "Test",
        credentials = { authorizationCode = { code = field.secret "the code" } },
        authorize = function(request) return "\(url)" end,
        verify = function() return identity { subject = "7" } end,
      }
      """
    let home = try PluginGraph(text, transport: vendor)

    let error = await expectError {
      try await home.graph.beginAuthorization(
        ProviderID("test.example"), redirectURI: "https://shop.example/back", session: "browser",
        by: Caller(scope: Scope(project: "shop"), authority: .anyone))
    }

    #expect(error?.code == .pluginFailed)
    #expect(error?.description.contains("evil") == false)
    #expect(!home.log.records.isEmpty)
  }

  @Test func `attack 10: a caller cannot override the parameters of the plug-in`()
    async throws
  {
    let text = """
      return provider {
        id = "test.example", name = "Test",
        credentials = { authorizationCode = { code = field.secret "the code" } },
        authorize = {
          "https://id.test.example/go?state={state}&return_to={redirectURI}",
          parameters = { client = "7" },
        },
        verify = function() return identity { subject = "7" } end,
      }
      """
    let home = try PluginGraph(text, transport: vendor)

    let begun = try await home.graph.beginAuthorization(
      ProviderID("test.example"), redirectURI: "https://shop.example/back", session: "browser",
      parameters: [
        "return_to": "https://evil.example", "state": "chosen", "client": "8", "request": "x",
        "login_hint": "ada",
      ], by: Caller(scope: Scope(project: "shop"), authority: .anyone))

    #expect(
      URLText.query(of: begun.url) == [
        "state": begun.state, "return_to": "https://shop.example/back", "client": "7",
        "login_hint": "ada",
      ])
  }
}
