import AuthCore
import AuthTesting
import Crypto
import FakeVendors
import Foundation
import Testing

@Suite struct FakeAppleTests {
  static let redirect = "https://app.example/back"

  static func url(_ apple: FakeApple, _ more: [(name: String, value: String)]) -> String {
    URLText.adding(
      [
        ("client_id", FakeClient.web.id), ("redirect_uri", redirect), ("state", "s1"),
        ("nonce", "n1"),
      ] + more, to: apple.authorizationURL)
  }

  static let named: [(name: String, value: String)] = [
    ("response_type", "code id_token"), ("response_mode", "form_post"), ("scope", "name email"),
  ]

  static func exchange(
    _ apple: FakeApple, _ code: String?, secret: String
  ) async throws -> Loopback.Answer {
    try await Loopback.post(
      apple.tokenURL,
      [
        ("grant_type", "authorization_code"), ("code", code ?? ""), ("redirect_uri", redirect),
        ("client_id", FakeClient.web.id), ("client_secret", secret),
      ])
  }

  @Test(
    arguments: [(FakeApple.FlagSpelling.text, "true"), (.boolean, true)]
      as [(FakeApple.FlagSpelling, JSONValue)])
  func `flags are texts or booleans`(
    _ spelling: FakeApple.FlagSpelling, _ yes: JSONValue
  ) async throws {
    var configuration = FakeApple.Configuration()
    configuration.flags = spelling
    let apple = try await FakeApple.start(configuration)
    let hidden = FakePerson(
      subject: "001.a", email: "abc@privaterelay.appleid.com", name: "Ada")

    let token = try apple.idToken(for: hidden)
    let said = try claims(of: token)

    #expect(said["email_verified"] == yes)
    #expect(said["is_private_email"] == yes)
    #expect(said["name"] == nil)
    #expect(try claims(of: apple.idToken(for: .ada))["is_private_email"] == nil)
    #expect(try PublicKeys(await Loopback.get(apple.keysURL).json).verify(token))
  }

  @Test func `a token carries the hash of the nonce`() async throws {
    let apple = try await FakeApple.start()

    let said = try claims(of: apple.idToken(for: .ada, nonce: "raw"))

    let hex = SHA256.hash(data: Data("raw".utf8)).map { String(format: "%02x", $0) }.joined()
    #expect(said["nonce"] == .string(hex))
    #expect(said["nonce_supported"] == true)
    #expect(said["iss"] == "https://appleid.apple.com")
    #expect(FakeApple.hashed(nonce: "raw") == hex)
  }

  @Test func `the name comes once, in a form, beside the code`() async throws {
    let apple = try await FakeApple.start()

    let first = try await apple.authorize(Self.url(apple, Self.named))
    let second = try await apple.authorize(Self.url(apple, Self.named))

    #expect(first.mode == .formPost)
    #expect(
      try JSONValue(text: first.parameters["user"] ?? "")
        == [
          "name": ["firstName": "Ada", "lastName": "Lovelace"], "email": "ada@example.com",
        ])
    #expect(second.parameters["user"] == nil)
    let said = try claims(of: first.parameters["id_token"])
    #expect(said["nonce"] == "n1")
    #expect(said["c_hash"]?.stringValue?.count == 22)
    #expect(RequestFields(parsing: first.formBody)["code"] == first.code)
  }

  @Test func `a name is asked for with a form only`() async throws {
    let apple = try await FakeApple.start()
    let url = Self.url(apple, [("response_type", "code"), ("scope", "name")])

    await #expect(throws: OAuthRefusal.self) { try await apple.authorize(url) }
    let plain = try await apple.authorize(Self.url(apple, [("response_type", "code")]))
    let denied = try await apple.authorize(Self.url(apple, Self.named), consenting: false)

    #expect(plain.mode == .query)
    #expect(plain.code?.isEmpty == false)
    #expect(denied.error == "user_cancelled_authorize")
    #expect(denied.state == "s1")
  }

  @Test func `a code becomes tokens, which are refreshed and taken back`() async throws {
    let apple = try await FakeApple.start()
    let secret = try apple.clientSecret()
    let client = [("client_id", FakeClient.web.id), ("client_secret", secret)]
    let code = try await apple.authorize(Self.url(apple, Self.named), as: .bo).code

    let answer = try await Self.exchange(apple, code, secret: secret)
    let refresh = try #require(answer.json["refresh_token"]?.stringValue)
    let again = try await Loopback.post(
      apple.tokenURL,
      [("grant_type", "refresh_token"), ("refresh_token", refresh)] + client)

    #expect(answer.status == 200)
    #expect(answer.json["token_type"] == "Bearer")
    #expect(
      try claims(of: answer.json["id_token"]?.stringValue)["sub"]
        == .string(FakePerson.bo.subject))
    #expect(again.json["refresh_token"] == nil)
    #expect(
      try claims(of: again.json["id_token"]?.stringValue)["sub"]
        == .string(FakePerson.bo.subject))
    let revoked = try await Loopback.post(apple.revocationURL, [("token", refresh)] + client)
    #expect(revoked.status == 200)
    #expect(!apple.isGood(token: refresh))
    #expect(
      try await Loopback.post(apple.revocationURL, [("token", refresh)]).json["error"]
        == "invalid_client")
  }

  @Test(
    arguments: [
      ["iss": "OTHERTEAM1"], ["sub": .string(FakeClient.foreign.id)],
      ["aud": "https://other.example"], ["aud": .null], ["exp": .null], ["exp": 1_749_999_999],
      ["exp": .integer(1_750_000_000 + 15_777_001)], ["iat": .null], ["iat": 1_750_009_999],
    ] as [[String: JSONValue]])
  func `a client secret with a wrong claim is refused`(
    _ change: [String: JSONValue]
  ) async throws {
    let clock = FixedClock()
    var configuration = FakeApple.Configuration()
    configuration.clock = { clock.now }
    let apple = try await FakeApple.start(configuration)
    let code = try await apple.authorize(Self.url(apple, Self.named)).code

    let answer = try await Self.exchange(
      apple, code, secret: try apple.clientSecret(claims: change))
    let longest = try await Self.exchange(
      apple, code, secret: try apple.clientSecret(seconds: 15_777_000))

    #expect(answer.status == 400)
    #expect(answer.json["error"] == "invalid_client")
    #expect(longest.status == 200)
  }

  @Test func `a client secret of another key is refused`() async throws {
    let apple = try await FakeApple.start()
    let other = try await FakeApple.start()
    let code = try await apple.authorize(Self.url(apple, Self.named)).code
    let right = try #require(CompactToken(try apple.clientSecret())?.claims)

    for secret in [
      try other.clientSecret(), try apple.developerKey.jws(right, header: ["kid": "OTHER"]),
      apple.developerKey.unsecured(right), apple.developerKey.confusedJWS(right), "",
    ] {
      let answer = try await Self.exchange(apple, code, secret: secret)
      #expect(answer.json["error"] == "invalid_client")
    }
  }

  @Test func `the discovery document names what is there`() async throws {
    let apple = try await FakeApple.start()

    let document = try await Loopback.get(apple.discoveryURL).json

    #expect(document["issuer"] == "https://appleid.apple.com")
    #expect(document["jwks_uri"] == .string(apple.keysURL))
    #expect(document["revocation_endpoint"] == .string(apple.revocationURL))
  }
}
