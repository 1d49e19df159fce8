import AuthCore

/// The people, apps and behaviour of a scripted identity provider.
///
/// A script is JSON; ``exampleText`` has every field except ``issuer``. The defaults are three people, one app,
/// RS256, honest, and no routes.
public struct IdentityScript: Sendable {
  /// The people with an account at the provider.
  public var people: [FakePerson] = Self.usualPeople
  /// The registered apps.
  public var clients: [FakeClient] = [.idp]
  /// The algorithm of ID tokens.
  public var algorithm = SigningAlgorithm.rs256
  /// True if every app needs PKCE; otherwise only apps without a secret do.
  public var requiresPKCE = false
  /// The `iss` of tokens, for apps whose issuer is fixed; nil for the server's own URL.
  ///
  /// The discovery document then names the issuer's addresses, so `servers` of the app's provider has to replace
  /// the issuer's host by this server. A path of the issuer is the prefix of every path.
  public var issuer: String?
  /// The faults that the provider shows from the start.
  public var hostile = HostileSet.honest
  /// The provider's own answers beside the standard endpoints.
  public var routes: [ScriptedRoute] = []
  /// The vendor of a plug-in, whose paths are answered beside the standard endpoints; no script names it.
  public var vendor: PlayedVendor?

  /// Makes a script with the defaults.
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

  /// An example to edit, with every field except ``issuer``.
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
  /// The app of a scripted identity provider whose script names none.
  public static let idp = FakeClient(
    id: "idp-client", secret: "idp-secret", name: "An app in development")
}
