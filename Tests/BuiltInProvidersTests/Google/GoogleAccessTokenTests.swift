import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

@Suite struct `Google access tokens` {
  let fields = ["accessToken": "ya29.secret"]

  @Test func `a token gives the identity that tokeninfo and userinfo agree on`() async throws {
    let google = GoogleFixture()

    let identity = try await google.provider.verify(
      "accessToken", fields, GoogleFixture.settings())

    #expect(identity.key == IdentityKey(.google, subject: "1122"))
    #expect(identity.email?.text == "ada@example.com")
    #expect(identity.emailVerified)
    #expect(identity.profile.displayName == "Ada Lovelace")
    #expect(identity.profile.photoURL == "https://photos.example/ada")
    // An access token may be used again.
    #expect(identity.uses.isEmpty)
    let asked = try #require(google.vendor.requests(to: GoogleFixture.userInfoURL).first)
    #expect(asked.headerField("Authorization") == "Bearer ya29.secret")
    #expect(!asked.url.contains("ya29"))
  }

  @Test(
    arguments: [
      ["aud": "somebody.else", "azp": "somebody.else"], ["aud": "somebody.else"],
      ["azp": "somebody.else"], ["aud": nil], ["aud": ["web.example"]], ["azp": 1],
    ] as [[String: JSONValue?]])
  func `attack 14: a token for another client is refused, and its profile is never read`(
    changes: [String: JSONValue?]
  ) async throws {
    let google = GoogleFixture(tokenInfo: .json(tokenInfo(changes)))

    let error = try await google.provider.refusal("accessToken", fields, GoogleFixture.settings())

    #expect(error.code == .invalidCredential)
    #expect(error.step == .token)
    #expect(google.vendor.requests(to: GoogleFixture.userInfoURL).isEmpty)
  }

  @Test(arguments: ["0", "-5", 0, "soon", nil] as [JSONValue?])
  func `a token without time left is refused`(seconds: JSONValue?) async throws {
    let google = GoogleFixture(tokenInfo: .json(tokenInfo(["expires_in": seconds])))

    let error = try await google.provider.refusal("accessToken", fields, GoogleFixture.settings())

    #expect(error.code == .invalidCredential)
    #expect(error.field == "expires_in")
  }

  @Test(arguments: [nil, "", 1122] as [JSONValue?])
  func `a token without a subject as text is refused`(subject: JSONValue?) async throws {
    let google = GoogleFixture(tokenInfo: .json(tokenInfo(["sub": subject])))

    let error = try await google.provider.refusal("accessToken", fields, GoogleFixture.settings())

    #expect(error.code == .invalidCredential)
    #expect(error.field == "sub")
  }

  @Test(arguments: ["3344", "", nil, 1122] as [JSONValue?])
  func `attack 19: a profile of another subject is refused`(subject: JSONValue?) async throws {
    var userInfo = GoogleFixture.userInfo
    userInfo["sub"] = subject
    let google = GoogleFixture(userInfo: .json(.object(userInfo)))

    let error = try await google.provider.refusal("accessToken", fields, GoogleFixture.settings())

    #expect(error.code == .invalidCredential)
    #expect(error.step == .profile)
  }

  @Test(arguments: [
    (HTTPResponse(status: 400), AuthError.Code.invalidCredential),
    (
      HTTPResponse(status: 302, headers: ["location": "https://evil.example"]),
      .networkRequestFailed
    ),
    (HTTPResponse(status: 429), .networkRequestFailed),
    (HTTPResponse(status: 500), .networkRequestFailed),
    (HTTPResponse(status: 200, body: Array("<html>".utf8)), .networkRequestFailed),
    (HTTPResponse(status: 200, body: Array("[1]".utf8)), .networkRequestFailed),
  ])
  func `failures of tokeninfo have different errors`(
    answer: HTTPResponse, code: AuthError.Code
  ) async throws {
    let google = GoogleFixture(tokenInfo: answer)

    let error = try await google.provider.refusal("accessToken", fields, GoogleFixture.settings())

    #expect(error.code == code)
  }

  @Test func `only members of the configured domains may sign in`() async throws {
    let settings = GoogleFixture.settings(["hostedDomains": ["example.com"]])

    let error = try await GoogleFixture().provider.refusal("accessToken", fields, settings)

    #expect(error.field == "hd")
  }

  private func tokenInfo(_ changes: [String: JSONValue?]) -> JSONValue {
    var members = GoogleFixture.tokenInfo
    for (name, value) in changes { members[name] = value }
    return .object(members)
  }
}
