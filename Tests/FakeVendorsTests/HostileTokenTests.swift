import AuthCore
import AuthTesting
import FakeVendors
import Testing

@Suite struct HostileTokenTests {
  private static func token(
    _ hostile: HostileToken?, _ vendor: some FakeVendor
  ) throws -> String {
    try vendor.idToken(for: .ada, nonce: "n-0S6", hostile: hostile)
  }

  private static func keys(_ vendor: FakeOIDC) async throws -> PublicKeys {
    PublicKeys(try await Loopback.get(vendor.keysURL).json)
  }

  @Test func `an honest token is right in all respects`() async throws {
    let vendor = try await FakeOIDC.start()

    let token = try Self.token(nil, vendor)

    let claims = try claims(of: token)
    #expect(try await Self.keys(vendor).verify(token))
    #expect(claims["iss"] == .string(vendor.issuer))
    #expect(claims["aud"] == .string(FakeClient.web.id))
    #expect(claims["sub"] == .string(FakePerson.ada.subject))
    #expect(claims["nonce"] == "n-0S6")
    #expect(claims["email"] == "ada@example.com")
    #expect(claims["email_verified"] == true)
    #expect(claims["name"] == "Ada Lovelace")
  }

  @Test(arguments: HostileToken.allCases)
  func `a hostile token differs from an honest one`(_ hostile: HostileToken) async throws {
    let clock = FixedClock()
    var configuration = FakeOIDC.Configuration()
    configuration.clock = { clock.now }
    let vendor = try await FakeOIDC.start(configuration)

    let honest = try Self.token(nil, vendor)

    #expect(try Self.token(hostile, vendor) != honest)
    #expect(try Self.token(nil, vendor) == honest)
  }

  static let wrongClaims: [(HostileToken, String, JSONValue?)] = [
    (.wrongIssuer, "iss", "https://accounts.stranger.example"), (.issuerMissing, "iss", nil),
    (.wrongAudience, "aud", .string(FakeClient.foreign.id)), (.audienceMissing, "aud", nil),
    (.audienceEmpty, "aud", []),
    (.untrustedAudienceToo, "azp", .string(FakeClient.foreign.id)),
    (.expired, "exp", .integer(1_750_000_000 - 86_400)), (.expiryMissing, "exp", nil),
    (.notYetValid, "nbf", .integer(1_750_000_000 + 86_400)), (.nonceMissing, "nonce", nil),
    (.nonceWrong, "nonce", "the-nonce-of-another-sign-in"), (.subjectMissing, "sub", nil),
    (.subjectEmpty, "sub", ""), (.subjectNumeric, "sub", 12_345),
    (.subjectBeyondDoublePrecision, "sub", 9_007_199_254_740_993),
    (.emailVerifiedFalse, "email_verified", false),
    (.emailVerifiedTextFalse, "email_verified", "false"),
    (.emailVerifiedNumber, "email_verified", 1), (.emailVerifiedYes, "email_verified", "yes"),
    (.emailVerifiedAbsent, "email_verified", nil), (.emailIsNone, "email", "ada at example.com"),
    (.noEmail, "email", nil),
  ]

  @Test(arguments: wrongClaims)
  func `a token with a wrong claim is signed by the vendor`(
    _ hostile: HostileToken, _ claim: String, _ value: JSONValue?
  ) async throws {
    let clock = FixedClock()
    var configuration = FakeOIDC.Configuration()
    configuration.clock = { clock.now }
    let vendor = try await FakeOIDC.start(configuration)

    let token = try Self.token(hostile, vendor)

    #expect(try claims(of: token)[claim] == value)
    #expect(try await Self.keys(vendor).verify(token))
  }

  @Test(
    arguments: [
      HostileToken.algorithmNone, .algorithmNoneOddCase, .hs256WithPublicKey, .hs256WithKeyNumber,
      .emptySignature, .corruptedSignature, .tamperedPayload, .foreignSignature, .unknownKeyID,
      .keyIDTraversal, .duplicateKeyID, .keyOfAnotherType, .jkuHeader, .x5uHeader, .jwkHeader,
    ], SigningKey.algorithms)
  func `a token that is signed wrongly is not signed by the vendor`(
    _ hostile: HostileToken, _ algorithm: SigningAlgorithm
  ) async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.algorithm = algorithm
    let vendor = try await FakeOIDC.start(configuration)

    let token = try Self.token(hostile, vendor)

    #expect(try await !Self.keys(vendor).verify(token))
    #expect(hostile.mustBeRefused)
  }

  @Test func `a stranger's keys are at the address in the token's header`() async throws {
    let vendor = try await FakeOIDC.start()
    let token = try Self.token(.jkuHeader, vendor)
    let head = try #require(CompactToken(token)?.headerMembers)
    let url = try #require(head["jku"]?.stringValue)

    #expect(vendor.server.requests(to: HostileToken.attackerKeysPath).isEmpty)
    #expect(try PublicKeys(await Loopback.get(url).json).verify(token))
    #expect(vendor.server.requests(to: HostileToken.attackerKeysPath).count == 1)
    #expect(CompactToken(try Self.token(.x5uHeader, vendor))?.headerMembers?["x5u"] != nil)
  }

  @Test func `a token brings the key that made it`() async throws {
    let vendor = try await FakeOIDC.start()
    let token = try Self.token(.jwkHeader, vendor)

    let key = try #require(CompactToken(token)?.headerMembers?["jwk"])

    #expect(try PublicKeys(["keys": [key]]).verify(token))
  }

  @Test func `two keys have one name`() async throws {
    let vendor = try await FakeOIDC.start()

    let token = try Self.token(.duplicateKeyID, vendor)
    let keys = try await Self.keys(vendor)

    #expect(keys.keyIDs == ["oidc-1", "oidc-1"])
    #expect(try !PublicKeys(["keys": [keys.members[0]]]).verify(token))
    #expect(try PublicKeys(["keys": [keys.members[1]]]).verify(token))
  }

  @Test func `a key of another type is published`() async throws {
    let vendor = try await FakeOIDC.start()

    let head = CompactToken(try Self.token(.keyOfAnotherType, vendor))?.headerMembers
    let keys = try await Self.keys(vendor)

    #expect(head?["alg"] == "RS256")
    #expect(keys.members.first { $0["kid"] == head?["kid"] }?["kty"] == "EC")
  }

  @Test func `a critical member is signed like the rest`() async throws {
    let vendor = try await FakeOIDC.start()

    let token = try Self.token(.critHeader, vendor)

    #expect(CompactToken(token)?.headerMembers?["crit"] == ["urn:example:must-be-known"])
    #expect(try await Self.keys(vendor).verify(token))
  }

  @Test func `a token that only says less about an address is genuine`() {
    let genuine = HostileToken.allCases.filter { !$0.mustBeRefused }

    #expect(
      genuine == [
        .emailVerifiedFalse, .emailVerifiedTextFalse, .emailVerifiedNumber, .emailVerifiedYes,
        .emailVerifiedAbsent, .emailIsNone, .noEmail,
      ])
    #expect(HostileToken.allCases.filter(\.needsNonce) == [.nonceMissing, .nonceWrong])
    #expect("\(HostileToken.wrongAudience)" == "a token for another app")
  }
}
