import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import IdentityToolkitService

@Suite struct `Signing in with a custom token` {
  static let path = "/v1/accounts:signInWithCustomToken"

  static let refusals: [(token: String?, message: String)] = [
    (nil, "MISSING_CUSTOM_TOKEN"), ("", "MISSING_CUSTOM_TOKEN"),
    (
      "{not json}",
      "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))"
    ),
    ("garbage", "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
    (
      TokenMaker.unsigned(["uid": "ada", "aud": "somebody"]),
      "INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): somebody. Note: Firebase ID Tokens / "
        + "third-party tokens cannot be used with customToken.))"
    ),
    (TokenMaker.unsigned([:]), "MISSING_IDENTIFIER"), ("{}", "MISSING_IDENTIFIER"),
    (TokenMaker.unsigned(["uid": "ada", "claims": "none"]), "INVALID_CLAIMS"),
    (
      TokenMaker.unsigned(["uid": "ada", "claims": ["firebase": "x", "aud": "y"]]),
      "FORBIDDEN_CLAIM : aud"
    ),
  ]

  @Test(arguments: refusals)
  func `the emulator refuses in its own words`(
    _ refusal: (token: String?, message: String)
  ) async throws {
    try await withServer(.emulator) { home in
      let body: JSONValue = .object(refusal.token.map { ["token": .string($0)] } ?? [:])
      expectFailure(try await home.post(Self.path, body), refusal.message)
    }
  }

  /// Changes to a signed token, and the message of its refusal.
  typealias SignedRefusal = TableRow<[String: JSONValue?], String>

  static let signedRefusals = [
    SignedRefusal("no uid", [:], "MISSING_IDENTIFIER"),
    SignedRefusal("a word as claims", ["uid": "ada", "claims": "none"], "INVALID_CLAIMS"),
    SignedRefusal(
      "a reserved claim", ["uid": "ada", "claims": ["nonce": 1]], "FORBIDDEN_CLAIM : nonce"),
    SignedRefusal(
      "large claims",
      ["uid": "ada", "claims": ["big": .string(String(repeating: "x", count: 1000))]],
      "CLAIMS_TOO_LARGE"),
    SignedRefusal(
      "another issuer",
      ["uid": "ada", "iss": "other@else.example", "sub": "other@else.example"],
      "CREDENTIAL_MISMATCH"),
    SignedRefusal("a tenant", ["uid": "ada", "tenant_id": "t1"], "TENANT_ID_MISMATCH"),
  ]

  @Test(arguments: signedRefusals)
  func `production refuses a signed token with wrong claims`(_ refusal: SignedRefusal) async throws
  {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      expectFailure(
        try await home.post(
          Self.path, ["token": .string(try maker.token(home, refusal.input))]),
        refusal.expected)
    }
  }

  @Test(arguments: ["garbage", "{not json}", #"{"uid":"ada"}"#, "a.b.c"])
  func `a text that is no token is refused as one, with and without an issuer`(
    _ text: String
  ) async throws {
    try await withServer(.production) { home in
      for hasIssuer in [false, true] {
        if hasIssuer { try await TokenMaker().register(in: home) }
        let reply = try await home.post(Self.path, ["token": .string(text)])
        #expect(reply.status == 400)
        #expect(reply.message?.hasPrefix("INVALID_CUSTOM_TOKEN : ") == true, "\(reply.text)")
      }
    }
  }

  @Test func `production takes no token that is expired, unsigned or signed by another key`()
    async throws
  {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let old = try maker.token(home)
      let now = home.clock.now.milliseconds / 1000
      let over = try maker.token(
        home, ["uid": "ada", "iat": .integer(now - 7200), "exp": .integer(now - 3600)])
      for token in [try TokenMaker().token(home), over, TokenMaker.unsigned(), "{\"uid\":\"a\"}"] {
        let reply = try await home.post(Self.path, ["token": .string(token)])
        #expect(reply.message?.hasPrefix("INVALID_CUSTOM_TOKEN") == true, "\(reply.text)")
        #expect(!reply.text.contains(token))
      }
      #expect(try await home.post(Self.path, ["token": .string(old)]).status == 200)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a token opens the account it names, and enters it again`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let maker = TokenMaker()
      try await home.touch()
      try await maker.register(in: home)
      let token = try maker.token(home, ["uid": "ada", "claims": ["role": "editor"]])
      let first = try await home.post(Self.path, ["token": .string(token)])
      let second = try await home.post(Self.path, ["token": .string(token)])

      #expect(first.json["kind"] == "identitytoolkit#VerifyCustomTokenResponse")
      #expect(first.json["isNewUser"] == true)
      #expect(second.json["isNewUser"] == false)
      let ada = try SignedUp(second)
      #expect(ada.uid == "ada")
      let claims = try claimsOf(ada.idToken)
      #expect(claims["role"] == "editor")
      #expect(claims["firebase"]?["sign_in_provider"] == "custom")
      let record = try await home.ownRecord(ada.idToken)
      #expect(record["customAuth"] == true)
      #expect(record["providerUserInfo"] == nil)
      #expect(record["customAttributes"] == nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `the claims of a token survive a refresh`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let maker = TokenMaker()
      try await home.touch()
      try await maker.register(in: home)
      let token = try maker.token(home, ["uid": "ada", "claims": ["role": "editor"]])
      let ada = try SignedUp(try await home.post(Self.path, ["token": .string(token)]))
      let reply = try await home.post(
        "/v1/token",
        ["grantType": "refresh_token", "refreshToken": .string(ada.refreshToken)])

      let claims = try claimsOf(try reply.text("id_token"))
      #expect(claims["role"] == "editor")
      #expect(claims["firebase"]?["sign_in_provider"] == "custom")
    }
  }

  @Test func `the emulator takes JSON and names that are no text`() async throws {
    try await withServer(.emulator) { home in
      for (token, uid) in [
        ("{\"uid\":\"ada\"}", "ada"), ("{\"uid\":123}", "123"), ("{\"user_id\":true}", "true"),
      ] {
        let reply = try await home.post(Self.path, ["token": .string(token)])
        #expect(try SignedUp(reply).uid == uid)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a disabled account is not entered`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let maker = TokenMaker()
      try await home.touch()
      try await maker.register(in: home)
      try await home.makeAccount("ada", disabled: true)
      expectFailure(
        try await home.post(Self.path, ["token": .string(try maker.token(home))]),
        "USER_DISABLED")
    }
  }
}
