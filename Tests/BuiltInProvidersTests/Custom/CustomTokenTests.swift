import AuthCore
import BuiltInProviders
import ProviderChecks
import Testing
import TestSupport

@Suite struct `Custom tokens` {
  static let issuer = "backend@project.example"
  let provider = CustomProvider(keys: KeyCache(transport: ScriptedVendor([:]), clock: { moment }))
  let settings = ProviderSettings(
    .custom, ["publicKeys": [issuer: .string(SampleKey.p256.publicPEM)]])

  private func claims(_ changes: [String: JSONValue?] = [:]) -> JSONValue {
    var claims: [String: JSONValue] = [
      "iss": .string(Self.issuer), "sub": .string(Self.issuer),
      "aud": .string(CustomTokenIssuer.audience), "iat": .integer(momentSeconds),
      "exp": .integer(momentSeconds + 3600), "uid": "ada",
    ]
    for (name, value) in changes { claims[name] = value }
    return .object(claims)
  }

  private func verify(
    _ changes: [String: JSONValue?] = [:], key: SampleKey = .p256, tenant: String? = nil
  ) async throws -> VerifiedIdentity {
    try await provider.verify(
      "customToken", ["token": key.sign(claims(changes))], settings, tenant: tenant)
  }

  private func refusal(
    _ changes: [String: JSONValue?] = [:], key: SampleKey = .p256, tenant: String? = nil
  ) async throws -> AuthError {
    let error = try await provider.refusal(
      "customToken", ["token": key.sign(claims(changes))], settings, tenant: tenant)
    #expect(error.code == .invalidCustomToken)
    return error
  }

  @Test(arguments: ProviderCheck.all)
  func `the provider keeps a provider's promises`(promise: ProviderCheck) async throws {
    try await promise.run(provider)
  }

  @Test func `a token names the account and the claims of the session`() async throws {
    let identity = try await verify(["claims": ["role": "editor", "level": 3]])

    #expect(identity.provider == .custom)
    #expect(identity.account == AccountID("ada"))
    #expect(identity.key == nil)
    #expect(identity.claims == ["role": "editor", "level": 3])
    #expect(!identity.emailVerified)
  }

  @Test func `a token may be presented until it expires`() async throws {
    let identity = try await verify()

    #expect(identity.uses.isEmpty)
  }

  @Test func `a token made by the issuer is taken, by either kind of key`() async throws {
    for key in [SampleKey.p256, .rsa] {
      let maker = try CustomTokenIssuer(
        issuer: "server", privateKey: Secret(key.privatePEM), keyID: "k1")
      let token = try maker.token(
        for: AccountID("ada"), claims: try CustomClaims(["role": "editor"]), now: moment)
      let settings = ProviderSettings(
        .custom, ["publicKeys": ["server": .string(maker.publicKey)]])

      let identity = try await provider.verify(
        "customToken", ["token": token.reveal()], settings)

      #expect(identity.account == AccountID("ada"))
      #expect(identity.claims == ["role": "editor"])
      #expect(key.verifies(token.reveal()))
      #expect(!String(reflecting: token).contains(token.reveal()))
    }
  }

  @Test func `the server's own signing key is trusted for its own name only`() async throws {
    let settings = ProviderSettings(
      .custom, ["issuer": "self"], secrets: ["signingKey": SampleKey.p256.privatePEM])
    let key = Secret(SampleKey.p256.privatePEM)
    let own = try CustomTokenIssuer(issuer: "self", privateKey: key)
    let other = try CustomTokenIssuer(issuer: "another", privateKey: key)

    let identity = try await provider.verify(
      "customToken", ["token": own.token(for: AccountID("ada"), now: moment).reveal()], settings)
    let error = try await provider.refusal(
      "customToken", ["token": other.token(for: AccountID("ada"), now: moment).reveal()],
      settings)

    #expect(identity.account == AccountID("ada"))
    #expect(error.code == .invalidCustomToken)
    #expect(error.field == "iss")
  }

  @Test func `attack 7: an issuer's token has to be signed with that issuer's key`() async throws {
    let settings = ProviderSettings(
      .custom,
      [
        "publicKeys": [
          Self.issuer: .string(SampleKey.p256.publicPEM),
          "other": .string(SampleKey.otherP256.publicPEM),
        ]
      ])

    let error = try await provider.refusal(
      "customToken", ["token": SampleKey.otherP256.sign(claims())], settings)

    #expect(error.code == .invalidCustomToken)
  }

  @Test func `attack 14: a token for another audience is refused`() async throws {
    #expect(try await refusal(["aud": "project"]).field == "aud")
    #expect(try await refusal(["aud": nil]).field == "aud")
  }

  @Test func `attack 16: the algorithm none is refused`() async throws {
    let header = Array(#"{"alg":"none"}"#.utf8).base64URL
    let body = Array(claims().text.utf8).base64URL

    for token in ["\(header).\(body).", "\(header).\(body).x", "\(header).\(body)"] {
      let error = try await provider.refusal("customToken", ["token": token], settings)

      #expect(error.code == .invalidCustomToken)
    }
  }

  @Test(arguments: ["somebody@else.example", nil, ""] as [JSONValue?])
  func `the subject has to be the issuer`(subject: JSONValue?) async throws {
    #expect(try await refusal(["sub": subject]).field == "sub")
  }

  @Test func `a token lives an hour at most, and not after its end`() async throws {
    #expect(try await refusal(["exp": .integer(momentSeconds + 3601)]).field == "exp")
    #expect(
      try await refusal([
        "iat": .integer(momentSeconds - 3700), "exp": .integer(momentSeconds - 100),
      ]).field == "exp")
    #expect(try await refusal(["iat": .integer(momentSeconds + 3000)]).field == "iat")
  }

  @Test(
    arguments: [nil, "", 12, .string(String(repeating: "x", count: 129)), "a\u{0}b"] as [JSONValue?]
  )
  func `a uid is text of 1 to 128 characters`(uid: JSONValue?) async throws {
    #expect(try await refusal(["uid": uid]).field == "uid")
  }

  @Test func `a uid of 128 characters is taken`() async throws {
    let uid = String(repeating: "x", count: 128)

    #expect(try await verify(["uid": .string(uid)]).account == AccountID(uid))
  }

  @Test(
    arguments: [
      ["sub": "root"], ["firebase": ["x": 1]], ["auth_time": 0], [1], "admin", true,
      ["long": .string(String(repeating: "x", count: 1000))],
    ] as [JSONValue])
  func `claims are an object without the names of tokens`(claims: JSONValue) async throws {
    #expect(try await refusal(["claims": claims]).field == "claims")
  }

  @Test func `attack 34: a token of another tenant is refused`() async throws {
    #expect(try await refusal(["tenant_id": "a"], tenant: "b").field == "tenant_id")
    #expect(try await refusal(["tenant_id": "a"]).field == "tenant_id")
    #expect(try await refusal(tenant: "b").field == "tenant_id")

    let identity = try await verify(["tenant_id": "b"], tenant: "b")

    #expect(identity.account == AccountID("ada"))
  }

  @Test func `no token signs in without a key, and the error names the field`() async throws {
    let error = try await provider.refusal(
      "customToken", ["token": SampleKey.p256.sign(claims())],
      ProviderSettings(.custom, nil, open: { _, text in text }))

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "publicKeys")
  }

  @Test(arguments: ["no key", "{}", #"{"kty":"oct","k":"c2VjcmV0"}"#])
  func `a text that is no public key is refused as configuration`(text: String) async throws {
    let settings = ProviderSettings(.custom, ["publicKeys": [Self.issuer: .string(text)]])

    let error = try await provider.refusal(
      "customToken", ["token": SampleKey.p256.sign(claims())], settings)

    #expect(error.code == .operationNotAllowed)
    #expect(error.field == "publicKeys")
  }
}

@Suite struct `Custom token issuer` {
  private func maker() throws -> CustomTokenIssuer {
    try CustomTokenIssuer(issuer: "server", privateKey: Secret(SampleKey.p256.privatePEM))
  }

  @Test func `a token has the claims of Firebase's tokens`() throws {
    let token = try maker().token(
      for: AccountID("ada"), claims: try CustomClaims(["role": "editor"]), tenant: "t",
      now: moment, lifetime: 600)

    let parts = try #require(token.reveal().tokenParts)
    #expect(parts.header == ["alg": "ES256", "typ": "JWT"])
    #expect(
      parts.claims == [
        "iss": "server", "sub": "server", "aud": .string(CustomTokenIssuer.audience),
        "iat": .integer(momentSeconds), "exp": .integer(momentSeconds + 600), "uid": "ada",
        "claims": ["role": "editor"], "tenant_id": "t",
      ])
  }

  @Test(arguments: [0, -1, 3601] as [Int64])
  func `a lifetime that no token may have is refused`(lifetime: Int64) throws {
    let error = #expect(throws: AuthError.self) {
      try maker().token(for: AccountID("ada"), now: moment, lifetime: lifetime)
    }

    #expect(error?.code == .invalidArgument)
    #expect(error?.field == "lifetime")
  }

  @Test(arguments: ["", String(repeating: "x", count: 129)])
  func `a uid that no account may have is refused`(uid: String) throws {
    let error = #expect(throws: AuthError.self) {
      try maker().token(for: AccountID(uid), now: moment)
    }

    #expect(error?.code == .invalidUID)
  }

  @Test func `a text that is no private key is refused and not shown`() {
    let error = #expect(throws: AuthError.self) {
      try CustomTokenIssuer(issuer: "server", privateKey: Secret("not a key"))
    }

    #expect(error?.field == "privateKey")
    #expect(error?.debugDescription.contains("not a key") == false)
  }
}
