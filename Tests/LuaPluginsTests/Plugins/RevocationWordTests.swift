import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// Revocation that is not RFC 7009, and the functions `revoke` and `refresh`.
@Suite struct `Revocation in a vendor's own way` {
  let plugin = VendorPlugin()
  let grant = VendorPlugin.api + "/grant"

  private func provider(_ revoke: String) throws -> any LuaProvider {
    try plugin.oauth2("identity = { subject = \"id\" }, \(revoke)")
  }

  private func custom(_ words: String) throws -> any LuaProvider {
    try plugin.home.provider(
      """
      return provider {
        id = "test.example", name = "Test", hosts = { "api.test.example" },
        credentials = { token = { token = field.secret "the token" } },
        verify = function() return identity { subject = "7" } end,
        \(words)
      }
      """)
  }

  @Test func `a DELETE has the token in its header`() async throws {
    plugin.vendor.answer("DELETE \(grant)") { _ in HTTPResponse(status: 204) }
    let provider = try provider("revoke = { \"\(grant)\", method = \"DELETE\" }")

    try await provider.revoke(.accessToken(Secret("at-1")), plugin.context(provider))

    let sent = try #require(plugin.vendor.requests(to: grant).first)
    #expect(sent.method == .delete)
    #expect(sent.headerField("Authorization") == "Bearer at-1")
  }

  @Test func `the client shows itself in the header or in the body`() async throws {
    plugin.vendor.answer(grant) { _ in HTTPResponse(status: 200) }
    let basic = try provider(
      "revoke = { \"\(grant)\", method = \"DELETE\", json = { access_token = \"{token}\" }, basic = true }"
    )
    let post = try provider(
      "revoke = { \"\(grant)\", form = { token = \"{token}\" }, authentication = \"post\" }")

    try await basic.revoke(.accessToken(Secret("at-1")), plugin.context(basic))
    try await post.revoke(.refreshToken(Secret("rt-1")), plugin.context(post))

    let sent = plugin.vendor.requests(to: grant)
    try #require(sent.count == 2)
    #expect(String(decoding: sent[0].body, as: UTF8.self) == #"{"access_token":"at-1"}"#)
    #expect(sent[0].headerField("Authorization")?.hasPrefix("Basic ") == true)
    #expect(
      sent[1].fields == [
        "token": "rt-1", "client_id": "the-client", "client_secret": "the-secret",
      ])
    #expect(sent[1].headerField("Authorization") == nil)
  }

  @Test func `the client has the vendor's name for it`() async throws {
    plugin.vendor.answer(grant) { _ in HTTPResponse(status: 200) }
    let names = "tokenRequest = { names = { client_id = \"client_key\" } },"
    let standard = try provider("\(names) revoke = \"\(grant)\"")
    let own = try provider(
      "\(names) revoke = { \"\(grant)\", form = { t = \"{token}\" }, authentication = \"post\" }")

    try await standard.revoke(.accessToken(Secret("at-1")), plugin.context(standard))
    try await own.revoke(.accessToken(Secret("at-1")), plugin.context(own))

    #expect(
      plugin.vendor.requests(to: grant).map(\.fields) == [
        [
          "token": "at-1", "token_type_hint": "access_token", "client_key": "the-client",
          "client_secret": "the-secret",
        ], ["t": "at-1", "client_key": "the-client", "client_secret": "the-secret"],
      ])
  }

  @Test func `a refusal is an error without the token`() async throws {
    plugin.vendor.answer("GET \(grant)", json: ["message": "at-1 is unknown"], status: 403)
    let provider = try provider("revoke = { \"\(grant)\", query = { token = \"{token}\" } }")

    let error = await expectError(.invalidCredential) {
      try await provider.revoke(.accessToken(Secret("at-1")), plugin.context(provider))
    }

    #expect(error?.step == .exchange)
    #expect(error.map { !String(reflecting: $0).contains("at-1") } == true)
  }

  @Test(arguments: [
    "revoke = { \"https://api.test.example/grant\", authentication = \"post\" }",
    "revoke = { \"https://elsewhere.example/grant\" }", "revoke = { method = \"DELETE\" }",
    "userinfo = { \"https://api.test.example/me\", method = \"DELETE\" }",
  ])
  func `a request that cannot revoke is refused when the file is read`(words: String) {
    let error = #expect(throws: AuthError.self) { try provider(words) }

    #expect(error?.code == .invalidPlugin)
  }

  @Test func `functions of a custom provider revoke and renew`() async throws {
    plugin.vendor.answer("POST \(grant)") { _ in HTTPResponse(status: 200) }
    let provider = try custom(
      """
      revoke = function(token, http)
        http.post("\(grant)", { form = { kind = token.kind, token = token.value, at = token.redirectURI } })
      end,
      refresh = function(refreshToken, http)
        http.post("\(grant)", { form = { token = refreshToken } })
        return identity { subject = "7", displayName = "Ada" }
      end,
      """)
    let context = plugin.home.context(provider)

    try await provider.revoke(.accessToken(Secret("at-1")), context)
    try await provider.revoke(
      .authorizationCode(Secret("c-1"), redirectURI: "https://app.example/cb"), context)
    let identity = try await provider.refresh(
      Secret("rt-1"), of: IdentityKey(provider.id, subject: "7"), context)

    #expect(identity.profile.displayName == "Ada")
    #expect(
      plugin.vendor.requests(to: grant).map(\.fields) == [
        ["kind": "accessToken", "token": "at-1"],
        ["kind": "authorizationCode", "token": "c-1", "at": "https://app.example/cb"],
        ["token": "rt-1"],
      ])
  }

  @Test func `attack 20: a function cannot renew another person's sign-in`() async throws {
    let provider = try custom(
      "refresh = function() return identity { subject = \"8\" } end,")

    await expectError(.userMismatch) {
      _ = try await provider.refresh(
        Secret("rt-1"), of: IdentityKey(provider.id, subject: "7"), plugin.home.context(provider))
    }
  }

  @Test func `a provider without the functions does neither`() async throws {
    let provider = try custom("")
    let context = plugin.home.context(provider)

    await expectError(.operationNotAllowed) {
      try await provider.revoke(.accessToken(Secret("at-1")), context)
    }
    await expectError(.operationNotAllowed) {
      _ = try await provider.refresh(
        Secret("rt-1"), of: IdentityKey(provider.id, subject: "7"), context)
    }
    await expectError(.operationNotAllowed) {
      _ = try await provider.authorizationURL(plugin.grant, context)
    }
  }
}
