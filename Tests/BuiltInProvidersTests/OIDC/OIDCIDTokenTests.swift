import AuthCore
import BuiltInProviders
import ProviderChecks
import Testing
import TestSupport

@Suite struct `OpenID Connect ID tokens` {
  let work = ProviderID("oidc.work")
  let settings = OIDCFixture.settings()

  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(OIDCFixture().provider)
  }

  @Test func `every name with the prefix is a provider of its own`() {
    let vendor = ScriptedVendor([:])
    let registry = ProviderRegistry(
      [],
      families: [
        OIDCFamily(
          transport: vendor, keys: KeyCache(transport: vendor),
          discovery: DiscoveryCache(transport: vendor))
      ])

    #expect(registry[ProviderID("oidc.school")]?.id == ProviderID("oidc.school"))
    #expect(registry[ProviderID("oidc.")] == nil)
  }

  @Test func `a token gives the identity of its subject, and is marked as used`() async throws {
    let oidc = OIDCFixture()

    let identity = try await oidc.provider.verify("idToken", oidc.fields(), settings)

    #expect(identity.key == IdentityKey(work, subject: "u-1"))
    #expect(identity.email?.text == "ada@example.com")
    #expect(identity.emailVerified)
    #expect(!identity.uses.isEmpty)
  }

  @Test func `attack 5: email_verified as a text verifies no address`() async throws {
    let oidc = OIDCFixture()

    let identity = try await oidc.provider.verify(
      "idToken", oidc.fields(["email_verified": "true"]), settings)

    #expect(!identity.emailVerified)
  }

  @Test func `attack 6: equal subjects of two issuers are two people`() async throws {
    let oidc = OIDCFixture()
    let settings = OIDCFixture.settings(["otherIssuers": ["https://id.example/realms/lab"]])

    let own = try await oidc.provider.verify("idToken", oidc.fields(), settings)
    let other = try await oidc.provider.verify(
      "idToken", oidc.fields(["iss": "https://id.example/realms/lab"]), settings)

    #expect(own.key == IdentityKey(work, subject: "u-1"))
    #expect(
      other.key == IdentityKey(work, issuer: "https://id.example/realms/lab", subject: "u-1"))
  }

  @Test func `attack 7: an issuer that is not configured is refused`() async throws {
    let oidc = OIDCFixture()

    for issuer in ["https://id.example/realms/lab", OIDCFixture.issuer + "/"] {
      let error = try await oidc.provider.refusal(
        "idToken", oidc.fields(["iss": .string(issuer)]), settings)

      #expect(error.field == "iss")
    }
    #expect(
      Set(oidc.vendor.requests.map(\.url)).isSubset(of: [
        OIDCFixture.discoveryURL, OIDCFixture.keysURL,
      ]))
  }

  @Test func `attack 14: only the client and the audiences configured are accepted`() async throws {
    let oidc = OIDCFixture()
    let fields = oidc.fields(["aud": "mobile"])

    let error = try await oidc.provider.refusal("idToken", fields, settings)
    let identity = try await oidc.provider.verify(
      "idToken", fields, OIDCFixture.settings(["audiences": ["mobile"]]))

    #expect(error.field == "aud")
    #expect(identity.key?.subject == "u-1")
  }

  @Test func `attack 18: a nonce can be required`() async throws {
    let oidc = OIDCFixture()

    let error = try await oidc.provider.refusal(
      "idToken", oidc.fields(), OIDCFixture.settings(["requiresNonce": true]))

    #expect(error.code == .missingOrInvalidNonce)
  }

  @Test func `attack 16: an algorithm that is not configured is refused`() async throws {
    let oidc = OIDCFixture()

    let error = try await oidc.provider.refusal(
      "idToken", oidc.fields(), OIDCFixture.settings(["algorithms": ["RS256"]]))

    #expect(error.code == .invalidCredential)
  }

  @Test(arguments: ["none", "HS256", "RS1"])
  func `attack 16: an algorithm without key pair cannot be configured`(name: String) async throws {
    let oidc = OIDCFixture()

    let error = try await oidc.provider.refusal(
      "idToken", oidc.fields(), OIDCFixture.settings(["algorithms": [.string(name)]]))

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "algorithms")
  }

  @Test func `attack 16: an offered algorithm without key pair is not taken`() async throws {
    let oidc = OIDCFixture(
      document: OIDCFixture.document([
        "id_token_signing_alg_values_supported": ["none", "HS256"]
      ]))

    let none = try await oidc.provider.refusal(
      "idToken", ["idToken": "eyJhbGciOiJub25lIn0.e30."], settings)

    #expect(none.code == .invalidCredential)
  }

  @Test func `the profile is asked for if the token has no address`() async throws {
    let oidc = OIDCFixture(userInfo: [
      "sub": "u-1", "email": "ada@example.com", "email_verified": true,
      "preferred_username": "ada",
    ])

    let identity = try await oidc.provider.verify(
      "idToken", oidc.fields(["email": nil], ["accessToken": "at-0"]), settings)

    #expect(identity.email?.text == "ada@example.com")
    #expect(identity.emailVerified)
    #expect(identity.profile.screenName == "ada")
    #expect(identity.key?.subject == "u-1")
    let asked = oidc.vendor.requests(to: OIDCFixture.userInfoURL)
    #expect(asked.map { $0.headerField("Authorization") } == ["Bearer at-0"])
  }

  @Test func `the profile is not asked for if the token has the address`() async throws {
    let oidc = OIDCFixture()

    _ = try await oidc.provider.verify(
      "idToken", oidc.fields([:], ["accessToken": "at-0"]), settings)

    #expect(oidc.vendor.requests(to: OIDCFixture.userInfoURL).isEmpty)
  }

  @Test(arguments: ["u-2", "", nil, 1] as [JSONValue?])
  func `attack 19: a profile of another subject is refused`(subject: JSONValue?) async throws {
    var userInfo: [String: JSONValue] = ["email": "ada@example.com", "email_verified": true]
    userInfo["sub"] = subject
    let oidc = OIDCFixture(userInfo: .object(userInfo))

    let error = try await oidc.provider.refusal(
      "idToken", oidc.fields(["email": nil], ["accessToken": "at-0"]), settings)

    #expect(error.code == .invalidCredential)
    #expect(error.step == .profile)
  }

  @Test func `configured keys need no discovery document`() async throws {
    let oidc = OIDCFixture()
    let settings = OIDCFixture.settings(["endpoints": ["keys": "https://keys.example/other"]])

    _ = try await oidc.provider.verify("idToken", oidc.fields(), settings)

    #expect(oidc.vendor.requests.map(\.url) == ["https://keys.example/other"])
  }

  @Test func `a discovery document of another issuer is refused`() async throws {
    let oidc = OIDCFixture(document: OIDCFixture.document(["issuer": "https://evil.example"]))

    let error = try await oidc.provider.refusal("idToken", oidc.fields(), settings)

    #expect(error.step != nil)
    #expect(oidc.vendor.requests(to: OIDCFixture.keysURL).isEmpty)
  }

  @Test(arguments: ["issuer", "clientID"])
  func `a field that is missing in the configuration is named`(field: String) async throws {
    let oidc = OIDCFixture()
    var values: [String: JSONValue] = [
      "issuer": .string(OIDCFixture.issuer), "clientID": "authgraph",
    ]
    values[field] = nil

    let error = try await oidc.provider.refusal(
      "idToken", oidc.fields(), ProviderSettings(work, values))

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == field)
  }
}
