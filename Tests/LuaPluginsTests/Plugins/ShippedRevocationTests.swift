import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// How the shipped plug-ins revoke tokens at vendors without RFC 7009.
@Suite struct `Revocation of shipped plug-ins` {
  let home = PluginHome()

  private func revoke(_ name: String) async throws {
    let provider = try home.shipped(name)
    let context = home.context(
      provider, ["clientID": "the-client"], secrets: ["clientSecret": "the-secret"])
    try await provider.revoke(.accessToken(Secret("at-1")), context)
  }

  @Test(
    arguments: [
      ("dropbox.com", "https://api.dropboxapi.com/2/auth/token/revoke"),
      ("kakao.com", "https://kapi.kakao.com/v1/user/unlink"),
      ("slack.com", "https://slack.com/api/auth.revoke"),
    ])
  func `the token itself is in the header`(name: String, url: String) async throws {
    home.vendor.answer("POST \(url)", json: ["ok": true])

    try await revoke(name)

    let sent = try #require(home.vendor.requests(to: url).first)
    #expect(sent.headerField("Authorization") == "Bearer at-1")
    #expect(sent.body.isEmpty)
  }

  @Test func `GitHub takes a DELETE by the app`() async throws {
    let url = "https://api.github.com/applications/the-client/token"
    home.vendor.answer("DELETE \(url)") { _ in HTTPResponse(status: 204) }

    try await revoke("github.com")

    let sent = try #require(home.vendor.requests(to: url).first)
    #expect(sent.headerField("Authorization")?.hasPrefix("Basic ") == true)
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"access_token":"at-1"}"#)
  }

  @Test func `Yandex and Naver take a form with the client's secret`() async throws {
    let yandex = "https://oauth.yandex.ru/revoke_token"
    let naver = "https://nid.naver.com/oauth2.0/token"
    home.vendor.answer("POST \(yandex)", json: ["status": "ok"])
    home.vendor.answer("POST \(naver)", json: ["access_token": "at-1", "result": "success"])

    try await revoke("yandex.com")
    try await revoke("naver.com")

    let client = ["access_token": "at-1", "client_id": "the-client", "client_secret": "the-secret"]
    #expect(home.vendor.requests(to: yandex).first?.fields == client)
    #expect(
      home.vendor.requests(to: naver).first?.fields
        == client.merging(["grant_type": "delete", "service_provider": "NAVER"]) { $1 })
  }

  @Test func `an error that comes with HTTP 200 is no revocation`() async throws {
    home.vendor.answer(
      "POST https://slack.com/api/auth.revoke", json: ["ok": false, "error": "invalid_auth"])
    home.vendor.answer(
      "POST https://nid.naver.com/oauth2.0/token", json: ["error": "invalid_request"])

    for name in ["slack.com", "naver.com"] {
      await expectError(.invalidCredential) { try await revoke(name) }
    }
  }
}
