import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// The names of people at vendors, and the verification of addresses.
@Suite struct `Names and addresses of vendors` {
  let settings = OIDCFixture.settings()

  /// A token's claims, and the name of the person.
  typealias Named = TableRow<[String: JSONValue?], String?>

  private static let names = [
    Named("the usual", [:], "Ada Lovelace"),
    Named(
      "no full name", ["name": nil, "given_name": "Ada", "family_name": "Lovelace"],
      "Ada Lovelace"),
    Named(
      "an empty full name", ["name": "", "given_name": "Ada", "family_name": "Lovelace"],
      "Ada Lovelace"),
    Named(
      "blanks", ["name": " \t\u{A0}", "given_name": " Ada ", "family_name": "Lovelace\n"],
      "Ada Lovelace"),
    Named("an empty family name", ["name": .null, "given_name": "Ada", "family_name": ""], "Ada"),
    Named(
      "a number and null", ["name": 7, "given_name": .null, "family_name": "Lovelace"],
      "Lovelace"),
    Named("a user name", ["name": nil, "given_name": " ", "preferred_username": "ada"], "ada"),
    Named(
      "a nickname", ["name": "", "preferred_username": "", "nickname": "countess"], "countess"),
    Named(
      "no text at all", ["name": nil, "given_name": ["Ada"], "preferred_username": true], nil),
    Named(
      "every name", ["name": "Full", "given_name": "Ada", "family_name": "Lovelace"], "Full"),
  ]

  @Test(arguments: names)
  func `P10: the full name, else given and family name, else the user name`(
    _ row: Named
  ) async throws {
    let claims = row.input
    let oidc = OIDCFixture()
    let google = GoogleFixture()
    let nonce = "raw-nonce-51c7"
    var apple = claims
    apple["name"] = claims["name"] ?? "Ada Lovelace"

    let work = try await oidc.provider.verify("idToken", oidc.fields(claims), settings)
    let byGoogle = try await google.provider.verify(
      "idToken", ["idToken": SampleKey.rsa.sign(GoogleFixture.claims(claims))],
      GoogleFixture.settings())
    let byApple = try await AppleFixture().provider.verify(
      "idToken",
      ["idToken": SampleKey.rsa.sign(AppleFixture.claims(apple)), "nonce": nonce],
      AppleFixture.settings())
    let byFacebook = try await FacebookFixture().provider.verify(
      "limitedLogin",
      ["idToken": SampleKey.rsa.sign(FacebookFixture.claims(claims)), "nonce": nonce],
      FacebookFixture.settings())

    for identity in [work, byGoogle, byApple, byFacebook] {
      #expect(identity.profile.displayName == row.expected, "\(identity.provider)")
    }
  }

  @Test func `P10: userinfo's names come if the token has none, or empty ones`() async throws {
    let oidc = OIDCFixture(userInfo: [
      "sub": "u-1", "name": "Ada Lovelace", "picture": "https://people.example/ada.png",
      "preferred_username": "ada",
    ])

    for name: JSONValue? in [nil, .null, "", "  "] {
      let identity = try await oidc.provider.verify(
        "idToken", oidc.fields(["name": name], ["accessToken": "at-0"]), settings)

      #expect(identity.profile.displayName == "Ada Lovelace")
      #expect(identity.profile.photoURL == "https://people.example/ada.png")
      #expect(identity.profile.screenName == "ada")
      #expect(identity.emailVerified && identity.email?.text == "ada@example.com")
    }
  }

  @Test func `P10: Apple's name is taken from the form of the first callback`() async throws {
    let flow = AppleFixture().provider
    let user = #"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@example.com"}"#
    let apple = AppleFixture(
      idToken: AppleFixture.claims(["aud": "com.example.web", "nonce": "nonce-1"]))

    let first = try flow.credentialFields(from: ["code": "c", "user": user, "email": "x@x.example"])
    let second = try flow.credentialFields(from: ["code": "c"])
    let fields = AuthorizationGrant.sample.credential.merging(["fullName": "Ada Lovelace"]) { $1 }
    let identity = try await apple.provider.verify(
      "authorizationCode", fields, AppleFixture.settings())

    #expect(first == ["code": "c", "fullName": "Ada Lovelace"])
    #expect(second == ["code": "c"])
    #expect(identity.profile.displayName == "Ada Lovelace")
    #expect(throws: AuthError.self) { try flow.credentialFields(from: ["user": user]) }
  }

  /// The claims of the token and of userinfo, and whether the address is then verified.
  private static let words:
    [(token: [String: JSONValue?], userInfo: [String: JSONValue], isVerified: Bool)] = [
      // Okta's thin token: the address without its verification.
      (["email_verified": nil], ["email": "ada@example.com", "email_verified": true], true),
      (["email_verified": .null], ["email": "ADA@Example.com", "email_verified": true], true),
      (["email_verified": nil], ["email": "bo@example.com", "email_verified": true], false),
      (["email_verified": nil], ["email_verified": true], false),
      (["email_verified": nil], ["email": "", "email_verified": true], false),
      (["email_verified": nil], ["email": ["ada@example.com"], "email_verified": true], false),
      (["email_verified": nil], ["email": "ada@example.com.evil", "email_verified": true], false),
      (["email_verified": nil], ["email": "ada@example.com", "email_verified": "true"], false),
      (["email_verified": nil], ["email": "ada@example.com", "email_verified": 1], false),
      (["email_verified": nil], ["email": "ada@example.com"], false),
      // The token's own claim stays, because it is signed.
      (
        ["email_verified": false, "name": nil],
        ["email": "ada@example.com", "email_verified": true], false
      ),
      (
        ["email_verified": true, "name": nil],
        ["email": "ada@example.com", "email_verified": false], true
      ),
      // Without an address the token's claim is about nothing.
      (["email": nil], ["email": "ada@example.com", "email_verified": false], false),
      (["email": nil], ["email": "ada@example.com"], false),
      (["email": ""], ["email": "ada@example.com", "email_verified": true], true),
    ]

  @Test(arguments: words.indices)
  func `userinfo's word on an address counts if both name the same one`(
    _ index: Int
  ) async throws {
    let (token, said, isVerified) = Self.words[index]
    let oidc = OIDCFixture(userInfo: .object(said.merging(["sub": "u-1"]) { $1 }))

    let identity = try await oidc.provider.verify(
      "idToken", oidc.fields(token, ["accessToken": "at-0"]), settings)

    #expect(identity.emailVerified == isVerified)
    #expect(identity.email?.canonical == "ada@example.com")
    #expect(identity.profile.email?.lowercased() == "ada@example.com")
    #expect(!oidc.vendor.requests(to: OIDCFixture.userInfoURL).isEmpty)
  }

  @Test func `attack 19: a thin token's userinfo of another subject is refused`() async throws {
    let oidc = OIDCFixture(userInfo: [
      "sub": "u-2", "email": "ada@example.com", "email_verified": true,
    ])

    let error = try await oidc.provider.refusal(
      "idToken", oidc.fields(["email_verified": nil], ["accessToken": "at-0"]), settings)

    #expect(error.step == .profile)
  }
}
