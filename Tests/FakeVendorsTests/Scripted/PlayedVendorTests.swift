import AuthCore
import FakeVendors
import Testing

/// A scripted provider under a vendor's own paths, names and forms.
@Suite struct PlayedVendorTests {
  private func provider() async throws -> ScriptedIdentityProvider {
    var script = IdentityScript()
    var vendor = PlayedVendor(id: "vendor.example")
    vendor.authorize = ["/login/start"]
    vendor.token = [
      PlayedVendor.Answer(
        "/sns/token", json: ["data": ["access_token": "{access_token}", "openid": "{subject}"]])
    ]
    vendor.described = [
      PlayedVendor.Answer("/apps/*/check"),
      PlayedVendor.Answer("/me", json: ["user": ["id": "{subject}", "note": "{{braces}"]]),
    ]
    vendor.revoke = ["/end"]
    script.vendor = vendor
    return try await ScriptedIdentityProvider.start(script)
  }

  private func code(_ provider: ScriptedIdentityProvider) async throws -> String {
    let answer = try await Loopback.get(
      URLText.adding(
        [
          ("appid", FakeClient.idp.id), ("redirect_uri", "https://app.example/back"),
          ("state", "s1"), ("scope", "a,b"), ("person", "1001"),
        ], to: provider.server.url("/login/start")))
    let place = try #require(answer.header("Location"))
    let query = try #require(URLText.query(of: place))
    #expect(query["state"] == "s1")
    return try #require(query["code"])
  }

  @Test func `tokens are given to GET with renamed fields, in the vendor's own answer`()
    async throws
  {
    let provider = try await provider()
    let url = URLText.adding(
      [
        ("appid", FakeClient.idp.id), ("secret", FakeClient.idp.secret ?? ""),
        ("js_code", try await code(provider)),
      ], to: provider.server.url("/sns/token"))

    let tokens = try await Loopback.get(url).json
    let token = try #require(tokens["data"]?["access_token"]?.stringValue)
    let me = try await Loopback.get(provider.server.url("/me?access_token=\(token)")).json
    let check = try await Loopback.get(
      provider.server.url("/apps/my-app/check?access_token=\(token)")
    ).json
    _ = try await Loopback.post(provider.server.url("/end"), [("token", token)])
    let again = try await Loopback.get(url)
    let ended = try await Loopback.get(provider.server.url("/me?access_token=\(token)"))

    #expect(tokens["data"]?["openid"] == "1001")
    #expect(again.status == 400)
    #expect(me["user"]?["id"] == "1001" && me["user"]?["note"] == "{braces}")
    #expect(check["client_id"] == .string(FakeClient.idp.id))
    #expect(ended.status == 401)
    await provider.stop()
  }

  @Test func `attack: a code without the app's secret gives no token`() async throws {
    let provider = try await provider()
    let code = try await code(provider)

    let refused = try await Loopback.get(
      URLText.adding(
        [("appid", FakeClient.idp.id), ("secret", "wrong"), ("js_code", code)],
        to: provider.server.url("/sns/token")))

    #expect(refused.status == 401)
    await provider.stop()
  }
}
