import AuthCore
import BuiltInProviders
import ProviderChecks
import Testing
import TestSupport

@Suite struct `Google ID tokens` {
  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(GoogleFixture().provider)
  }

  @Test func `a token gives the identity of its subject`() async throws {
    let identity = try await GoogleFixture().verify(idToken: GoogleFixture.claims())

    #expect(identity.key == IdentityKey(.google, subject: "1122"))
    #expect(identity.profile.email == "ada@example.com")
    #expect(identity.profile.displayName == "Ada Lovelace")
    #expect(identity.profile.photoURL == "https://photos.example/ada")
    #expect(identity.email?.text == "ada@example.com")
    #expect(identity.emailVerified)
    #expect(identity.claims["sub"] == "1122")
  }

  @Test func `attack 18: a token is marked as used`() async throws {
    let google = GoogleFixture()
    let claims = GoogleFixture.claims(["nonce": "app-nonce-93d2"])

    let first = try await google.verify(idToken: claims, nonce: "app-nonce-93d2")
    let second = try await google.verify(idToken: claims, nonce: "app-nonce-93d2")

    #expect(!first.uses.isEmpty)
    #expect(!Set(first.uses).isDisjoint(with: second.uses))
    #expect(first.uses.allSatisfy { $0.expiresAt > moment })
  }

  @Test func `both spellings of the issuer are one person`() async throws {
    let google = GoogleFixture()

    let long = try await google.verify(idToken: GoogleFixture.claims())
    let short = try await google.verify(
      idToken: GoogleFixture.claims(["iss": "accounts.google.com"]))

    #expect(long.key == short.key)
  }

  @Test func `a token for any of the client IDs is taken`() async throws {
    let identity = try await GoogleFixture().verify(
      idToken: GoogleFixture.claims(["aud": "ios.example"]))

    #expect(identity.key?.subject == "1122")
  }

  @Test func `attack 14: a token for another client is refused`() async throws {
    let error = try await GoogleFixture().refusal(
      idToken: GoogleFixture.claims(["aud": "somebody.else"]))

    #expect(error.code == .invalidCredential)
    #expect(error.field == "aud")
    #expect(error.step == .token)
  }

  @Test func `attack 7: a token signed by another issuer is refused and that one is never called`()
    async throws
  {
    let google = GoogleFixture()

    let error = try await google.refusal(
      idToken: GoogleFixture.claims(["iss": "https://evil.example"]), key: .otherRSA)

    #expect(error.code == .invalidCredential)
    #expect(google.vendor.requests.allSatisfy { $0.url == GoogleFixture.keysURL })
  }

  @Test func `a token that another key signed is refused`() async throws {
    let error = try await GoogleFixture().refusal(idToken: GoogleFixture.claims(), key: .otherRSA)

    #expect(error.code == .invalidCredential)
  }

  @Test func `attack 15: the subject is the person, under any address`()
    async throws
  {
    let google = GoogleFixture()

    let ada = try await google.verify(idToken: GoogleFixture.claims())
    let renamed = try await google.verify(
      idToken: GoogleFixture.claims(["email": "countess@example.com"]))
    let other = try await google.verify(idToken: GoogleFixture.claims(["sub": "3344"]))

    #expect(ada.key == renamed.key)
    #expect(ada.key != other.key)
  }

  @Test(arguments: [false, "true", "false", 1, nil] as [JSONValue?])
  func `attack 5: an address counts as verified only by the boolean`(word: JSONValue?)
    async throws
  {
    let identity = try await GoogleFixture().verify(
      idToken: GoogleFixture.claims(["email_verified": word]))

    #expect(!identity.emailVerified)
  }

  @Test func `attack 18: a nonce is compared plain or as its digest`() async throws {
    let google = GoogleFixture()

    _ = try await google.verify(
      idToken: GoogleFixture.claims(["nonce": "raw-nonce-51c7"]), nonce: "raw-nonce-51c7")
    _ = try await google.verify(
      idToken: GoogleFixture.claims(["nonce": .string("raw-nonce-51c7".sha256Hex)]),
      nonce: "raw-nonce-51c7")
    let wrong = try await google.refusal(
      idToken: GoogleFixture.claims(["nonce": "raw-nonce-51c7"]), nonce: "nonce-of-another-88a1")
    let notGiven = try await google.refusal(
      idToken: GoogleFixture.claims(["nonce": "raw-nonce-51c7"]))
    let notThere = try await google.refusal(
      idToken: GoogleFixture.claims(), nonce: "raw-nonce-51c7")

    #expect([wrong, notGiven, notThere].allSatisfy { $0.code == .missingOrInvalidNonce })
  }

  @Test func `only members of the configured domains may sign in`() async throws {
    let google = GoogleFixture()
    let settings = GoogleFixture.settings(["hostedDomains": ["example.com"]])

    let member = try await google.verify(
      idToken: GoogleFixture.claims(["hd": "example.com"]), settings: settings)
    let guest = try await google.refusal(idToken: GoogleFixture.claims(), settings: settings)
    let stranger = try await google.refusal(
      idToken: GoogleFixture.claims(["hd": "evil.example"]), settings: settings)

    #expect(member.key?.subject == "1122")
    #expect([guest, stranger].allSatisfy { $0.field == "hd" && $0.code == .invalidCredential })
  }

  @Test func `no token signs in without client IDs, and the error names the field`() async throws {
    let error = try await GoogleFixture().refusal(
      idToken: GoogleFixture.claims(), settings: ProviderSettings(.google))

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "clientIDs")
  }
}
