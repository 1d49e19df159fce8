import AuthCore
import AuthTesting
import FakeVendors
import Synchronization
import Testing

@testable import IdentityToolkitService

/// Runs a server with providers: fake vendors for production, fake tokens for the emulator.
func withFederation(
  _ mode: ServerMode, configure: @escaping (inout ServerSetup) -> Void = { _ in },
  _ body: @escaping @Sendable (Federation) async throws -> Void
) async throws {
  try await withServer(mode, configure: configure) { server in
    let home = try await Federation(server)
    do {
      try await body(home)
    } catch {
      await home.stop()
      throw error
    }
    await home.stop()
  }
}

/// A server, and vendors for its sign-ins.
struct Federation: Sendable {
  let server: ServerHome
  let google: FakeGoogle
  let apple: FakeApple
  let facebook: FakeFacebook
  let oidc: FakeOIDC
  private let count = Counter()

  static let google = ProviderID.google
  static let work = ProviderID("oidc.work")

  init(_ server: ServerHome) async throws {
    self.server = server
    let clock = server.clock
    var google = FakeGoogle.Configuration()
    google.clock = { clock.now }
    var apple = FakeApple.Configuration()
    apple.clock = { clock.now }
    var facebook = FakeFacebook.Configuration()
    facebook.clock = { clock.now }
    var oidc = FakeOIDC.Configuration()
    oidc.clock = { clock.now }
    self.google = try await .start(google)
    self.apple = try await .start(apple)
    self.facebook = try await .start(facebook)
    self.oidc = try await .start(oidc)
    if server.mode == .production {
      try await setUp()
    } else {
      // The emulator creates the project when it is first named.
      try await server.post("/v1/accounts:createAuthUri", [:])
    }
  }

  func stop() async {
    await google.stop()
    await apple.stop()
    await facebook.stop()
    await oidc.stop()
  }

  var isEmulator: Bool { server.mode == .emulator }
  var graph: AccountGraph { server.graph }

  /// Returns a new number, so that no two tokens are equal.
  func next() -> Int { count.next() }

  func vendor(_ provider: ProviderID) -> any FakeVendor {
    switch provider.rawValue {
    case "google.com": google
    case "apple.com": apple
    case "facebook.com": facebook
    default: oidc
    }
  }

  /// Trusts a provider for every address, as the emulator always does.
  func trust(_ provider: ProviderID, _ extent: TrustPolicy.Extent = .always) async throws {
    try await settings { $0.trust[provider] = extent }
  }

  func settings(_ change: @escaping @Sendable (inout ProjectSettings) -> Void) async throws {
    _ = try await graph.changeSettings(by: server.admin, change)
  }

  private func setUp() async throws {
    let client = JSONValue.string(FakeClient.web.id)
    let secret = FakeClient.web.secret ?? ""
    try await configure(
      Self.google,
      [
        "clientIDs": [client], "privateHosts": [.string(google.server.host)],
        "endpoints": [
          "authorize": .string(google.authorizationURL), "token": .string(google.tokenURL),
          "keys": .string(google.keysURL), "tokenInfo": .string(google.tokenInfoURL),
          "userInfo": .string(google.userInfoURL), "revocation": .string(google.revocationURL),
        ],
      ], ["clientSecret": secret])
    try await configure(
      .apple,
      [
        "clientIDs": [client], "privateHosts": [.string(apple.server.host)],
        "teamID": .string(apple.teamID), "keyID": .string(apple.developerKey.keyID),
        "endpoints": [
          "authorize": .string(apple.authorizationURL), "token": .string(apple.tokenURL),
          "keys": .string(apple.keysURL), "revocation": .string(apple.revocationURL),
        ],
      ], ["privateKey": apple.developerKey.privateKeyPEM])
    try await configure(
      ProviderID("facebook.com"),
      [
        "appID": client, "privateHosts": [.string(facebook.server.host)],
        "endpoints": [
          "authorize": .string(facebook.authorizationURL), "token": .string(facebook.tokenURL),
          "debugToken": .string(facebook.debugTokenURL), "me": .string(facebook.meURL),
          "permissions": .string(facebook.permissionsURL), "keys": .string(facebook.keysURL),
        ],
      ], ["appSecret": secret])
    try await configure(
      Self.work,
      [
        "issuer": .string(oidc.issuer), "clientID": client,
        "privateHosts": [.string(oidc.server.host)],
      ], ["clientSecret": secret])
    try await settings { $0.signIn.authorizedDomains = ["app.example"] }
  }

  private func configure(
    _ provider: ProviderID, _ values: [String: JSONValue], _ secrets: [String: String]
  ) async throws {
    _ = try await graph.configure(
      provider, values: values, secrets: secrets.mapValues { Secret($0) }, by: server.admin)
  }
}

private final class Counter: Sendable {
  private let number = Mutex(0)

  func next() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }
}
