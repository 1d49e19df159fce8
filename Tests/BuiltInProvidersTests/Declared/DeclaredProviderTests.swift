import AuthCore
import AuthTesting
import BuiltInProviders
import ProviderChecks
import Testing
import TestSupport

extension ProviderDeclaration {
  /// A vendor of OAuth 2 in a few lines.
  fileprivate static var orbit: ProviderDeclaration {
    var orbit = ProviderDeclaration(
      ProviderID("orbit.example"),
      ProviderManifest(
        name: "Orbit", kind: .oauth2,
        builders: [
          CredentialBuilder(
            AuthorizationGrant.builderName, fields: AuthorizationGrant.credentialFields)
        ], hosts: ["orbit.example"],
        configuration: [
          ConfigurationField("clientID", .text, required: true, "your client's ID"),
          ConfigurationField("endpoints", .urls, names: ["token"], "endpoints of your own"),
        ]))
    orbit.client = { _, session, _ in (try session.settings.required("clientID"), .none) }
    orbit.browser = BrowserRule(
      authorize: "https://orbit.example/{ring}/authorize", token: "https://orbit.example/token",
      scopes: ["profile"])
    orbit.browser?.optional = { ["name": $0["name"]] }
    orbit.values = { _ in ["ring": "in ner"] }
    orbit.userInfo.request = RequestTemplate(url: "https://orbit.example/me")
    orbit.identity = { answer, _ in
      let id = ProviderID("orbit.example")
      return VerifiedIdentity(
        provider: id, key: IdentityKey(id, subject: answer.profile["id"]?.stringValue ?? ""))
    }
    return orbit
  }
}

@Suite struct `A declaration in Swift` {
  let vendor = ScriptedVendor()
  let settings = ProviderSettings(ProviderID("orbit.example"), ["clientID": "the-client"])

  private var orbit: DeclaredProvider {
    vendor.answer("https://orbit.example/token", json: ["access_token": "at-1"])
    vendor.answer("https://mine.example/token", json: ["access_token": "at-2"])
    vendor.answer("https://orbit.example/me") { request in
      .json(["id": .string(request.headerField("Authorization") ?? "")])
    }
    return DeclaredProvider(.orbit, transport: vendor, keys: KeyCache(transport: vendor))
  }

  @Test(arguments: ProviderCheck.all)
  func `it keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(orbit)
  }

  @Test func `a code signs in with the profile of its token`() async throws {
    let identity = try await orbit.verify(
      "authorizationCode", AuthorizationGrant.sample.credential, settings)

    #expect(identity.key?.subject == "Bearer at-1")
    let sent = try #require(vendor.requests(to: "https://orbit.example/token").first)
    #expect(sent.fields["code_verifier"] == AuthorizationGrant.sample.codeVerifier.reveal())
  }

  @Test func `an admin's endpoint takes the place of the declared one`() async throws {
    let settings = ProviderSettings(
      ProviderID("orbit.example"),
      ["clientID": "the-client", "endpoints": ["token": "https://mine.example/token"]])

    let identity = try await orbit.verify(
      "authorizationCode", AuthorizationGrant.sample.credential, settings)

    #expect(identity.key?.subject == "Bearer at-2")
  }

  @Test func `names in an address are filled and escaped`() async throws {
    let url = try await orbit.authorizationURL(.sample, .test(settings))

    #expect(url.hasPrefix("https://orbit.example/in%20ner/authorize?"))
    #expect(url.queryFields["scope"] == "profile")
    // Without an ID token nothing repeats a nonce.
    #expect(url.queryFields["nonce"] == nil)
  }

  @Test func `a callback fills the declared fields that it has`() throws {
    #expect(
      try orbit.credentialFields(from: ["code": "c", "name": "Ada"]) == [
        "code": "c", "name": "Ada",
      ])
    #expect(try orbit.credentialFields(from: ["code": "c"]) == ["code": "c"])
    #expect(throws: AuthError.self) { try orbit.credentialFields(from: ["name": "Ada"]) }
  }

  @Test func `attack 14: an access token is refused if nothing checks its app`() async {
    var declaration = ProviderDeclaration.orbit
    declaration.manifest.builders.append(
      CredentialBuilder(
        "accessToken", fields: [CredentialField("accessToken", secret: true, "a token")]))
    let provider = DeclaredProvider(
      declaration, transport: vendor, keys: KeyCache(transport: vendor))

    await expectError(.invalidCredential) {
      try await provider.verify("accessToken", ["accessToken": "at-1"], settings)
    }
    #expect(vendor.requests.isEmpty)
  }

  @Test func `an ability that is not declared is not allowed`() async {
    await expectError(.operationNotAllowed) {
      try await orbit.revoke(.accessToken(Secret("at-1")), .test(settings))
    }
    await expectError(.operationNotAllowed) {
      try await orbit.refresh(
        Secret("rt-1"), of: IdentityKey(orbit.id, subject: "1"), .test(settings))
    }
    #expect(vendor.requests.isEmpty)
  }
}
