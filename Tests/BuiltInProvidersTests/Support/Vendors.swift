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
  let gameCenter: FakeGameCenter
  let playGames: FakePlayGames
  /// The key that signs custom tokens.
  let customKey = SigningKey.p256(keyID: "custom-1")
  static let customIssuer = "backend@shop.example"

  static func start(clock: @escaping @Sendable () -> Timestamp) async throws -> Vendors {
    Vendors(
      google: try await .start(.init(clock: clock)),
      facebook: try await .start(.init(clock: clock)),
      apple: try await .start(.init(clock: clock)), oidc: try await .start(.init(clock: clock)),
      acme: try await .start(named(.acme, clock: clock)),
      script: try await .start(named(.script, clock: clock)),
      plain: try await .start(.init(clock: clock)),
      gameCenter: try await .start(.init(clock: clock)),
      playGames: try await .start(.init(clock: clock)))
  }

  /// An issuer with the name in its plug-in, which is not its server's.
  private static func named(
    _ vendor: Vendor, clock: @escaping @Sendable () -> Timestamp
  ) -> FakeOIDC.Configuration {
    var configuration = FakeOIDC.Configuration(clock: clock)
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
    await gameCenter.stop()
    await playGames.stop()
  }
}

extension ProviderHome {
  /// Configures every provider as an admin does, with the vendors' addresses.
  func configureAll() async throws {
    for vendor in Vendor.allCases { try await configure(vendor) }
    try await configure(.gameCenter, vendors.gameCenter.providerValues)
    try await configure(
      .playGames, vendors.playGames.providerValues,
      vendors.playGames.providerSecrets.mapValues { $0.reveal() })
    try await configure(.emailLink, ["linkBase": "https://shop.example/finish"])
    try await configure(
      .custom, ["publicKeys": [Vendors.customIssuer: .string(try customIssuer.publicKey)]])
  }

  /// Configures a vendor's provider; `changes` replace the usual settings.
  func configure(_ vendor: Vendor, _ changes: [String: JSONValue] = [:]) async throws {
    let usual = settings(of: vendor)
    _ = try await graph.configure(
      vendor.provider, values: usual.values.merging(changes) { _, changed in changed },
      secrets: usual.secrets, by: admin)
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

  /// The setting with another server in place of a plug-in's vendor.
  func servers(of vendor: Vendor, at url: String) -> JSONValue {
    .object(vendor.pluginHost.map { [$0: .string(url)] } ?? [:])
  }

  private func settings(
    of vendor: Vendor
  ) -> (values: [String: JSONValue], secrets: [String: Secret<String>]) {
    let (google, facebook, apple, oidc) = (
      vendors.google, vendors.facebook, vendors.apple, vendors.oidc
    )
    switch vendor {
    case .google: return (google.providerValues, google.providerSecrets)
    case .facebook: return (facebook.providerValues, facebook.providerSecrets)
    case .apple: return (apple.providerValues, apple.providerSecrets)
    case .oidc: return (oidc.providerValues, oidc.providerSecrets)
    case .acme, .script, .plain:
      let server = vendors[vendor].server
      return (
        [
          "clientID": .string(FakeClient.web.id), "privateHosts": [.string(server.host)],
          "servers": servers(of: vendor, at: server.url),
        ], oidc.providerSecrets
      )
    }
  }
}
