import AuthCore
import AuthTesting
import FakeVendors
import Testing

@Suite struct FakeGoogleTests {
  static func url(_ vendor: FakeGoogle, _ more: [(name: String, value: String)] = []) -> String {
    URLText.adding(
      [
        ("response_type", "code"), ("client_id", FakeClient.web.id),
        ("redirect_uri", "https://app.example/back"), ("state", "s1"), ("nonce", "n1"),
        ("scope", "openid email profile"), ("code_challenge", Proof.challenge),
        ("code_challenge_method", "S256"),
      ] + more, to: vendor.authorizationURL)
  }

  static func exchange(
    _ vendor: FakeGoogle, _ code: String?, secret: String = FakeClient.web.secret ?? ""
  ) async throws -> Loopback.Answer {
    try await Loopback.post(
      vendor.tokenURL,
      [
        ("grant_type", "authorization_code"), ("code", code ?? ""),
        ("redirect_uri", "https://app.example/back"), ("client_id", FakeClient.web.id),
        ("client_secret", secret), ("code_verifier", Proof.verifier),
      ])
  }

  @Test func `the keys have a lifetime, and verify an ID token`() async throws {
    let google = try await FakeGoogle.start()
    var person = FakePerson.ada
    person.claims = ["hd": "example.com"]

    let token = try google.idToken(for: person, nonce: "n1")
    let keys = try await Loopback.get(google.keysURL)

    #expect(keys.header("cache-control") == "public, max-age=19800, must-revalidate")
    #expect(try PublicKeys(keys.json).verify(token))
    let said = try claims(of: token)
    #expect(said["iss"] == "https://accounts.google.com")
    #expect(said["azp"] == .string(FakeClient.web.id))
    #expect(said["hd"] == "example.com")
  }

  @Test func `the discovery document names what is there`() async throws {
    let google = try await FakeGoogle.start()

    let document = try await Loopback.get(google.discoveryURL).json

    #expect(document["issuer"] == "https://accounts.google.com")
    #expect(document["jwks_uri"] == .string(google.keysURL))
    #expect(document["token_endpoint"] == .string(google.tokenURL))
  }

  @Test func `tokeninfo writes everything as text`() async throws {
    let clock = FixedClock()
    var configuration = FakeGoogle.Configuration()
    configuration.clock = { clock.now }
    let google = try await FakeGoogle.start(configuration)
    let token = google.accessToken(for: .ada, clientID: "an-ios-app")

    clock.advance(seconds: 600)
    let info = try await Loopback.get(google.tokenInfoURL, [("access_token", token)])

    #expect(token.hasPrefix("ya29."))
    #expect(
      info.json == [
        "aud": "an-ios-app", "azp": "an-ios-app", "sub": .string(FakePerson.ada.subject),
        "scope": "openid email profile", "exp": "1750003600", "expires_in": "3000",
        "access_type": "online", "email": "ada@example.com", "email_verified": "true",
      ])
  }

  @Test func `a token that is unknown or over is invalid`() async throws {
    let google = try await FakeGoogle.start()
    let over = google.accessToken(for: .ada, seconds: 0)

    for token in ["unknown", over, ""] {
      let info = try await Loopback.get(google.tokenInfoURL, [("access_token", token)])
      #expect(info.status == 400)
      #expect(info.json["error"] == "invalid_token")
      #expect(try await Loopback.get(google.userInfoURL, bearer: token).status == 401)
    }
  }

  @Test func `scopes decide the claims of the profile`() async throws {
    let google = try await FakeGoogle.start()
    let token = google.accessToken(for: .ada, scopes: ["openid"])

    let info = try await Loopback.get(google.tokenInfoURL, [("access_token", token)]).json
    let profile = try await Loopback.get(google.userInfoURL, bearer: token).json

    #expect(info["email"] == nil)
    #expect(profile == ["sub": .string(FakePerson.ada.subject)])
  }

  @Test func `a code becomes tokens, and a refresh token only for offline access`() async throws {
    let google = try await FakeGoogle.start()

    let online = try await google.authorize(Self.url(google))
    let offline = try await google.authorize(Self.url(google, [("access_type", "offline")]))
    let first = try await Self.exchange(google, online.code)
    let second = try await Self.exchange(google, offline.code)
    let token = try #require(first.json["id_token"]?.stringValue)
    let profile = try await Loopback.get(
      google.userInfoURL, bearer: first.json["access_token"]!.stringValue!)

    #expect(online.parameters["iss"] == nil)
    #expect(online.state == "s1")
    #expect(first.json["expires_in"] == 3600)
    #expect(first.json["scope"] == "openid email profile")
    #expect(first.json["refresh_token"] == nil)
    #expect(second.json["refresh_token"]?.stringValue?.hasPrefix("1//") == true)
    #expect(try PublicKeys(await Loopback.get(google.keysURL).json).verify(token))
    #expect(try claims(of: token)["nonce"] == "n1")
    #expect(profile.json["name"] == "Ada Lovelace")
    #expect(profile.json["email_verified"] == true)
  }

  @Test func `a wrong secret gets nothing`() async throws {
    let google = try await FakeGoogle.start()
    let code = try await google.authorize(Self.url(google)).code

    let answer = try await Self.exchange(google, code, secret: "wrong")

    #expect(answer.status == 401)
    #expect(answer.json["error"] == "invalid_client")
  }

  @Test func `a revoked token is over`() async throws {
    let google = try await FakeGoogle.start()
    let token = google.accessToken(for: .ada)

    let first = try await Loopback.post(google.revocationURL, [("token", token)])
    let second = try await Loopback.post(google.revocationURL, [("token", token)])

    #expect(first.status == 200)
    #expect(second.status == 400)
    #expect(second.json["error"] == "invalid_token")
    #expect(!google.isGood(token: token))
  }
}
