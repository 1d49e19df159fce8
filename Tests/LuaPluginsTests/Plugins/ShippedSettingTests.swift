import AuthCore
import AuthTesting
import FakeVendors
import LuaPlugins
import Testing
import TestSupport

/// PKCE by a setting, and one issuer in several spellings, as Slack and Gitea need them.
@Suite struct `PKCE and issuers that differ by installation` {
  let plugin = VendorPlugin()

  private func provider(_ words: String) throws -> any LuaProvider {
    try plugin.home.provider(
      """
      return provider {
        id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
        settings = {
          usesPKCE = setting.flag "true with PKCE", always = setting.flag { "PKCE", default = true },
          name = setting.text "a name",
        },
        authorize = "\(VendorPlugin.api)/authorize", token = "\(VendorPlugin.api)/token",
        userinfo = "\(VendorPlugin.api)/me", identity = { subject = "id" }, \(words)
      }
      """)
  }

  @Test(
    arguments: [
      ("usesPKCE", [:], false), ("usesPKCE", ["usesPKCE": true], true),
      ("usesPKCE", ["usesPKCE": false], false), ("always", [:], true),
      ("always", ["always": false], false),
    ] as [(String, [String: JSONValue], Bool)])
  func `a setting decides on PKCE`(
    name: String, settings: [String: JSONValue], isSent: Bool
  ) async throws {
    let provider = try provider("pkce = \"\(name)\",")
    let token = VendorPlugin.api + "/token"
    plugin.vendor.answer("POST \(token)", json: ["access_token": "at-1"])
    plugin.vendor.answer("GET \(VendorPlugin.api)/me", json: ["id": "7"])

    let url = try await provider.authorizationURL(
      plugin.grant, plugin.context(provider, settings))
    _ = try await plugin.signIn(provider, settings)

    #expect((URLText.query(of: url)?["code_challenge"] != nil) == isSent)
    let sent = try #require(plugin.vendor.requests(to: token).first)
    #expect((sent.fields["code_verifier"] == "v-1") == isSent)
  }

  @Test(arguments: ["other", "name"])
  func `a name that is no flag is refused when the file is read`(name: String) {
    let error = #expect(throws: AuthError.self) { try provider("pkce = \"\(name)\",") }

    #expect(error?.code == .invalidPlugin && error?.field == "pkce")
  }

  private func signIn(_ issuer: String) async throws -> VerifiedIdentity {
    let key = try SigningKey.shared(keyID: "gitea-1")
    let server = "https://git.example.com"
    plugin.vendor.answer("GET \(server)/login/oauth/keys", json: ["keys": [key.jwk]])
    let provider = try plugin.home.shipped("gitea")
    let now = plugin.home.clock.now.milliseconds / 1000
    let token = try key.jws(
      [
        "iss": .string(issuer), "sub": "42", "aud": "the-client", "iat": .integer(now),
        "exp": .integer(now + 3600),
      ])
    return try await plugin.home.verify(
      provider, "idToken", ["idToken": token],
      settings: plugin.settings.merging(["server": .string(server)]) { $1 })
  }

  @Test func `an upgrade of Gitea keeps its people`() async throws {
    let before = try await signIn("https://git.example.com/")
    let after = try await signIn("https://git.example.com")

    #expect(before.key == after.key && before.key?.subject == "42")
  }

  @Test(arguments: [
    "https://git.example.com//", "https://forge.example.com", "https://git.example.com/x",
  ])
  func `attack 7: another spelling or another instance is refused`(issuer: String) async throws {
    let error = await expectError(.invalidCredential) { _ = try await signIn(issuer) }

    #expect(error?.field == "iss")
  }
}
