import AuthCore
import FakeVendors
import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

@Suite struct `Recording` {
  private let secrets = [
    "S3cret-of-the-client", "Acc3ss-t0ken-of-Ada", "R3fresh-t0ken-of-Ada", "C0de-of-this-sign-in",
    "Ver1fier-of-this-sign-in-with-43-letters-or-more", "C00kie-of-the-session",
  ]

  /// A vendor that issues secrets.
  private struct Vendor: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let body: JSONValue =
        request.url.hasSuffix("/oauth/token")
        ? [
          "access_token": "Acc3ss-t0ken-of-Ada", "refresh_token": "R3fresh-t0ken-of-Ada",
          "token_type": "Bearer", "expires_in": 3600,
        ]
        : [
          "id": "8035", "name": "Ada", "email": "ada@example.com", "email_verified": true,
          "avatar": "https://vendor.example/a.png?access_token=Acc3ss-t0ken-of-Ada",
        ]
      return HTTPResponse(
        status: 200,
        headers: ["content-type": "application/json", "set-cookie": "s=C00kie-of-the-session"],
        body: Array(body.text.utf8))
    }
  }

  private func recorded() async throws -> (text: String, plugin: String) {
    let template = try PluginTemplate(id: "new.example", kind: .oauth2)
    let source = PluginSource(name: "new.example.lua", text: template.plugin)
    let credential = [
      "code": secrets[3], "redirectURI": "https://app.example/back", "codeVerifier": secrets[4],
    ]
    let settings: [String: JSONValue] = ["clientID": "app-1", "clientSecret": .string(secrets[0])]
    let declaration = try LuaPlugin.provider(source, host: PluginHost(transport: NoTransport()))
      .declaration
    let recorder = PluginRecorder(
      Vendor(), declaration: declaration, settings: settings, builder: "authorizationCode",
      credential: credential)
    let provider = try LuaPlugin.provider(source, host: PluginHost(transport: recorder))
    let identity = try await provider.verify(
      Credential(provider: provider.id, builder: "authorizationCode", fields: credential),
      VerificationContext(
        scope: Scope(project: "p"), purpose: .signIn, now: .now(),
        settings: ProviderSettings(
          provider.id, ["clientID": "app-1"], secrets: ["clientSecret": secrets[0]])))
    var fixture = Fixture(name: "new.fixture.json", settings: recorder.fixtureSettings)
    fixture.scenarios = [recorder.scenario(named: "recorded", .success(identity))]
    #expect(!recorder.leaks(fixture.text))
    return (fixture.text, template.plugin)
  }

  @Test func `no secret reaches the fixture`() async throws {
    let text = try await recorded().text

    for secret in secrets { #expect(!text.contains(secret), "\(secret) is in:\n\(text)") }
    for placeholder in ["the-client-secret", "the-access-token", "the-refresh-token", "the-code"] {
      #expect(text.contains(placeholder), "\(placeholder) is not in:\n\(text)")
    }
    #expect(text.contains("app-1") && text.contains("ada@example.com"))
  }

  @Test func `a recording replays, and passes the hostile suite`() async throws {
    let (text, plugin) = try await recorded()

    let report = await PluginTest().run(plugin: plugin, fixture: text, name: "new.example.lua")

    #expect(report.obstacle == nil)
    #expect(report.failures.map { $0.failure ?? "" } == [])
  }

  @Test func `the same sign-in is recorded the same way twice`() async throws {
    #expect(try await recorded().text == (try await recorded().text))
  }

  @Test func `an ID token becomes its claims, signed with a test key when it replays`() async throws
  {
    let template = try PluginTemplate(id: "new.example", kind: .oidc)
    let source = PluginSource(name: "new.example.lua", text: template.plugin)
    let declaration = try LuaPlugin.provider(source, host: PluginHost(transport: NoTransport()))
      .declaration
    let now = Timestamp.now().milliseconds / 1000
    let key = SigningKey.p256(keyID: "k")
    let token = try key.jws([
      "iss": "https://vendor.example", "aud": "app-1", "sub": "8035", "nonce": "N0nce-of-this",
      "iat": .integer(now), "exp": .integer(now + 60), "email": "ada@example.com",
      "email_verified": true, "name": "Ada",
    ])
    let recorder = PluginRecorder(
      NoTransport(), declaration: declaration, settings: ["clientID": "app-1"],
      builder: "idToken", credential: ["idToken": token, "nonce": "N0nce-of-this"])
    var identity = VerifiedIdentity(
      provider: declaration.id, key: IdentityKey(declaration.id, subject: "8035"))
    identity.profile.email = "ada@example.com"
    identity.emailVerified = true
    identity.profile.displayName = "Ada"

    var fixture = Fixture(name: "new.fixture.json", settings: recorder.fixtureSettings)
    fixture.scenarios = [recorder.scenario(named: "recorded", .success(identity))]
    let report = await PluginTest().run(
      plugin: template.plugin, fixture: fixture.text, name: "new.example.lua")

    #expect(!fixture.text.contains(token) && !fixture.text.contains("N0nce"))
    #expect(fixture.text.contains("{idToken}"))
    #expect(report.obstacle == nil)
    #expect(report.failures.map { $0.failure ?? "" } == [])
  }
}
