import AuthCore
import AuthTesting
import Crypto
import FakeVendors
import Foundation
import LuaPlugins
import Testing
import TestSupport

/// The function `events` of a plug-in, which verifies what its vendor posts.
@Suite struct `Events in the hands of a script` {
  let home = PluginHome()
  let key = SigningKey.p256(keyID: "key-1")

  /// GitHub's event of an app that a person revoked, as the article has it.
  static let github = """
    return provider {
      id = "github-app", name = "GitHub", kind = "custom", hosts = {},
      settings = { webhookSecret = setting.secret { "the webhook's secret", required = true } },
      credentials = { none = { token = field.secret "not used here" } },
      verify = function() refuse "use another provider" end,
      events = function(request, _, settings)
        local sent = request.headers["x-hub-signature-256"] or ""
        local made = "sha256=" .. hash.hmac("sha256", settings.webhookSecret, request.body, "hex")
        if not hash.equals(sent, made) then
          refuse { "The signature is not GitHub's.", field = "signature" }
        end
        local event = request.json
        if request.headers["x-github-event"] ~= "github_app_authorization" or event.action ~= "revoked" then
          return {}
        end
        return { { kind = "consent-revoked", subject = event.sender.id, id = request.headers["x-github-delivery"] } }
      end,
    }
    """

  private func github(_ body: String, secret: String = "s3cret-of-hook") -> ProviderEventRequest {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(body.utf8), using: SymmetricKey(data: Data(secret.utf8)))
    let hex = code.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
    return ProviderEventRequest(
      headers: [
        "content-type": "application/json", "x-github-event": "github_app_authorization",
        "x-github-delivery": "d-1", "x-hub-signature-256": "sha256=\(hex)",
      ], body: Array(body.utf8))
  }

  private func report(
    _ text: String, _ request: ProviderEventRequest, settings: [String: JSONValue] = [:],
    secrets: [String: String] = [:]
  ) async throws -> ProviderEventReport {
    let provider = try home.provider(text)
    let context = home.context(provider, settings, secrets: secrets)
    #expect(provider.receivesEvents(context.settings))
    return try await provider.events(request, context)
  }

  /// Runs a body of `events` in a plug-in with the declaration `security` of event tokens.
  private func report(
    _ body: String, _ request: ProviderEventRequest = ProviderEventRequest(body: [])
  ) async throws -> ProviderEventReport {
    home.vendor.answer("GET https://api.test.example/keys", json: ["keys": [key.jwk]])
    return try await report(
      """
      return provider {
        id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
        authorize = "https://api.test.example/authorize", token = "https://api.test.example/token",
        userinfo = "https://api.test.example/me", identity = { subject = "id" },
        tokens = {
          security = { issuer = "https://api.test.example", keys = "https://api.test.example/keys",
            audience = "the-client", algorithms = { "ES256" } },
        },
        events = function(request, http, settings) \(body) end,
      }
      """, request, settings: ["clientID": "the-client"], secrets: ["clientSecret": "the-secret"])
  }

  private func token(
    _ changes: [String: JSONValue] = [:], typ: String = "secevent+jwt"
  ) throws -> ProviderEventRequest {
    let subject: JSONValue = [
      "subject_type": "iss-sub", "iss": "https://api.test.example", "sub": "7",
    ]
    let claims: [String: JSONValue] = [
      "iss": "https://api.test.example", "aud": "the-client", "jti": "j-1",
      "iat": .integer(home.clock.now.milliseconds / 1000),
      "events": [
        "https://schemas.openid.net/secevent/oauth/event-type/user-unlinked": [
          "subject": subject
        ]
      ],
    ]
    let text = try key.jws(
      .object(claims.merging(changes) { _, new in new }.filter { $0.value != .null }),
      header: ["typ": .string(typ)])
    return ProviderEventRequest(
      headers: ["content-type": "application/secevent+jwt"], body: Array(text.utf8))
  }

  @Test func `the article has the plug-in of these tests`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appending(
        path: "Sources/AuthServer/AuthServer.docc/EventsOfVendors.md"), encoding: .utf8)

    #expect(article.contains("```lua\n\(Self.github)\n```"))
  }

  @Test func `a signed webhook is an event about its sender`() async throws {
    let request = github(#"{"action":"revoked","sender":{"id":583231,"login":"octocat"}}"#)

    let report = try await report(
      Self.github, request, secrets: ["webhookSecret": "s3cret-of-hook"])

    #expect(
      report.events == [
        ProviderEvent(.consentRevoked, subject: "583231", at: nil, id: "d-1")
      ])
    #expect(report.response == ProviderEventResponse(status: 200))
  }

  @Test func `attack: a webhook without the right signature is refused`() async throws {
    let request = github(#"{"action":"revoked","sender":{"id":1}}"#, secret: "another")

    let error = await expectError {
      try await report(Self.github, request, secrets: ["webhookSecret": "s3cret-of-hook"])
    }

    #expect(error?.code == .invalidCredential && error?.field == "signature")
  }

  @Test func `a Security Event Token is verified by its declaration`() async throws {
    let report = try await report(
      "return jwt.events('security', request.body)", try token())

    #expect(report.events.map(\.kind) == [.consentRevoked])
    #expect(report.events.map(\.subject) == ["7"] && report.events.first?.issuer == "")
  }

  @Test func `a token's claims are there for a vendor's own events`() async throws {
    let report = try await report(
      """
      local claims = jwt.event('security', request.body)
      return { { kind = 'session-ended', subject = claims.jti, id = 'x', at = time.now() } }
      """, try token())

    #expect(report.events.first?.subject == "j-1" && report.events.first?.at == home.clock.now)
  }

  @Test(
    arguments: [
      ["iss": "https://evil.example"], ["aud": "another"], ["jti": .null], ["iat": 1],
      ["events": .null], ["nonce": "n"],
    ] as [[String: JSONValue]])
  func `attack: a token with a fault is refused, even inside pcall`(
    _ changes: [String: JSONValue]
  ) async throws {
    let request = try token(changes)

    for call in [
      "return jwt.events('security', request.body)",
      "pcall(jwt.events, 'security', request.body) return {}",
    ] {
      let error = await expectError { try await report(call, request) }
      #expect(error?.code == .invalidCredential, "\(changes)")
    }
  }

  @Test func `attack: an event is no ID token, and an access token no event`() async throws {
    let asToken = try token(["sub": "7", "exp": 4_000_000_000], typ: "JWT")
    let error = await expectError {
      try await report("return { jwt.verify('security', request.body) }", asToken)
    }
    #expect(error?.code == .invalidCredential && error?.field == "events")

    let access = try token(typ: "at+jwt")
    let refused = await expectError {
      try await report("return jwt.events('security', request.body)", access)
    }
    #expect(refused?.field == "typ")
  }

  @Test(arguments: [
    "return 'yes'", "return { 1 }", "return { { subject = '1', id = 'x' } }",
    "return { { kind = 'exploded', subject = '1', id = 'x' } }",
    "return { { kind = 'session-ended', subject = '1', color = 'red' } }",
    "return { events = {}, answer = {} }", "return { response = { status = 500 } }",
    "return { response = { status = 301 }, events = 7 }",
    "return { events = { { kind = 'session-ended', subject = '1' } }, response = { status = 401 } }",
    "return { response = { contentType = 'a\\r\\nb: c' } }",
    "return identity { subject = '1' }", "error 'oh'",
    "local all = {} for i = 1, 200 do all[i] = { kind = 'session-ended', subject = '1' } end return all",
  ])
  func `an answer of another form is a fault of the plug-in`(_ body: String) async throws {
    let error = await expectError { try await report(body) }

    #expect(error?.code == .pluginFailed, "\(body)")
    #expect(!home.log.records.isEmpty)
  }

  @Test func `an event without ID gets the digest of the body`() async throws {
    let body = "return { { kind = 'session-ended', subject = 7 } }"
    let first = try await report(body, ProviderEventRequest(body: Array("a".utf8)))
    let same = try await report(body, ProviderEventRequest(body: Array("a".utf8)))
    let other = try await report(body, ProviderEventRequest(body: Array("b".utf8)))

    #expect(first.events == same.events && first.events != other.events)
    #expect(first.events.first?.subject == "7")
  }

  @Test func `a script can answer in its vendor's form`() async throws {
    let report = try await report(
      "return { response = { status = 202, json = { challenge = request.form.challenge } } }",
      ProviderEventRequest(
        headers: ["content-type": "application/x-www-form-urlencoded"],
        body: Array("challenge=abc".utf8)))

    #expect(report.events.isEmpty)
    #expect(report.response == .json(["challenge": "abc"], status: 202))
  }

  @Test func `attack: an event of long ago is refused`() async throws {
    let error = await expectError {
      try await report("return { { kind = 'session-ended', subject = '1', id = 'x', at = 1 } }")
    }

    #expect(error?.code == .invalidCredential && error?.field == "at")
  }

  @Test func `a file without the function takes no events`() throws {
    let provider = try home.provider(CustomPluginTests().discord)

    #expect(!provider.receivesEvents(home.context(provider).settings))
  }
}
