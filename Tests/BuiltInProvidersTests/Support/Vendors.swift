import AuthCore
import AuthTesting
import BuiltInProviders

/// The vendors whose providers take ID tokens.
enum Vendor: String, CaseIterable, Sendable, CustomStringConvertible {
  case google = "google.com"
  case facebook = "facebook.com"
  case apple = "apple.com"
  case oidc = "oidc.staff"

  var provider: ProviderID { ProviderID(rawValue) }
  var description: String { rawValue }

  /// The way to sign in with the vendor's ID token.
  var idTokenWay: Way {
    switch self {
    case .google: .googleIDToken
    case .facebook: .facebookLimitedLogin
    case .apple: .appleIDToken
    case .oidc: .oidcIDToken
    }
  }

  var codeWay: Way {
    switch self {
    case .google: .googleCode
    case .facebook: .facebookCode
    case .apple: .appleCode
    case .oidc: .oidcCode
    }
  }
}

/// One fake vendor of every kind, all with the same clock.
struct Vendors: Sendable {
  let google: FakeGoogle
  let facebook: FakeFacebook
  let apple: FakeApple
  let oidc: FakeOIDC
  /// What signs custom tokens.
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
      apple: try await .start(apple), oidc: try await .start(oidc))
  }

  subscript(vendor: Vendor) -> any FakeVendor {
    switch vendor {
    case .google: google
    case .facebook: facebook
    case .apple: apple
    case .oidc: oidc
    }
  }

  func stop() async {
    for vendor in Vendor.allCases { await self[vendor].stop() }
  }
}

extension ProviderHome {
  /// Sets every provider up as an admin does, with the vendors' addresses.
  func configureAll() async throws {
    for vendor in Vendor.allCases { try await configure(vendor) }
    try await configure(.emailLink, ["linkBase": "https://shop.example/finish"])
    try await configure(
      .custom, ["publicKeys": [Vendors.customIssuer: .string(try customIssuer.publicKey)]])
  }

  /// Sets a vendor's provider up; `changes` stand in place of what is usual.
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
    case .google, .oidc: ["clientSecret": secret]
    case .facebook: ["appSecret": secret]
    case .apple: ["privateKey": vendors.apple.developerKey.privateKeyPEM]
    }
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
    // Its endpoints are what its discovery document says.
    case .oidc:
      ["issuer": .string(vendors.oidc.issuer), "clientID": client, "privateHosts": hosts]
    }
  }
}
