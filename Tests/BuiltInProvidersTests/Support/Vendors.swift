import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors

/// The vendors with accounts of people, by their providers.
///
/// Plug-ins connect to the last three, one of each kind: no test may treat them differently.
enum Vendor: String, CaseIterable, Sendable, CustomStringConvertible {
  case google = "google.com"
  case facebook = "facebook.com"
  case apple = "apple.com"
  case oidc = "oidc.staff"
  case acme = "acme.example"
  case script = "script.example"
  case plain = "plain.example"

  var provider: ProviderID { ProviderID(rawValue) }
  var description: String { rawValue }

  /// The vendors whose apps get ID tokens.
  static let withIDTokens = allCases.filter { $0 != .plain }
  /// The vendors with refresh tokens; Facebook has none, and a plug-in's script cannot use them.
  static let renewing = allCases.filter { $0 != .facebook && $0 != .script }

  /// The way to sign in with the token that the vendor gives an app: the ID token, if it has them.
  var tokenWay: Way {
    switch self {
    case .google: .googleIDToken
    case .facebook: .facebookLimitedLogin
    case .apple: .appleIDToken
    case .oidc: .oidcIDToken
    case .acme: .acmeIDToken
    case .script: .scriptIDToken
    case .plain: .plainAccessToken
    }
  }

  var codeWay: Way {
    switch self {
    case .google: .googleCode
    case .facebook: .facebookCode
    case .apple: .appleCode
    case .oidc: .oidcCode
    case .acme: .acmeCode
    case .script: .scriptCode
    case .plain: .plainCode
    }
  }

  /// The one host that the vendor's plug-in requests; nil for a built-in provider.
  var pluginHost: String? {
    switch self {
    case .google, .facebook, .apple, .oidc: nil
    case .acme: "id.acme.example"
    case .script: "id.script.example"
    case .plain: "api.plain.example"
    }
  }
}

/// One fake vendor of every kind, all with the same clock.
struct Vendors: Sendable {
  let google: FakeGoogle
  let facebook: FakeFacebook
  let apple: FakeApple
  let oidc: FakeOIDC
  let acme: FakeOIDC
  let script: FakeOIDC
  let plain: FakeOIDC
  /// The key that signs custom tokens.
  let customKey = SigningKey.p256(keyID: "custom-1")
  static let customIssuer = "backend@shop.example"

  static func start(clock: @escaping @Sendable () -> Timestamp) async throws -> Vendors {
    var google = FakeGoogle.Configuration()
    google.clock = clock
    var facebook = FakeFacebook.Configuration()
    facebook.clock = clock
    var apple = FakeApple.Configuration()
    apple.clock = clock
    var oidc = FakeOIDC.Configuration()
    oidc.clock = clock
    return Vendors(
      google: try await .start(google), facebook: try await .start(facebook),
      apple: try await .start(apple), oidc: try await .start(oidc),
      acme: try await .start(named(.acme, like: oidc)),
      script: try await .start(named(.script, like: oidc)),
      plain: try await .start(oidc))
  }

  /// An issuer with the name in its plug-in, which is not its server's.
  private static func named(
    _ vendor: Vendor, like oidc: FakeOIDC.Configuration
  ) -> FakeOIDC.Configuration {
    var configuration = oidc
    configuration.issuer = vendor.pluginHost.map { "https://\($0)" }
    configuration.algorithm = .es256
    return configuration
  }

  subscript(vendor: Vendor) -> any FakeVendor {
    switch vendor {
    case .google: google
    case .facebook: facebook
    case .apple: apple
    case .oidc: oidc
    case .acme: acme
    case .script: script
    case .plain: plain
    }
  }

  func stop() async {
    for vendor in Vendor.allCases { await self[vendor].stop() }
  }
}

extension ProviderHome {
  /// Configures every provider as an admin does, with the vendors' addresses.
  func configureAll() async throws {
    for vendor in Vendor.allCases { try await configure(vendor) }
    try await configure(.emailLink, ["linkBase": "https://shop.example/finish"])
    try await configure(
      .custom, ["publicKeys": [Vendors.customIssuer: .string(try customIssuer.publicKey)]])
  }

  /// Configures a vendor's provider; `changes` replace the usual settings.
  func configure(_ vendor: Vendor, _ changes: [String: JSONValue] = [:]) async throws {
    let usual = values(for: vendor)
    try await configure(
      vendor.provider, usual.merging(changes) { _, changed in changed }, secrets(for: vendor))
  }

  func configure(
    _ provider: ProviderID, _ values: [String: JSONValue], _ secrets: [String: String] = [:]
  ) async throws {
    _ = try await graph.configure(
      provider, values: values, secrets: secrets.mapValues { Secret($0) }, by: admin)
  }

  var customIssuer: CustomTokenIssuer {
    get throws {
      try CustomTokenIssuer(
        issuer: Vendors.customIssuer, privateKey: Secret(vendors.customKey.privateKeyPEM))
    }
  }

  private func secrets(for vendor: Vendor) -> [String: String] {
    let secret = FakeClient.web.secret ?? ""
    return switch vendor {
    case .google, .oidc, .acme, .script, .plain: ["clientSecret": secret]
    case .facebook: ["appSecret": secret]
    case .apple: ["privateKey": vendors.apple.developerKey.privateKeyPEM]
    }
  }

  /// The setting with another server in place of a plug-in's vendor.
  func servers(of vendor: Vendor, at url: String) -> JSONValue {
    .object(vendor.pluginHost.map { [$0: .string(url)] } ?? [:])
  }

  private func values(for vendor: Vendor) -> [String: JSONValue] {
    let client = JSONValue.string(FakeClient.web.id)
    let hosts: JSONValue = [.string(vendors[vendor].server.host)]
    let (google, facebook, apple) = (vendors.google, vendors.facebook, vendors.apple)
    return switch vendor {
    case .google:
      [
        "clientIDs": [client], "privateHosts": hosts,
        "endpoints": [
          "authorize": .string(google.authorizationURL), "token": .string(google.tokenURL),
          "keys": .string(google.keysURL), "tokenInfo": .string(google.tokenInfoURL),
          "userInfo": .string(google.userInfoURL), "revocation": .string(google.revocationURL),
        ],
      ]
    case .facebook:
      [
        "appID": client, "privateHosts": hosts,
        "endpoints": [
          "authorize": .string(facebook.authorizationURL), "token": .string(facebook.tokenURL),
          "debugToken": .string(facebook.debugTokenURL), "me": .string(facebook.meURL),
          "permissions": .string(facebook.permissionsURL), "keys": .string(facebook.keysURL),
        ],
      ]
    case .apple:
      [
        "clientIDs": [client], "privateHosts": hosts, "teamID": .string(apple.teamID),
        "keyID": .string(apple.developerKey.keyID),
        "endpoints": [
          "authorize": .string(apple.authorizationURL), "token": .string(apple.tokenURL),
          "keys": .string(apple.keysURL), "revocation": .string(apple.revocationURL),
        ],
      ]
    // Its discovery document names its endpoints.
    case .oidc:
      ["issuer": .string(vendors.oidc.issuer), "clientID": client, "privateHosts": hosts]
    case .acme, .script, .plain:
      [
        "clientID": client, "privateHosts": hosts,
        "servers": servers(of: vendor, at: vendors[vendor].server.url),
      ]
    }
  }
}
