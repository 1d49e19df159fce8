import AuthCore
import FakeVendors
import Testing

/// The authorization endpoint of a scripted provider, as browsers and apps use it.
@Suite struct ScriptedSignInTests {
  static let redirect = "https://app.example/back"

  /// An authorization URL.
  static func url(
    _ provider: ScriptedIdentityProvider, changing: [String: String?] = [:]
  ) -> String {
    var fields: [String: String] = [
      "response_type": "code", "client_id": FakeClient.idp.id, "redirect_uri": redirect,
      "state": "s1", "nonce": "n1", "scope": "openid email profile",
      "code_challenge": Proof.challenge, "code_challenge_method": "S256",
    ]
    for (name, value) in changing { fields[name] = value }
    return URLText.adding(
      fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      to: provider.server.url("/authorize"))
  }

  /// The parameters that came back to the app.
  static func callback(_ answer: Loopback.Answer) throws -> [String: String] {
    #expect(answer.status == 302)
    let place = try #require(answer.header("Location"))
    #expect(place.hasPrefix(redirect))
    return try #require(URLText.query(of: place))
  }

  static func exchange(
    _ provider: ScriptedIdentityProvider, _ code: String, changing: [String: String?] = [:]
  ) async throws -> Loopback.Answer {
    var fields: [String: String] = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": redirect,
      "client_id": FakeClient.idp.id, "client_secret": FakeClient.idp.secret ?? "",
      "code_verifier": Proof.verifier,
    ]
    for (name, value) in changing { fields[name] = value }
    return try await Loopback.post(
      provider.server.url("/token"), fields.map { ($0.key, $0.value) })
  }

  @Test func `a browser shows a choice of people, and the choice signs in`() async throws {
    var script = IdentityScript()
    script.people[0].name = "Ada <b>& co"
    let provider = try await ScriptedIdentityProvider.start(script)

    let page = try await Loopback.get(Self.url(provider))
    let links = page.text.matches(of: /href="([^"]+)"/).map { String($0.output.1) }
    let link = try #require(links.first { $0.contains("person=1002") })
    let choice = link.replacing("&amp;", with: "&")
    let back = try Self.callback(try await Loopback.get(provider.server.url(choice)))
    let tokens = try await Self.exchange(provider, try #require(back["code"])).json
    let token = try #require(tokens["id_token"]?.stringValue)

    #expect(page.status == 200)
    #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
    #expect(page.text.contains("Ada &lt;b&gt;&amp; co"))
    #expect(!page.text.contains("<script"))
    #expect(links.count == 4)
    #expect(back["state"] == "s1")
    #expect(back["iss"] == provider.issuer)
    let keys = PublicKeys(try await Loopback.get(provider.server.url("/keys")).json)
    #expect(try keys.verify(token))
    #expect(try claims(of: token)["sub"] == "1002")
    #expect(try claims(of: token)["nonce"] == "n1")
    await provider.stop()
  }

  @Test func `a cancelled sign-in goes back with access_denied`() async throws {
    let provider = try await ScriptedIdentityProvider.start()

    let page = try await Loopback.get(Self.url(provider))
    let link = try #require(page.text.firstMatch(of: /href="([^"]+)">Cancel/)).output.1
    let url = provider.server.url(String(link).replacing("&amp;", with: "&"))
    let back = try Self.callback(try await Loopback.get(url))

    #expect(back["error"] == "access_denied")
    #expect(back["state"] == "s1")
    #expect(back["code"] == nil)
    await provider.stop()
  }

  @Test(arguments: [
    ["person": "1002"], ["person": "bo@example.com"], ["login_hint": "bo@example.com"],
  ])
  func `a named person goes straight through`(_ parameters: [String: String]) async throws {
    let provider = try await ScriptedIdentityProvider.start()

    let answer = try await Loopback.get(Self.url(provider, changing: parameters))
    let code = try #require(try Self.callback(answer)["code"])
    let tokens = try await Self.exchange(provider, code).json

    let token = try #require(tokens["id_token"]?.stringValue)
    #expect(try claims(of: token)["sub"] == "1002")
    await provider.stop()
  }

  @Test func `a cookie and a fixed person go straight through`() async throws {
    let asking = try await ScriptedIdentityProvider.start()
    let fixed = try await ScriptedIdentityProvider.start(person: "bo@example.com")

    let withCookie = try await Loopback.send(
      "GET", Self.url(asking), headers: ["Cookie": "person=1002"])
    let withNobody = try await Loopback.get(Self.url(fixed))

    #expect(try Self.callback(withCookie)["code"] != nil)
    #expect(try Self.callback(withNobody)["code"] != nil)
    await asking.stop()
    await fixed.stop()
  }

  @Test func `prompt asks, or keeps from asking`() async throws {
    let provider = try await ScriptedIdentityProvider.start()

    let chosen = try await Loopback.send(
      "GET", Self.url(provider, changing: ["prompt": "select_account"]),
      headers: ["Cookie": "person=1002"])
    let silent = try await Loopback.get(Self.url(provider, changing: ["prompt": "none"]))

    #expect(chosen.status == 200)
    #expect(try Self.callback(silent)["error"] == "login_required")
    await provider.stop()
  }

  @Test(arguments: [
    (["client_id": "nobody"], "invalid_client"), (["person": "1009"], "unknown_person"),
    (["redirect_uri": "https://evil.example/"], "redirect_uri_mismatch"),
  ])
  func `a browser is sent nowhere for what is not registered`(
    _ parameters: [String: String], _ word: String
  ) async throws {
    var script = IdentityScript()
    script.clients[0].redirectURIs = [Self.redirect]
    let provider = try await ScriptedIdentityProvider.start(script)

    let answer = try await Loopback.get(Self.url(provider, changing: parameters))

    #expect(answer.status == 400)
    #expect(answer.header("Location") == nil)
    #expect(answer.text.contains(word))
    await provider.stop()
  }

  @Test func `an app without a secret needs PKCE, and a verifier that is the challenge's`()
    async throws
  {
    var script = IdentityScript()
    script.clients.append(FakeClient(id: "mobile"))
    let provider = try await ScriptedIdentityProvider.start(script, person: "1001")
    let mobile: [String: String?] = ["client_id": "mobile"]
    let without: [String: String?] = [
      "client_id": "mobile", "code_challenge": nil, "code_challenge_method": nil,
    ]

    let bare = try await Loopback.get(Self.url(provider, changing: without))
    let guarded = try await Loopback.get(Self.url(provider, changing: mobile))
    let code = try #require(try Self.callback(guarded)["code"])
    let wrong = try await Self.exchange(
      provider, code,
      changing: [
        "client_id": "mobile", "client_secret": nil,
        "code_verifier": String(repeating: "x", count: 43),
      ])

    #expect(try Self.callback(bare)["error"] == "invalid_request")
    #expect(wrong.status == 400)
    #expect(wrong.json["error"] == "invalid_grant")
    await provider.stop()
  }

  @Test func `plain OAuth 2 gives no ID token, and userinfo describes the person`() async throws {
    let provider = try await ScriptedIdentityProvider.start(person: "1001")
    let plain: [String: String?] = [
      "scope": "read:user", "nonce": nil, "code_challenge": nil, "code_challenge_method": nil,
    ]

    let answer = try await Loopback.get(Self.url(provider, changing: plain))
    let code = try #require(try Self.callback(answer)["code"])
    let tokens = try await Self.exchange(provider, code, changing: ["code_verifier": nil]).json
    let access = try #require(tokens["access_token"]?.stringValue)
    let profile = try await Loopback.get(provider.server.url("/userinfo"), bearer: access)

    #expect(tokens["id_token"] == nil)
    #expect(tokens["scope"] == "read:user")
    #expect(profile.json["sub"] == "1001")
    #expect(profile.json["email"] == "ada@example.com")
    await provider.stop()
  }
}
