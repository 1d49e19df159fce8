import AuthCore
import AuthTesting
import SessionTokens
import Testing

@Suite struct ClaimsTests {
  @Test(arguments: [TokenService.Style.unsigned, .signed(.es256)])
  func `a token describes its account in Firebase's claims`(style: TokenService.Style) async throws
  {
    let home = TokenHome(style)
    let account = try await home.account {
      $0.email = try EmailAddress("Ada@Example.com")
      $0.emailVerified = true
      $0.displayName = "Ada \"the first\"\u{1}"
      $0.photoURL = "https://photos.example/ada"
      $0.phoneNumber = try PhoneNumber("+15555550100")
      $0.identities = [
        .init(IdentityKey(.password, subject: "ada@example.com")),
        .init(IdentityKey(.google, subject: "g-1")), .init(IdentityKey(.google, subject: "g-2")),
        .init(IdentityKey(.phone, subject: "+15555550100")),
        .init(IdentityKey(.emailLink, subject: "ada@example.com")),
      ]
    }

    let claims = try await home.issue(account).claims

    let expected: [String: JSONValue] = [
      "iss": "https://securetoken.google.com/demo-shop", "aud": "demo-shop", "sub": "ada",
      "user_id": "ada", "iat": 1_750_000_000, "exp": 1_750_003_600, "auth_time": 1_750_000_000,
      "email": "ada@example.com", "email_verified": true, "phone_number": "+15555550100",
      "name": "Ada \"the first\"\u{1}", "picture": "https://photos.example/ada",
      "firebase": [
        "sign_in_provider": "google.com",
        "identities": [
          "email": ["ada@example.com"], "google.com": ["g-1", "g-2"], "phone": ["+15555550100"],
        ],
      ],
    ]
    #expect(claims == .object(expected))
  }

  @Test func `an anonymous person has an account and no identity`() async throws {
    let home = TokenHome(.unsigned)
    let account = try await home.account { $0.isAnonymous = true }

    let claims = try await home.issue(account, provider: .anonymous).claims

    #expect(claims["provider_id"] == "anonymous")
    #expect(
      claims["firebase"] == ["identities": [:], "sign_in_provider": "anonymous"])
    #expect(claims["email_verified"] == nil)
    #expect(claims["name"] == nil)
  }

  @Test func `an e-mail link counts as a password`() async throws {
    let home = TokenHome(.unsigned)
    let claims = try await home.issue(home.account(), provider: .emailLink).claims
    #expect(claims["firebase"]?["sign_in_provider"] == "password")
  }

  @Test func `a session's claims go before an account's, and neither before the token's own`()
    async throws
  {
    let home = TokenHome()
    let account = try await home.account {
      $0.displayName = "Ada"
      $0.email = try EmailAddress("ada@example.com")
      $0.customClaims = try CustomClaims(text: #"{"name":"Countess","role":"reader","tier":1}"#)
    }

    let tokens = try await home.issue(
      account, provider: .custom,
      claims: [
        "role": "editor", "email": "root@example.com", "email_verified": true, "sub": "root",
        "phone_number": "+15555550199", "user_id": "root", "provider_id": "anonymous",
        "firebase": ["sign_in_provider": "root"], "aud": "root", "auth_time": 1,
        "exp": 9_999_999_999,
      ])

    let claims = tokens.claims
    // Each name occurs once: a token with a duplicate name is invalid.
    #expect(try await home.verify(tokens.idToken.reveal()).claims == claims)
    #expect(claims["name"] == "Countess")
    #expect(claims["role"] == "editor")
    #expect(claims["tier"] == 1)
    #expect(claims["email"] == "ada@example.com")
    #expect(claims["email_verified"] == false)
    #expect(claims["sub"] == "ada")
    #expect(claims["user_id"] == "ada")
    #expect(claims["aud"] == "demo-shop")
    #expect(claims["phone_number"] == nil)
    #expect(claims["provider_id"] == nil)
    #expect(claims["auth_time"] == 1_750_000_000)
    #expect(claims["exp"] == 1_750_003_600)
    #expect(claims["firebase"]?["sign_in_provider"] == "custom")
  }

  @Test func `a SAML provider's attributes are claims of the token`() async throws {
    let home = TokenHome()
    let attributes: JSONValue = ["department": "mathematics"]

    let claims = try await home.issue(
      home.account(), provider: ProviderID("saml.work"),
      claims: ["firebase": ["sign_in_attributes": attributes]]
    ).claims

    #expect(claims["firebase"]?["sign_in_attributes"] == attributes)
    #expect(claims["firebase"]?["sign_in_provider"] == "saml.work")
  }

  @Test(arguments: [TokenService.Style.unsigned, .signed(.es256)])
  func `second factor, tenant, session claims and merged uids survive a refresh`(
    style: TokenService.Style
  ) async throws {
    let home = TokenHome(style)
    let account = try await home.account(tenant: "north") {
      $0.secondFactors = [
        SecondFactor(id: "factor-1", kind: .phone(try PhoneNumber("+15555550101")))
      ]
    }
    let factor = SessionGrant.Factor(kind: "phone", id: "factor-1")

    let first = try await home.issue(
      account, factor: factor, claims: ["role": "editor", "mergedFrom": ["bo"]])
    home.clock.advance(seconds: 3000)
    let second = try await home.refresh(first)

    for tokens in [first, second] {
      let token = try await home.verify(tokens.idToken.reveal())
      #expect(token.secondFactor == factor)
      #expect(token.tenant == "north")
      #expect(token.claims["firebase"]?["sign_in_second_factor"] == "phone")
      #expect(token.claims["firebase"]?["second_factor_identifier"] == "factor-1")
      #expect(token.claims["firebase"]?["tenant"] == "north")
      #expect(token.claims["role"] == "editor")
      #expect(token.claims["mergedFrom"] == ["bo"])
      #expect(token.claims["auth_time"] == 1_750_000_000)
      #expect(token.provider == .google)
      #expect(UncheckedIDToken(tokens.idToken.reveal())?.tenant == "north")
    }
    #expect(second.claims["exp"] == .integer(1_750_000_000 + 3000 + 3600))
    #expect(second.refreshToken == first.refreshToken)
    #expect(try await home.issue(account, factor: factor).claims["mergedFrom"] == nil)
  }

  @Test func `the session of another account gets no tokens`() async throws {
    let home = TokenHome()
    let grant = try await home.grant(home.account("bo"))
    let ada = try await home.account("ada")
    await expect(.internalError) { try await home.tokens.issue(grant, ada) }
  }
}

extension Identity {
  fileprivate init(_ key: IdentityKey) {
    self.init(key: key, origin: .credential, linkedAt: Timestamp(milliseconds: 0))
  }
}
