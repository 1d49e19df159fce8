import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

/// Game Center over loopback, with a clock that a test moves.
struct GamesFixture: Sendable {
  let vendor: FakeGameCenter
  let provider: DeclaredProvider
  let clock: FixedClock

  func settings(_ more: [String: JSONValue] = [:]) -> ProviderSettings {
    ProviderSettings(.gameCenter, vendor.providerValues.merging(more) { $1 })
  }

  func verify(
    _ fields: [String: String], _ more: [String: JSONValue] = [:]
  ) async throws -> VerifiedIdentity {
    try await provider.verify("player", fields, settings(more), at: clock.now)
  }

  func refusal(
    _ fields: [String: String], _ more: [String: JSONValue] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> AuthError {
    try await provider.refusal(
      "player", fields, settings(more), at: clock.now, sourceLocation: sourceLocation)
  }

  /// The requests for the certificate.
  var requestCount: Int {
    vendor.server.requests(to: FakeGameCenter.certificatePath).count
  }
}

func withGameCenter(_ body: (GamesFixture) async throws -> Void) async throws {
  let clock = FixedClock()
  let vendor = try await FakeGameCenter.start(.init(clock: { clock.now }))
  try await overLoopback(to: vendor) { vendor, transport in
    let provider = DeclaredProvider(
      .gameCenter, transport: transport,
      keys: KeyCache(transport: transport, clock: { clock.now }))
    try await body(GamesFixture(vendor: vendor, provider: provider, clock: clock))
  }
}
