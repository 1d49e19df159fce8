import AuthCore
import AuthTesting
import FakeVendors

/// The vendors of production.
///
/// They speak the true protocols and sign with real keys.
struct Vendors: Sendable {
  static let work = ProviderID("oidc.work")
  static let facebook = ProviderID("facebook.com")

  let google: FakeGoogle
  let facebook: FakeFacebook
  let oidc: FakeOIDC

  init(_ clock: FixedClock) async throws {
    google = try await .start(.init(clock: { clock.now }))
    facebook = try await .start(.init(clock: { clock.now }))
    oidc = try await .start(.init(clock: { clock.now }))
  }

  func stop() async {
    await google.stop()
    await facebook.stop()
    await oidc.stop()
  }

  /// Registers the app with the vendors, and the vendors with the project.
  func register(in graph: AccountGraph, by admin: Caller) async throws {
    _ = try await graph.configure(
      .google, values: google.providerValues, secrets: google.providerSecrets, by: admin)
    _ = try await graph.configure(
      Self.facebook, values: facebook.providerValues, secrets: facebook.providerSecrets, by: admin)
    _ = try await graph.configure(
      Self.work, values: oidc.providerValues, secrets: oidc.providerSecrets, by: admin)
  }
}
