import AuthCore
import BuiltInProviders
import ProviderChecks
import Testing
import TestSupport

@Suite struct `Apple ID tokens` {
  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(AppleFixture().provider)
  }

  @Test func `a token gives the identity of its subject, and is marked as used`() async throws {
    let identity = try await AppleFixture().verify()

    #expect(identity.key == IdentityKey(.apple, subject: AppleFixture.subject))
    #expect(identity.email?.text == "ada@example.com")
    #expect(!identity.uses.isEmpty)
  }

  @Test(
    arguments: [
      (true, true), ("true", true), (false, false), ("false", false), ("TRUE", false), (1, false),
      (nil, false),
    ] as [(JSONValue?, Bool)])
  func `attack 5: the word on an address is a boolean or its exact text`(
    word: JSONValue?, verified: Bool
  ) async throws {
    let identity = try await AppleFixture().verify(["email_verified": word])

    #expect(identity.emailVerified == verified)
  }

  @Test(arguments: [true, "true"] as [JSONValue])
  func `P5: a private address is the person's, on Apple's word`(word: JSONValue) async throws {
    let identity = try await AppleFixture().verify([
      "email": "x7@privaterelay.appleid.com", "is_private_email": word,
    ])

    #expect(identity.profile.email == "x7@privaterelay.appleid.com")
    #expect(identity.email?.text == "x7@privaterelay.appleid.com")
    #expect(identity.emailVerified)
    #expect(identity.claims["is_private_email"] == true)
  }

  @Test(arguments: [false, nil] as [JSONValue?])
  func `a relay address is known by its domain too`(word: JSONValue?) async throws {
    let identity = try await AppleFixture().verify([
      "email": "x7@PrivateRelay.AppleID.com", "is_private_email": word,
    ])

    #expect(identity.email?.isAppleRelay == true)
    #expect(identity.claims["is_private_email"] == true)
  }

  @Test(arguments: [false, "false", nil] as [JSONValue?])
  func `an address that is no relay is matched`(word: JSONValue?) async throws {
    let identity = try await AppleFixture().verify(["is_private_email": word])

    #expect(identity.email?.text == "ada@example.com")
    #expect(identity.emailVerified)
  }

  @Test func `a token without address is taken`() async throws {
    let identity = try await AppleFixture().verify(["email": nil, "email_verified": true])

    #expect(identity.profile.email == nil)
    #expect(!identity.emailVerified)
  }

  @Test(
    arguments: [
      ("Ada Lovelace", "Ada Lovelace"), ("  Ada \n Lovelace ", "Ada Lovelace"),
      (
        #"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@example.com"}"#,
        "Ada Lovelace"
      ),
      (#"{"name":{"firstName":"Ada"}}"#, "Ada"), ("{}", nil), (" ", nil),
    ] as [(String, String?)])
  func `the name comes beside the token`(given: String, shown: String?) async throws {
    let identity = try await AppleFixture().verify(fullName: given)

    #expect(identity.profile.displayName == shown)
    #expect(identity.profile.email == "ada@example.com")
  }

  @Test func `attack 18: the nonce may be in the token as it is or as its digest, not otherwise`()
    async throws
  {
    let apple = AppleFixture()

    _ = try await apple.verify(["nonce": "raw-nonce-51c7"])
    let wrong = try await apple.refusal(["nonce": "other"])
    let none = try await apple.refusal(["nonce": nil])
    let notGiven = await #expect(throws: AuthError.self) {
      try await apple.provider.verify(
        "idToken", ["idToken": SampleKey.rsa.sign(AppleFixture.claims())],
        AppleFixture.settings())
    }

    #expect([wrong, none].allSatisfy { $0.code == .missingOrInvalidNonce })
    #expect(notGiven?.field == "nonce")
  }

  @Test func `attack 14: a token for another app is refused`() async throws {
    let error = try await AppleFixture().refusal(["aud": "com.somebody.else"])

    #expect(error.code == .invalidCredential)
    #expect(error.field == "aud")
  }

  @Test func `attack 7: a token of another issuer is refused without a request to it`()
    async throws
  {
    let apple = AppleFixture()

    let error = try await apple.refusal(["iss": "https://evil.example"])

    #expect(error.field == "iss")
    #expect(apple.vendor.requests.allSatisfy { $0.url == AppleFixture.keysURL })
  }

  @Test func `attack 15: the same address with another subject is another person`() async throws {
    let apple = AppleFixture()

    let ada = try await apple.verify()
    let other = try await apple.verify(["sub": "009999.xyz.0101"])

    #expect(ada.key != other.key)
  }
}
