import AuthCore
import AuthTesting
import FakeVendors
import Testing

@Suite struct FakeOIDCTokenTests {
  typealias Flow = FakeOIDCTests

  @Test func `a code grows old`() async throws {
    let clock = FixedClock()
    var configuration = FakeOIDC.Configuration()
    configuration.clock = { clock.now }
    let vendor = try await FakeOIDC.start(configuration)
    let code = try await vendor.authorize(Flow.url(vendor)).code

    clock.advance(seconds: 600)

    #expect(try await Flow.exchange(vendor, code: code).json["error"] == "invalid_grant")
  }

  @Test func `tokens are looked at, refreshed and taken back`() async throws {
    let clock = FixedClock()
    var configuration = FakeOIDC.Configuration()
    configuration.clock = { clock.now }
    let vendor = try await FakeOIDC.start(configuration)
    let basic = Loopback.basic(Flow.web.id, Flow.web.secret ?? "")
    let code = try await vendor.authorize(Flow.url(vendor)).code
    let first = try await Flow.exchange(vendor, code: code).json
    let refresh = try #require(first["refresh_token"]?.stringValue)

    clock.advance(seconds: 3600)
    let over = try await Loopback.post(
      vendor.introspectionURL, [("token", first["access_token"]!.stringValue!)], headers: basic)
    let second = try await Loopback.post(
      vendor.tokenURL, [("grant_type", "refresh_token"), ("refresh_token", refresh)],
      headers: basic)
    let access = try #require(second.json["access_token"]?.stringValue)
    let fresh = try await Loopback.post(
      vendor.introspectionURL, [("token", access)], headers: basic)
    let unproven = try await Loopback.post(vendor.introspectionURL, [("token", access)])

    #expect(over.json == ["active": false])
    #expect(try claims(of: second.json["id_token"]?.stringValue)["nonce"] == nil)
    #expect(fresh.json["active"] == true)
    #expect(fresh.json["client_id"] == .string(Flow.web.id))
    #expect(fresh.json["sub"] == .string(FakePerson.ada.subject))
    #expect(unproven.status == 401)

    #expect(vendor.isGood(token: access))
    let revoked = try await Loopback.post(
      vendor.revocationURL, [("token", refresh)], headers: basic)
    #expect(revoked.status == 200)
    #expect(!vendor.isGood(token: access))
    #expect(!vendor.isGood(token: refresh))
  }

  @Test func `a provider lies in the named fields only`() async throws {
    let vendor = try await FakeOIDC.start()
    vendor.misbehave {
      $0.idToken = .wrongAudience
      $0.profilePerson = .bo
      $0.refreshedPerson = .mallory
      $0.responseIssuer = .replaced("https://other.example")
      $0.responseState = .missing
    }

    let back = try await vendor.authorize(Flow.url(vendor), as: .ada)
    let answer = try await Flow.exchange(vendor, code: back.code).json
    let profile = try await Loopback.get(
      vendor.userInfoURL, bearer: answer["access_token"]!.stringValue!)
    vendor.misbehave { $0.idToken = nil }
    let second = try await Loopback.post(
      vendor.tokenURL,
      [("grant_type", "refresh_token"), ("refresh_token", answer["refresh_token"]!.stringValue!)],
      headers: Loopback.basic(Flow.web.id, Flow.web.secret ?? ""))

    #expect(back.parameters["iss"] == "https://other.example")
    #expect(back.state == nil)
    #expect(
      try claims(of: answer["id_token"]?.stringValue)["aud"] == .string(FakeClient.foreign.id))
    #expect(profile.json["sub"] == .string(FakePerson.bo.subject))
    #expect(
      try claims(of: second.json["id_token"]?.stringValue)["sub"]
        == .string(FakePerson.mallory.subject))
    vendor.misbehave { $0.tokenError = "temporarily_unavailable" }
    #expect(
      try await Flow.exchange(vendor, code: "c").json["error"] == "temporarily_unavailable")
  }

  @Test func `claims and header of ID tokens can be changed and left out`() async throws {
    let vendor = try await FakeOIDC.start()
    vendor.misbehave {
      $0.idTokenClaims = ["iat": .null, "acr": "1"]
      $0.idTokenHeader = ["kid": .null, "typ": "at+jwt"]
    }

    let token = try #require(CompactToken(try vendor.idToken(for: .ada)))

    #expect(token.headerMembers == ["alg": "RS256", "typ": "at+jwt"])
    #expect(token.claims?["iat"] == nil)
    #expect(token.claims?["acr"] == "1")
    #expect(token.claims?["sub"] == .string(FakePerson.ada.subject))
    #expect(try vendor.signingKey.didSign(token))
  }

  @Test(arguments: SigningKey.algorithms)
  func `keys rotate, and the old ones stay or go`(
    _ algorithm: SigningAlgorithm
  ) async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.algorithm = algorithm
    let vendor = try await FakeOIDC.start(configuration)
    let old = try vendor.idToken(for: .ada)

    try vendor.rotateKeys()
    let new = try vendor.idToken(for: .ada)
    let both = PublicKeys(try await Loopback.get(vendor.keysURL).json)
    vendor.dropOldKeys()
    let one = PublicKeys(try await Loopback.get(vendor.keysURL).json)
    try vendor.rotateKeys(keepingOld: false)
    let next = PublicKeys(try await Loopback.get(vendor.keysURL).json)

    #expect(both.keyIDs == ["oidc-2", "oidc-1"])
    #expect(try both.verify(old) && both.verify(new))
    #expect(one.keyIDs == ["oidc-2"])
    #expect(try !one.verify(old) && one.verify(new))
    #expect(next.keyIDs == ["oidc-3"])
    #expect(next.members[0] != one.members[0])
    #expect(try vendor.signingKey.keyID == "oidc-3")
  }

  @Test func `a native token is valid at once, and its person is known`() async throws {
    let vendor = try await FakeOIDC.start()

    let token = vendor.accessToken(for: .mallory)
    let over = vendor.accessToken(for: .mallory, seconds: -1)
    let profile = try await Loopback.get(vendor.userInfoURL, bearer: token)

    #expect(profile.json["email"] == "ada@example.com")
    #expect(profile.json["email_verified"] == false)
    #expect(try await Loopback.get(vendor.userInfoURL, bearer: over).status == 401)
    #expect(try await Loopback.get(vendor.userInfoURL).status == 401)
    var moved = FakePerson.mallory
    moved.email = "m@example.com"
    vendor.admit(moved)
    #expect(
      try await Loopback.get(vendor.userInfoURL, bearer: token).json["email"] == "m@example.com")
  }

  @Test func `the person at the browser comes from a cookie, a hint or the vendor`() async throws {
    let vendor = try await FakeOIDC.start()
    vendor.signIn(.mallory)

    var subjects: [JSONValue?] = []
    for (change, person) in [
      ([:], nil), (["login_hint": "bo@example.com"], nil), ([:], FakePerson.ada),
    ] as [([String: String?], FakePerson?)] {
      let back = try await vendor.authorize(Flow.url(vendor, changing: change), as: person)
      let answer = try await Flow.exchange(vendor, code: back.code).json
      subjects.append(try claims(of: answer["id_token"]?.stringValue)["sub"])
    }

    #expect(
      subjects
        == [FakePerson.mallory, .bo, .ada].map { JSONValue.string($0.subject) })
  }
}
