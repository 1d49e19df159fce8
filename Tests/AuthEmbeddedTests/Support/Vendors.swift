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
    var google = FakeGoogle.Configuration()
    google.clock = { clock.now }
    var facebook = FakeFacebook.Configuration()
    facebook.clock = { clock.now }
    var oidc = FakeOIDC.Configuration()
    oidc.clock = { clock.now }
    self.google = try await .start(google)
    self.facebook = try await .start(facebook)
    self.oidc = try await .start(oidc)
  }

  func stop() async {
    await google.stop()
    await facebook.stop()
    await oidc.stop()
  }

  /// Registers the app with the vendors, and the vendors with the project.
  func register(in graph: AccountGraph, by admin: Caller) async throws {
    let client = JSONValue.string(FakeClient.web.id)
    let secret = Secret(FakeClient.web.secret ?? "")
    _ = try await graph.configure(
      .google,
      values: [
        "clientIDs": [client], "privateHosts": [.string(google.server.host)],
        "endpoints": [
          "authorize": .string(google.authorizationURL), "token": .string(google.tokenURL),
          "keys": .string(google.keysURL), "tokenInfo": .string(google.tokenInfoURL),
          "userInfo": .string(google.userInfoURL), "revocation": .string(google.revocationURL),
        ],
      ], secrets: ["clientSecret": secret], by: admin)
    _ = try await graph.configure(
      Self.facebook,
      values: [
        "appID": client, "privateHosts": [.string(facebook.server.host)],
        "endpoints": [
          "authorize": .string(facebook.authorizationURL), "token": .string(facebook.tokenURL),
          "debugToken": .string(facebook.debugTokenURL), "me": .string(facebook.meURL),
          "permissions": .string(facebook.permissionsURL), "keys": .string(facebook.keysURL),
        ],
      ], secrets: ["appSecret": secret], by: admin)
    _ = try await graph.configure(
      Self.work,
      values: [
        "issuer": .string(oidc.issuer), "clientID": client,
        "privateHosts": [.string(oidc.server.host)],
      ], secrets: ["clientSecret": secret], by: admin)
  }
}
