public import AuthCore

/// Says who is known to a scripted identity provider, which apps are registered, and how it behaves.
///
/// Written as JSON; ``exampleText`` has every field save ``issuer``. What is left out is as in a script that says nothing:
/// three people, one app, RS256, honest, no routes.
public struct IdentityScript: Sendable {
  public var people: [FakePerson] = Self.usualPeople
  public var clients: [FakeClient] = [.idp]
  public var algorithm = SigningAlgorithm.rs256
  /// Asks every app for PKCE; otherwise only those without a secret.
  public var requiresPKCE = false
  /// What stands in `iss`, for apps whose issuer is fixed; nil for the server's own URL.
  ///
  /// The discovery document then names the issuer's addresses: `servers` of the app's provider has to say that
  /// this server stands in for the issuer's host. A path of the issuer stands before every path.
  public var issuer: String?
  public var hostile = HostileSet.honest
  public var routes: [ScriptedRoute] = []

  /// Makes a script that says nothing.
  public init() {}

  /// Two people with verified addresses, and one who claims the address of the first.
  private static let usualPeople = [
    FakePerson(
      subject: "1001", email: "ada@example.com", name: "Ada Lovelace",
      picture: "https://people.example/ada.png"),
    FakePerson(subject: "1002", email: "bo@example.com", name: "Bo Diddley"),
    FakePerson(
      subject: "1003", email: "ada@example.com", emailVerified: false, name: "Mallory"),
  ]

  /// Finds a person by subject or address.
  func person(_ name: String) -> FakePerson? {
    people.first { $0.subject == name } ?? people.first { $0.email == name }
  }

  /// An example that uses every field but ``issuer``, to be edited.
  public static let exampleText = """
    {
      "algorithm": "ES256",
      "requiresPKCE": true,
      "people": [
        {
          "subject": "1001", "name": "Ada Lovelace",
          "email": "ada@example.com", "emailVerified": true,
          "picture": "https://people.example/ada.png",
          "claims": { "username": "ada", "groups": ["engineers", "admins"] }
        },
        {
          "subject": "1002", "name": "Mallory",
          "email": "ada@example.com", "emailVerified": false,
          "claims": { "username": "mallory", "groups": [] }
        }
      ],
      "clients": [
        {
          "id": "my-app", "name": "My app", "secret": "for-development-only",
          "redirectURIs": ["https://app.example/callback"]
        },
        { "id": "my-mobile-app", "name": "My mobile app" }
      ],
      "hostile": ["answers-429@/api/teams"],
      "routes": {
        "GET /api/users/@me": {
          "headers": { "X-RateLimit-Remaining": "4" },
          "json": {
            "id": "{subject}", "username": "{username}", "global_name": "{name}",
            "email": "{email}", "verified": "{emailVerified}",
            "profile_url": "https://people.example/{username}"
          }
        },
        "GET /api/teams": { "json": [{ "member": "{subject}", "groups": "{groups}" }] },
        "POST /api/logout": { "status": 204 }
      }
    }
    """
}

extension FakeClient {
  /// The app that a scripted identity provider knows where its script names none.
  public static let idp = FakeClient(
    id: "idp-client", secret: "idp-secret", name: "An app in development")
}
