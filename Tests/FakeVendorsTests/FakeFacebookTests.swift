import AuthCore
import AuthTesting
import FakeVendors
import Testing

@Suite struct FakeFacebookTests {
  static let web = FakeClient.web
  static let appToken = "\(FakeClient.web.id)|\(FakeClient.web.secret ?? "")"

  static func proven(_ token: String) -> [(name: String, value: String)] {
    [
      ("access_token", token),
      ("appsecret_proof", FakeFacebook.proof(of: token, secret: web.secret ?? "")),
    ]
  }

  @Test func `a proof is the HMAC of the token under the app's secret`() {
    // The second test case of RFC 4231.
    #expect(
      FakeFacebook.proof(of: "what do ya want for nothing?", secret: "Jefe")
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test func `debug_token names the person and the app of a token`() async throws {
    let clock = FixedClock()
    var configuration = FakeFacebook.Configuration()
    configuration.clock = { clock.now }
    let facebook = try await FakeFacebook.start(configuration)
    let token = facebook.accessToken(for: .ada, scopes: ["public_profile", "email"])
    let foreign = facebook.accessToken(for: .ada, clientID: FakeClient.foreign.id)

    func inspect(_ token: String, by caller: String = Self.appToken) async throws
      -> Loopback.Answer
    {
      try await Loopback.get(
        facebook.debugTokenURL, [("input_token", token), ("access_token", caller)])
    }
    let own = try await inspect(token).json["data"]
    let other = try await inspect(foreign).json["data"]
    let unknown = try await inspect("unknown").json["data"]
    let stranger = try await inspect(token, by: "1|wrong")

    #expect(own?["app_id"] == .string(Self.web.id))
    #expect(own?["user_id"] == .string(FakePerson.ada.subject))
    #expect(own?["is_valid"] == true)
    #expect(own?["type"] == "USER")
    #expect(own?["application"] == "Example app")
    #expect(own?["expires_at"] == 1_750_003_600)
    #expect(own?["scopes"] == ["public_profile", "email"])
    #expect(other?["app_id"] == .string(FakeClient.foreign.id))
    #expect(other?["is_valid"] == true)
    #expect(unknown?["is_valid"] == false)
    #expect(unknown?["error"]?["code"] == 190)
    #expect(stranger.status == 400)
    #expect(stranger.json["error"]?["code"] == 190)
    clock.advance(seconds: 3600)
    #expect(try await inspect(token).json["data"]?["is_valid"] == false)
  }

  @Test func `debug_token can keep other apps' tokens to itself`() async throws {
    var configuration = FakeFacebook.Configuration()
    configuration.inspectsForeignTokens = false
    let facebook = try await FakeFacebook.start(configuration)
    let foreign = facebook.accessToken(for: .ada, clientID: FakeClient.foreign.id)

    let answer = try await Loopback.get(
      facebook.debugTokenURL, [("input_token", foreign), ("access_token", Self.appToken)])

    #expect(answer.json["data"]?["is_valid"] == false)
    #expect(answer.json["data"]?["error"]?["code"] == 100)
  }

  @Test func `me gives the fields that were asked for`() async throws {
    let facebook = try await FakeFacebook.start()
    let token = facebook.accessToken(for: .ada, scopes: ["public_profile", "email"])
    let poor = facebook.accessToken(for: .ada, scopes: ["public_profile"])

    let full = try await Loopback.get(
      facebook.meURL, [("fields", "id,name,email,picture.type(large)")] + Self.proven(token))
    let plain = try await Loopback.get(facebook.graphURL + "/me", Self.proven(token))
    let less = try await Loopback.get(
      facebook.meURL, [("fields", "id,email")] + Self.proven(poor))

    #expect(full.json["id"] == .string(FakePerson.ada.subject))
    #expect(full.json["name"] == "Ada Lovelace")
    #expect(full.json["email"] == "ada@example.com")
    #expect(full.json["picture"]?["data"]?["url"] == "https://people.example/ada.png")
    #expect(
      plain.json == ["id": .string(FakePerson.ada.subject), "name": "Ada Lovelace"])
    #expect(less.json == ["id": .string(FakePerson.ada.subject)])
  }

  @Test func `me wants a token and its proof`() async throws {
    let facebook = try await FakeFacebook.start()
    let token = facebook.accessToken(for: .ada)

    let bare = try await Loopback.get(facebook.meURL)
    let unknown = try await Loopback.get(facebook.meURL, Self.proven("unknown"))
    let unproven = try await Loopback.get(facebook.meURL, bearer: token)
    let wrong = try await Loopback.get(
      facebook.meURL, [("access_token", token), ("appsecret_proof", "00")])

    #expect([bare, unknown, unproven, wrong].map(\.status) == [400, 400, 400, 400])
    #expect(unknown.json["error"]?["type"] == "OAuthException")
    #expect(unknown.json["error"]?["code"] == 190)
    #expect(unproven.json["error"]?["code"] == 100)
    #expect(
      wrong.json["error"]?["message"] == "Invalid appsecret_proof provided in the API argument")
    var configuration = FakeFacebook.Configuration()
    configuration.requiresProof = false
    let lenient = try await FakeFacebook.start(configuration)
    let other = lenient.accessToken(for: .ada)
    #expect(try await Loopback.get(lenient.meURL, bearer: other).status == 200)
  }

  @Test func `a code becomes a token`() async throws {
    let facebook = try await FakeFacebook.start()
    let url = URLText.adding(
      [
        ("response_type", "code"), ("client_id", Self.web.id), ("state", "s1"),
        ("redirect_uri", "https://app.example/back"), ("scope", "openid,email"), ("nonce", "n1"),
      ], to: facebook.authorizationURL)
    func exchange(_ secret: String) async throws -> Loopback.Answer {
      let back = try await facebook.authorize(url)
      return try await Loopback.get(
        facebook.tokenURL,
        [
          ("client_id", Self.web.id), ("client_secret", secret),
          ("redirect_uri", "https://app.example/back"), ("code", back.code ?? ""),
        ])
    }

    let answer = try await exchange(Self.web.secret ?? "")
    let token = try #require(answer.json["access_token"]?.stringValue)
    let wrong = try await exchange("wrong")
    let denied = try await facebook.authorize(url, consenting: false)

    #expect(answer.json["token_type"] == "bearer")
    #expect(try await Loopback.get(facebook.meURL, Self.proven(token)).status == 200)
    #expect(try claims(of: answer.json["id_token"]?.stringValue)["nonce"] == "n1")
    #expect(wrong.status == 400)
    #expect(wrong.json["error"]?["type"] == "OAuthException")
    #expect(denied.error == "access_denied")
    #expect(denied.parameters["error_reason"] == "user_denied")
  }

  @Test func `permissions are taken back`() async throws {
    let facebook = try await FakeFacebook.start()
    let token = facebook.accessToken(for: .ada)
    let url = URLText.adding(Self.proven(token), to: facebook.permissionsURL)

    let listed = try await Loopback.get(url)
    let answer = try await Loopback.send("DELETE", url)

    #expect(
      listed.json["data"]
        == .array(
          ["openid", "email", "profile"].map { ["permission": .string($0), "status": "granted"] }))
    #expect(answer.json == ["success": true])
    #expect(!facebook.isGood(token: token))
    #expect(try await Loopback.send("DELETE", url).status == 400)
  }

  @Test func `limited login gives an ID token without email_verified`()
    async throws
  {
    let facebook = try await FakeFacebook.start()

    let token = try facebook.idToken(for: .ada, nonce: "n1")
    let keys = try await Loopback.get(facebook.keysURL)

    #expect(try PublicKeys(keys.json).verify(token))
    let said = try claims(of: token)
    #expect(said["iss"] == "https://www.facebook.com")
    #expect(said["aud"] == .string(Self.web.id))
    #expect(said["nonce"] == "n1")
    #expect(said["email"] == "ada@example.com")
    #expect(said["email_verified"] == nil)
    #expect(facebook.server.requests(to: "/.well-known/oauth/openid/jwks/").count == 1)
  }
}
