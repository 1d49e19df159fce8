import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// The words `tokenRequest`, `refresh` and `scopeSeparator`.
@Suite struct `Token requests of a vendor's own form` {
  let plugin = VendorPlugin()
  let tokens = VendorPlugin.api + "/token"
  let mapping = #"identity = { subject = "id" },"#

  private func answer(_ method: String = "POST") {
    plugin.vendor.answer("\(method) \(tokens)", json: ["access_token": "at-1"])
    plugin.vendor.answer("GET \(VendorPlugin.api)/me", json: ["id": "7"])
  }

  @Test func `parameters have the vendor's names, and further fields and headers`() async throws {
    answer()
    let provider = try plugin.oauth2(
      mapping + """
        scopeSeparator = ",",
        tokenRequest = {
          names = { client_id = "client_key", client_secret = "secret", code_verifier = false },
          fields = { app = "{appName}" }, headers = { ["X-Version"] = "2" },
        },
        """)

    let identity = try await plugin.signIn(provider)
    let query = try await plugin.query(provider)

    #expect(identity.key?.subject == "7")
    let sent = try #require(plugin.vendor.requests(to: tokens).first)
    #expect(
      sent.fields == [
        "grant_type": "authorization_code", "code": "c-1",
        "redirect_uri": "https://app.example/cb", "client_key": "the-client",
        "secret": "the-secret", "app": "orbit",
      ])
    #expect(sent.headerField("X-Version") == "2")
    #expect(query["client_key"] == "the-client")
    #expect(query["client_id"] == nil)
    #expect(query["scope"] == "a,b")
  }

  @Test func `attack: an app cannot add the client under either name`() async throws {
    let provider = try plugin.oauth2(
      mapping + #"tokenRequest = { names = { client_id = "client_key" } },"#)

    let query = try await plugin.query(
      provider, parameters: ["client_key": "evil", "client_id": "evil", "prompt": "none"])

    #expect(query["client_key"] == "the-client")
    #expect(query["client_id"] == nil)
    #expect(query["prompt"] == "none")
  }

  @Test func `the body can be JSON`() async throws {
    answer()
    let provider = try plugin.oauth2(
      mapping + #"clientAuthentication = "basic", tokenRequest = { format = "json" },"#)

    _ = try await plugin.signIn(provider)

    let sent = try #require(plugin.vendor.requests(to: tokens).first)
    #expect(
      try JSONValue(text: String(decoding: sent.body, as: UTF8.self)) == [
        "grant_type": "authorization_code", "code": "c-1",
        "redirect_uri": "https://app.example/cb", "code_verifier": "v-1",
      ])
    #expect(sent.headerField("Content-Type") == "application/json")
    #expect(sent.headerField("Authorization")?.hasPrefix("Basic ") == true)
  }

  @Test func `a GET is sent once, because a code works once`() async throws {
    answer("GET")
    let provider = try plugin.oauth2(
      mapping + #"tokenRequest = { method = "GET", names = { redirect_uri = false } },"#)

    _ = try await plugin.signIn(provider)
    let query = try await plugin.query(provider)

    let sent = try #require(plugin.vendor.requests(to: tokens).first)
    #expect(sent.method == .get)
    #expect(sent.body.isEmpty)
    #expect(!sent.isRepeatable)
    #expect(sent.fields["client_secret"] == "the-secret")
    #expect(sent.fields["redirect_uri"] == nil)
    // The browser needs the address in any case.
    #expect(query["redirect_uri"] == "https://app.example/cb")
  }

  @Test func `tokens are renewed at another address, and the subject stays the same`() async throws
  {
    answer()
    let renew = VendorPlugin.api + "/renew"
    plugin.vendor.answer("GET \(renew)", json: ["access_token": "at-2"])
    let provider = try plugin.oauth2(
      mapping + """
        refresh = { "\(renew)", method = "GET", names = { refresh_token = "rt" } },
        """)

    let identity = try await provider.refresh(
      Secret("r-1"), of: IdentityKey(provider.id, subject: "7"), plugin.context(provider))
    let error = await expectError {
      _ = try await provider.refresh(
        Secret("r-1"), of: IdentityKey(provider.id, subject: "8"), plugin.context(provider))
    }

    #expect(identity.key?.subject == "7")
    #expect(error?.code == .userMismatch)
    let sent = try #require(plugin.vendor.requests(to: renew).first)
    #expect(sent.fields["rt"] == "r-1")
    #expect(sent.fields["grant_type"] == "refresh_token")
    let me = plugin.vendor.requests(to: VendorPlugin.api + "/me").map {
      $0.headerField("Authorization")
    }
    #expect(me == ["Bearer at-2", "Bearer at-2"])
  }

  @Test(arguments: [
    #"tokenRequest = { names = { state = "s" } }"#,
    #"tokenRequest = { names = { client_id = true } }"#,
    #"tokenRequest = { fields = { code = "x" } }"#,
    #"tokenRequest = { names = { client_id = "key" }, fields = { key = "x" } }"#,
    #"tokenRequest = { fields = { s = "{clientSecret}" } }"#,
    #"tokenRequest = { method = "GET", format = "json" }"#,
    #"tokenRequest = { method = "PUT" }"#, #"tokenRequest = { url = "x" }"#,
    #"refresh = { method = "GET" }"#, #"refresh = "https://elsewhere.example/renew""#,
    #"scopeSeparator = 1"#,
  ])
  func `a form that cannot be sent is refused when the file is read`(words: String) {
    let error = #expect(throws: AuthError.self) { try plugin.oauth2(mapping + words + ",") }

    #expect(error?.code == .invalidPlugin)
  }
}
