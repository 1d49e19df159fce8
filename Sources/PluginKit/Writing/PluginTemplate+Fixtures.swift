import AuthCore
import Foundation

/// The vendor in the templates: `vendor.example`, at which Ada has an account.
extension PluginTemplate {
  private static let settings: [String: JSONValue] = [
    "clientID": "the-client-id", "clientSecret": "the-client-secret",
  ]
  private static let basic =
    "Basic " + Data("the-client-id:the-client-secret".utf8).base64EncodedString()

  private static func ada(verified: Bool) -> [String: JSONValue] {
    [
      "id": "8035111022", "login": "ada", "name": "Ada Example", "email": "ada@example.com",
      "email_verified": .bool(verified), "avatar": "https://vendor.example/pictures/ada.png",
    ]
  }

  private static func expected(verified: Bool) -> Fixture.Expectation {
    .identity([
      "subject": "8035111022", "email": "ada@example.com", "emailVerified": .bool(verified),
      "displayName": "Ada Example",
    ])
  }

  /// Documentation of the made-up vendor; the author names the real one's.
  private static var source: Fixture.Source {
    Fixture.Source(
      .documentation, "https://vendor.example/docs", date: String(Timestamp.now().text.prefix(7)))
  }

  private static func exchange(
    _ method: String, _ path: String, bearer: Bool = false, basic: Bool = false,
    form: [String: String] = [:], status: Int = 200, _ json: JSONValue
  ) -> Fixture.Exchange {
    var request = Fixture.Request(url: "https://vendor.example\(path)")
    request.method = method
    request.form = form
    if bearer { request.headers["authorization"] = "Bearer the-access-token" }
    if basic { request.headers["authorization"] = Self.basic }
    return Fixture.Exchange(
      request: request, response: Fixture.Response(status: status, body: .json(json)))
  }

  static func oauth2Fixture(_ id: String) -> Fixture {
    func token(of clientID: JSONValue) -> Fixture.Exchange {
      exchange(
        "POST", "/oauth/introspect", basic: true, form: ["token": "the-access-token"],
        ["active": true, "client_id": clientID, "user_id": "8035111022"])
    }
    func scenario(
      _ name: String, _ exchanges: [Fixture.Exchange], _ expectation: Fixture.Expectation
    ) -> Fixture.Scenario {
      Fixture.Scenario(
        name: name, source: source, settings: [:], builder: "accessToken",
        credential: ["accessToken": "the-access-token"], idToken: nil, exchanges: exchanges,
        expectation: expectation)
    }
    func me(verified: Bool) -> Fixture.Exchange {
      exchange("GET", "/api/me", bearer: true, .object(ada(verified: verified)))
    }
    var code = scenario(
      "an authorization code",
      [
        exchange(
          "POST", "/oauth/token", form: ["code": "the-code", "grant_type": "authorization_code"],
          ["access_token": "the-access-token", "token_type": "Bearer"]),
        me(verified: true),
      ], expected(verified: true))
    code.builder = "authorizationCode"
    code.credential = [
      "code": "the-code", "redirectURI": "https://app.example/callback",
      "codeVerifier": "the-code-verifier-of-this-sign-in-has-43-letters",
    ]
    var fixture = Fixture(name: "\(id).fixture.json", settings: settings)
    fixture.scenarios = [
      code,
      scenario(
        "an access token", [token(of: "the-client-id"), me(verified: true)],
        expected(verified: true)),
      scenario(
        "an address that is not verified", [token(of: "the-client-id"), me(verified: false)],
        expected(verified: false)),
      scenario(
        "another app's access token", [token(of: "another-app"), me(verified: true)],
        .error(code: "invalid-credential", step: "token", field: "accessToken")),
    ]
    return fixture
  }

  static func oidcFixture(_ id: String) -> Fixture {
    func scenario(_ name: String, claims: [String: JSONValue]) -> Fixture.Scenario {
      let own: [String: JSONValue] = [
        "iss": "https://vendor.example", "aud": "the-client-id", "sub": "8035111022",
        "nonce": "the-nonce", "name": "Ada Example", "nickname": "ada",
        "email": "ada@example.com", "email_verified": true,
      ]
      return Fixture.Scenario(
        name: name, source: source, settings: [:], builder: "idToken",
        credential: ["idToken": "{idToken}", "nonce": "the-nonce"],
        idToken: own.merging(claims) { $1 }, exchanges: [],
        expectation: expected(verified: claims["email_verified"] == nil))
    }
    var code = scenario("an authorization code", claims: [:])
    code.builder = "authorizationCode"
    code.credential = [
      "code": "the-code", "redirectURI": "https://app.example/callback", "nonce": "the-nonce",
      "codeVerifier": "the-code-verifier-of-this-sign-in-has-43-letters",
    ]
    code.exchanges = [
      exchange(
        "POST", "/token", form: ["code": "the-code"],
        ["access_token": "the-access-token", "id_token": "{idToken}", "token_type": "Bearer"])
    ]
    var other = scenario("another app's ID token", claims: ["aud": "another-app"])
    other.expectation = .error(code: "invalid-credential", step: "token", field: "aud")
    var fixture = Fixture(name: "\(id).fixture.json", settings: settings)
    fixture.scenarios = [
      scenario("an ID token", claims: [:]),
      scenario("an address that is not verified", claims: ["email_verified": false]), code, other,
    ]
    return fixture
  }

  static func customFixture(_ id: String) -> Fixture {
    func scenario(
      _ name: String, app: JSONValue, verified: Bool, _ expectation: Fixture.Expectation
    ) -> Fixture.Scenario {
      Fixture.Scenario(
        name: name, source: source, settings: [:], builder: "ticket",
        credential: ["ticket": "the-ticket"],
        idToken: nil,
        exchanges: [
          exchange(
            "POST", "/api/tickets/check", basic: true, form: ["ticket": "the-ticket"],
            ["app_id": app, "user": .object(ada(verified: verified))])
        ], expectation: expectation)
    }
    var fixture = Fixture(name: "\(id).fixture.json", settings: settings)
    fixture.scenarios = [
      scenario("a ticket", app: "the-client-id", verified: true, expected(verified: true)),
      scenario(
        "an address that is not verified", app: "the-client-id", verified: false,
        expected(verified: false)),
      scenario(
        "another app's ticket", app: "another-app", verified: true,
        .error(code: "invalid-credential", step: "token", field: "ticket")),
    ]
    return fixture
  }
}
