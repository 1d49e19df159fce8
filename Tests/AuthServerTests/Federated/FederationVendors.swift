import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

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
    google = try await .start(.init(clock: { clock.now }))
    apple = try await .start(.init(clock: { clock.now }))
    facebook = try await .start(.init(clock: { clock.now }))
    oidc = try await .start(.init(clock: { clock.now }))
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
    try await configure(Self.google, google.providerValues, google.providerSecrets)
    try await configure(.apple, apple.providerValues, apple.providerSecrets)
    try await configure(
      ProviderID("facebook.com"), facebook.providerValues, facebook.providerSecrets)
    try await configure(Self.work, oidc.providerValues, oidc.providerSecrets)
    try await settings { $0.signIn.authorizedDomains = ["app.example"] }
  }

  private func configure(
    _ provider: ProviderID, _ values: [String: JSONValue], _ secrets: [String: Secret<String>]
  ) async throws {
    _ = try await graph.configure(provider, values: values, secrets: secrets, by: server.admin)
  }
}
