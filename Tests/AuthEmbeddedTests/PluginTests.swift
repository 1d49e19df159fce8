import AuthClient
import AuthCore
import AuthTesting
import Foundation
import IdentityToolkitService
import LuaPlugins
import Testing

/// A transport that answers as Discord does.
///
/// An access token is `token-of-NAME`.
private struct Discord: HTTPTransport {
  static let app = "1100000000000000001"

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let bearer = request.headers.first { $0.0.lowercased() == "authorization" }?.1 ?? ""
    guard bearer.hasPrefix("Bearer token-of-") else { return Self.answer(["code": 0], 401) }
    let name = String(bearer.dropFirst("Bearer token-of-".count))
    if request.url.hasSuffix("/oauth2/@me") {
      return Self.answer([
        "application": ["id": .string(Self.app), "name": "Example"],
        "scopes": ["identify", "email"],
        "expires": "2035-11-02T12:00:00+00:00",
        "user": ["id": .string("id-of-\(name)"), "username": .string(name)],
      ])
    }
    return Self.answer([
      "id": .string("id-of-\(name)"), "username": .string(name),
      "global_name": .string("\(name) of Discord"), "avatar": .null, "verified": true,
      "email": .string("\(name)@example.com"), "locale": "en-GB",
    ])
  }

  private static func answer(_ body: JSONValue, _ status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"], body: Array(body.text.utf8))
  }
}

/// The emulator has no plug-ins: it accepts claims for any provider without a request.
@Suite("Providers in Lua on every backend of production") struct PluginTests {
  private func withDiscord(
    _ backend: Backend, _ body: @escaping @Sendable (AuthHome) async throws -> Void
  ) async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Plugins").standardized
    try await withAuth(backend) { options in
      options.service = { service, clock in
        let plugins = PluginSet(
          host: PluginHost(transport: Discord(), clock: { clock.now }))
        do {
          try plugins.load(path: folder.appending(path: "discord.com.lua").path)
        } catch {
          Issue.record(error)
        }
        service.plugins = plugins
      }
    } _: { home in
      _ = try await home.graph.configure(
        ProviderID("discord.com"), values: ["clientID": .string(Discord.app)],
        secrets: ["clientSecret": Secret("a secret")], by: home.admin)
      try await body(home)
    }
  }

  @Test(arguments: Backend.production)
  func `an access token signs in by OAuthProvider's credential`(
    _ backend: Backend
  ) async throws {
    try await withDiscord(backend) { home in
      let result = try await home.auth.signIn(
        with: OAuthProvider.credential(
          providerID: .custom("discord.com"), accessToken: "token-of-nelly"))

      #expect(result.user.providerIDs == ["discord.com"])
      #expect(result.user.providerData.first?.uid == "id-of-nelly")
      #expect(result.user.displayName == "nelly of Discord")
      #expect(result.additionalUserInfo?.providerID == "discord.com")
      #expect(result.additionalUserInfo?.isNewUser == true)
      #expect(result.additionalUserInfo?.username == "nelly")
      #expect(result.credential?.provider == "discord.com")
      #expect(try await result.user.getIDTokenResult().signInProvider == "discord.com")
    }
  }

  @Test(arguments: Backend.production)
  func `a credential of fields links, conflicts, reauthenticates and unlinks`(
    _ backend: Backend
  ) async throws {
    try await withDiscord(backend) { home in
      let credential = AuthCredential(
        provider: "discord.com", fields: ["accessToken": "token-of-nelly"])
      let ada = try await home.ada()
      let result = try await ada.link(with: credential)
      #expect(result.user === ada && ada.providerIDs == ["discord.com", "password"])
      #expect(result.additionalUserInfo?.profile?["username"] as? String == "nelly")
      #expect(
        try await home.another().signIn(with: credential).user.uid == ada.uid)

      let guest = try await home.another().signInAnonymously().user
      let error = try await expectError(.credentialAlreadyInUse) {
        try await guest.link(with: credential)
      }
      let updated = try #require(error.updatedCredential)
      #expect(updated.provider == "discord.com")
      #expect(try await home.another().signIn(with: updated).user.uid == ada.uid)
      try await ada.reauthenticate(with: credential)
      _ = try await ada.unlink(fromProvider: "discord.com")
      #expect(ada.providerIDs == ["password"])
      try await ada.reload()
    }
  }

  @Test(arguments: Backend.production)
  func `a credential that the vendor refuses is invalid`(_ backend: Backend) async throws {
    try await withDiscord(backend) { home in
      try await expectError(.invalidCredential) {
        try await home.auth.signIn(
          with: OAuthProvider.credential(
            providerID: .custom("discord.com"), accessToken: "stolen"))
      }
      #expect(home.auth.currentUser == nil)
      #expect(try await home.accountCount() == 0)
    }
  }
}
