import AuthCore
import LuaPlugins
import Testing
import TestSupport

@Suite struct CustomPluginTests {
  let home = PluginHome()

  let discord = """
    return provider {
      id = "discord.com", name = "Discord", hosts = { "discord.com" },
      credentials = {
        accessToken = { accessToken = field.secret "OAuth 2 access token" },
      },
      verify = function(credential, http)
        local me = http.get("https://discord.com/api/users/@me", { bearer = credential.accessToken }):json()
        return identity {
          subject = me.id, displayName = me.global_name or me.username,
          email = me.email, emailVerified = me.verified == true, claims = me,
        }
      end,
    }
    """

  @Test func `a file of a few lines is a provider like any other`() async throws {
    let provider = try home.provider(discord)
    home.vendor.answer(
      "GET https://discord.com/api/users/@me",
      json: [
        "id": "80351110224678912", "username": "nelly", "global_name": .null,
        "email": "nelly@example.com", "verified": true,
      ])

    let identity = try await home.verify(
      provider, "accessToken", ["accessToken": "the-access-token"])

    #expect(provider.id == ProviderID("discord.com"))
    #expect(provider.manifest.name == "Discord" && provider.manifest.kind == .custom)
    #expect(provider.manifest.hosts == ["discord.com"])
    #expect(provider.manifest.builders.map(\.name) == ["accessToken"])
    #expect(identity.key == IdentityKey(ProviderID("discord.com"), subject: "80351110224678912"))
    #expect(identity.profile.displayName == "nelly")
    #expect(identity.email?.text == "nelly@example.com" && identity.emailVerified)
    #expect(home.vendor.requests.first?.headerField("Authorization") == "Bearer the-access-token")
  }

  @Test func `a script that waits twice resumes at the same point`() async throws {
    home.vendor.answer("GET https://api.test.example/a", json: ["next": "b"])
    home.vendor.answer("POST https://api.test.example/b", json: ["id": 7])

    let identity = try await home.verify(
      """
      local a = http.get("https://api.test.example/a", { bearer = credential.token }):json()
      local b = http.post("https://api.test.example/" .. a.next, { form = { token = credential.token } }):json()
      return identity { subject = b.id }
      """)

    #expect(identity.key?.subject == "7")
    #expect(home.vendor.requests.last?.fields == ["token": "the-token-of-ada"])
  }

  @Test func `a refusal of a script is the refusal of the sign-in`() async throws {
    let error = await expectError {
      try await home.verify("refuse { 'the signature is wrong', field = 'hash', step = 'token' }")
    }

    #expect(error?.code == .invalidCredential && error?.step == .token && error?.field == "hash")
    #expect(error?.message == "the signature is wrong.")
  }

  @Test(arguments: [
    "pcall(refuse, 'banned')", "pcall(function() refuse { 'banned', field = 'x' } end)",
    "xpcall(http.get, function() end, 'https://api.test.example/broken')",
    "pcall(function() return http.get('https://api.test.example/garbage'):json() end)",
    "pcall(jwt.verify, 'login', credential.token)",
    "coroutine.wrap(function() pcall(refuse, 'banned') end)()",
  ])
  func `a refusal or a failed request ends the sign-in, even if the script catches it`(
    _ hidden: String
  ) async throws {
    home.vendor.answer("GET https://api.test.example/broken", json: ["error": "no"], status: 403)
    home.vendor.answer("GET https://api.test.example/garbage") { _ in
      HTTPResponse(status: 200, body: Array("<html>".utf8))
    }

    let error = await expectError {
      try await home.verify(
        "\(hidden) return identity { subject = 1 }",
        declaring: """
          tokens = { login = { issuer = "https://test.example", keys = "https://api.test.example/keys",
            audience = "app" } },
          """)
    }

    #expect(error?.code == .invalidCredential || error?.code == .networkRequestFailed)
  }

  @Test(arguments: [
    "{ json = 'text' }", "{ basic = { 'only a name' } }", "{ basic = 'x' }", "{ statuses = 404 }",
    "{ statuses = { 500 } }", "{ bearer = 'x', scheme = 5 }", "{ form = { 'x' } }",
    "{ headers = { Host = 'evil.example' } }", "{ headers = { ['a b'] = 'x' } }", "{ bearr = 'x' }",
  ])
  func `an unknown option of a request is a mistake, and nothing is sent`(
    _ options: String
  ) async throws {
    let error = await expectError {
      try await home.verify(
        "http.post('https://api.test.example/a', \(options)) return identity { subject = 1 }")
    }

    #expect(error?.code == .pluginFailed)
    #expect(home.vendor.requests.isEmpty)
  }

  @Test(arguments: [
    ("https://api.test.example/me", "http://127.0.0.1:8999/api/me"),
    ("https://api.test.example/../admin", nil), ("https://api.test.example/%2e%2e/admin", nil),
    ("http://127.0.0.1:8999/admin", nil), ("http://127.0.0.1:8999/api/../admin", nil),
    ("http://127.0.0.1:8999/api/other", "http://127.0.0.1:8999/api/other"),
  ])
  func `attack 29: a server that stands in is asked below its own address only`(
    _ url: String, _ asked: String?
  ) async throws {
    let provider = try home.provider(
      """
      return provider {
        id = "test.example", name = "Test", hosts = { "api.test.example" },
        credentials = { token = { token = field.text "the token" } },
        verify = function(credential, http)
          return identity { subject = http.get("\(url)"):json().id }
        end,
      }
      """)
    if let asked { home.vendor.answer("GET \(asked)", json: ["id": "7"]) }
    let settings: [String: JSONValue] = [
      "servers": ["api.test.example": "http://127.0.0.1:8999/api/"],
      "privateHosts": ["127.0.0.1:8999"],
    ]

    if asked != nil {
      let identity = try await home.verify(provider, "token", ["token": "x"], settings: settings)
      #expect(identity.key?.subject == "7")
    } else {
      let error = await expectError {
        try await home.verify(provider, "token", ["token": "x"], settings: settings)
      }
      #expect(error?.code == .pluginFailed)
    }
    #expect(home.vendor.requests.map(\.url) == [asked].compactMap(\.self))
  }

  @Test func `a script may catch its own mistakes`() async throws {
    let identity = try await home.verify(
      "pcall(error, 'x') pcall(http.get) pcall(hash.sha256) return identity { subject = 1 }")

    #expect(identity.key?.subject == "1")
  }

  @Test func `no sign-in succeeds before every required setting is there`() async throws {
    let provider = try home.provider(
      """
      return provider {
        id = "test.example", name = "Test",
        settings = {
          group = setting.text { "the group", required = true },
          key = setting.secret { "the key", required = true },
          size = setting.number { "a number", required = true, default = 3 },
        },
        credentials = { token = { token = field.text "the token" } },
        verify = function(credential, http, settings)
          return identity { subject = settings.group .. settings.size }
        end,
      }
      """)

    let first = await expectError { try await home.verify(provider, "token", ["token": "x"]) }
    let second = await expectError {
      try await home.verify(provider, "token", ["token": "x"], settings: ["group": "g"])
    }
    let identity = try await home.verify(
      provider, "token", ["token": "x"], settings: ["group": "g"], secrets: ["key": "k"])

    #expect(first?.code == .operationNotAllowed && first?.field == "group")
    #expect(second?.code == .operationNotAllowed && second?.field == "key")
    #expect(identity.key?.subject == "g3")
  }

  @Test func `a mistake of a script is reported with file and line to the log only`() async throws {
    let error = await expectError { try await home.verify("\n local x = nil\n return x.y.z") }

    #expect(error?.code == .pluginFailed && error?.step == .profile)
    #expect(error?.description.contains("test.lua") == false)
    #expect(home.log.records.first?.place == "test.lua:7")
    #expect(home.log.text.contains("attempt to index a nil value"))
  }

  @Test(arguments: [
    ("(a) is missing", "{ }"),
    ("a number that cannot be held exactly", "{ subject = 9007199254740993 }"),
    ("a number that cannot be held exactly", "{ subject = 1.5 }"),
    ("is missing", "{ subject = '' }"),
    ("neither a text nor a number", "{ subject = true }"),
    ("neither a text nor a number", "{ subject = { 1 } }"),
    ("control characters", "{ subject = 'a\\0b' }"),
    ("longer than 255", "{ subject = ('x'):rep(256) }"),
  ])
  func `a subject that is none is refused`(_ why: String, _ fields: String) async throws {
    let error = await expectError { try await home.verify("return identity \(fields)") }

    #expect(error?.code == .invalidCredential && error?.step == .profile)
    #expect(error?.field == "subject")
    #expect(error?.message.contains(why.replacing("(a) ", with: "")) == true)
  }

  @Test func `a secret cannot be seen, joined, logged or sent as a name`() async throws {
    let bodies = [
      "return identity { subject = 'x' .. credential.token }",
      "return identity { subject = credential.token }",
      "return identity { subject = '1', displayName = tostring(credential.token) }",
      "error(tostring(credential.token))", "refuse(credential.token)",
      "log.info(tostring(credential.token)) return identity { subject = '1' }",
      "return identity { subject = json.encode({ credential.token }) }",
      "return identity { subject = base64.encode(credential.token) }",
      "return identity { subject = hash.sha256(credential.token) }",
      "return identity { subject = credential.token.text or credential.token[1] or '1' }",
      "return identity { subject = string.format('%s%q', credential.token, 1) }",
      "return identity { subject = '1', claims = { t = credential.token } }",
      "return identity { subject = url.escape(credential.token) }",
      "return identity { subject = url.form { t = credential.token } }",
      "for k, v in pairs(credential.token) do log.info(k, v) end return identity { subject = '1' }",
    ]
    for body in bodies {
      var seen = ""
      do {
        dump(try await home.verify(body), to: &seen)
      } catch {
        seen = String(reflecting: error)
        dump(error, to: &seen)
      }
      #expect(!seen.contains("the-token-of-ada"), "\(body)")
    }
    #expect(!home.log.text.contains("the-token-of-ada"))
    #expect(home.vendor.requests.isEmpty)
  }
}
