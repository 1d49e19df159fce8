import AuthCore
import AuthTesting
import Crypto
import FakeVendors
import Foundation
import LuaPlugins
import Testing
import TestSupport

/// The events of the plug-ins that ship, as their vendors document them.
@Suite struct `Events of shipped plug-ins` {
  let home = PluginHome()
  let discordKey = Curve25519.Signing.PrivateKey()

  private func report(
    _ name: String, _ request: ProviderEventRequest, settings: [String: JSONValue] = [:],
    secrets: [String: String] = [:]
  ) async throws -> ProviderEventReport {
    let provider = try home.shipped(name)
    let settings = settings.merging(["clientID": "the-client"]) { own, _ in own }
    let context = home.context(provider, settings, secrets: secrets)
    #expect(provider.receivesEvents(context.settings))
    return try await provider.events(request, context)
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private func hmac(_ text: String, secret: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(text.utf8), using: SymmetricKey(data: Data(secret.utf8)))
    return "sha256=" + hex(code)
  }

  // MARK: GitHub

  private func github(
    _ body: String, event: String = "github_app_authorization", secret: String = "s3cret-of-hook"
  ) -> ProviderEventRequest {
    ProviderEventRequest(
      headers: [
        "content-type": "application/json", "x-github-event": event,
        "x-github-delivery": "d-1", "x-hub-signature-256": hmac(body, secret: secret),
      ], body: Array(body.utf8))
  }

  private static let revoked = #"{"action":"revoked","sender":{"id":583231,"login":"octocat"}}"#

  @Test func `GitHub says who revoked an app's authorization`() async throws {
    let secrets = ["webhookSecret": "s3cret-of-hook"]
    let report = try await report("github.com", github(Self.revoked), secrets: secrets)
    let other = try await self.report(
      "github.com", github(Self.revoked, event: "installation"), secrets: secrets)

    #expect(
      report.events == [ProviderEvent(.consentRevoked, subject: "583231", at: nil, id: "d-1")])
    #expect(other.events.isEmpty)
  }

  @Test(arguments: [["webhookSecret": "another"], [:]] as [[String: String]])
  func `attack: GitHub's event needs the webhook's secret`(
    _ secrets: [String: String]
  ) async throws {
    for secret in ["s3cret-of-hook", ""] {
      let error = await expectError {
        try await report("github.com", github(Self.revoked, secret: secret), secrets: secrets)
      }
      #expect(error?.code == .invalidCredential && error?.field == "signature")
    }
  }

  // MARK: Twitch

  private func twitch(
    _ body: String, type: String = "notification", at: String = "2027-01-15T07:59:51.634234626Z",
    secret: String = "s3cret-of-twitch"
  ) -> ProviderEventRequest {
    ProviderEventRequest(
      headers: [
        "content-type": "application/json", "twitch-eventsub-message-id": "m-1",
        "twitch-eventsub-message-timestamp": at, "twitch-eventsub-message-type": type,
        "twitch-eventsub-message-signature": hmac("m-1" + at + body, secret: secret),
      ], body: Array(body.utf8))
  }

  private static let twitchBody = """
    {"subscription":{"type":"user.authorization.revoke"},"event":{"client_id":"the-client",\
    "user_id":"1337","user_login":null,"user_name":null}}
    """
  private static let twitchSecrets = ["eventSecret": "s3cret-of-twitch"]

  @Test func `Twitch says who revoked an authorization`() async throws {
    let report = try await report(
      "twitch.tv", twitch(Self.twitchBody), secrets: Self.twitchSecrets)

    #expect(
      report.events == [
        ProviderEvent(
          .consentRevoked, subject: "1337", at: Timestamp(milliseconds: 1_799_999_991_634),
          id: "m-1")
      ])
  }

  @Test func `Twitch's challenge is answered as plain text`() async throws {
    let report = try await report(
      "twitch.tv",
      twitch(#"{"challenge":"pogchamp-kappa"}"#, type: "webhook_callback_verification"),
      secrets: Self.twitchSecrets)

    #expect(report.events.isEmpty && report.response.status == 200)
    #expect(report.response.body == "pogchamp-kappa")
    #expect(report.response.contentType == "text/plain")
  }

  @Test func `another app's event and another subscription of Twitch say nothing`() async throws {
    let others = [
      Self.twitchBody.replacing("the-client", with: "another-client"),
      Self.twitchBody.replacing("user.authorization.revoke", with: "user.update"),
      #"{"subscription":{"type":"user.authorization.revoke","status":"user_removed"}}"#,
    ]
    for body in others {
      let report = try await report("twitch.tv", twitch(body), secrets: Self.twitchSecrets)
      #expect(report.events.isEmpty, "\(body)")
    }
  }

  @Test func `attack: a forged or old message of Twitch is refused`() async throws {
    let requests = [
      (twitch(Self.twitchBody, secret: "another"), Self.twitchSecrets),
      (twitch(Self.twitchBody, secret: ""), [:]),
      (twitch(Self.twitchBody, at: "2027-01-15T07:49:59Z"), Self.twitchSecrets),
      (twitch(Self.twitchBody, at: "yesterday"), Self.twitchSecrets),
    ]
    for (request, secrets) in requests {
      let error = await expectError { try await report("twitch.tv", request, secrets: secrets) }
      #expect(error?.code == .invalidCredential && error?.field == "signature")
    }
  }

  // MARK: Discord

  private func discord(
    _ body: String, signed: String? = nil, at: String = "1800000000"
  ) throws -> ProviderEventRequest {
    let signature = try discordKey.signature(for: Data((at + (signed ?? body)).utf8))
    return ProviderEventRequest(
      headers: [
        "content-type": "application/json", "x-signature-timestamp": at,
        "x-signature-ed25519": hex(signature),
      ], body: Array(body.utf8))
  }

  private static let deauthorized = """
    {"version":1,"application_id":"1","type":1,"event":{"type":"APPLICATION_DEAUTHORIZED",\
    "timestamp":"2027-01-15T08:00:00.1","data":{"user":{"id":"80351110224678912"}}}}
    """

  private var discordSettings: [String: JSONValue] {
    ["publicKey": .string(hex(discordKey.publicKey.rawRepresentation))]
  }

  @Test func `Discord says who removed an app`() async throws {
    let report = try await report(
      "discord.com", discord(Self.deauthorized), settings: discordSettings)

    #expect(report.events.map(\.kind) == [.consentRevoked])
    #expect(report.events.map(\.subject) == ["80351110224678912"])
    #expect(report.events.first?.at == Timestamp(milliseconds: 1_800_000_000_000))
    #expect(report.response.status == 204)
  }

  @Test func `Discord's PING is answered`() async throws {
    let report = try await report(
      "discord.com", discord(#"{"version":1,"application_id":"1","type":0}"#),
      settings: discordSettings)

    #expect(report.events.isEmpty && report.response.status == 204)
  }

  @Test func `attack: Discord's probe with a wrong signature gets 401`() async throws {
    let forged = try discord(Self.deauthorized, signed: "{}")
    let bare = ProviderEventRequest(body: Array(Self.deauthorized.utf8))

    for (request, settings) in [
      (forged, discordSettings), (bare, discordSettings), (forged, [:]),
      (forged, ["publicKey": "no key"]),
    ] {
      let report = try await report("discord.com", request, settings: settings)
      #expect(report.events.isEmpty && report.response.status == 401)
    }
  }

  // MARK: Kakao

  private func kakao(_ changes: [String: JSONValue] = [:]) throws -> ProviderEventRequest {
    let key = try SigningKey.shared(keyID: "kakao-1")
    home.vendor.answer(
      "GET https://kauth.kakao.com/.well-known/jwks.json", json: ["keys": [key.jwk]])
    let claims: [String: JSONValue] = [
      "iss": "https://kauth.kakao.com", "aud": "the-client", "jti": "j-1", "sub": "70001",
      "iat": .integer(home.clock.now.milliseconds / 1000),
      "events": ["https://schemas.openid.net/secevent/oauth/event-type/user-unlinked": [:]],
    ]
    let token = try key.jws(
      .object(claims.merging(changes) { _, new in new }), header: ["typ": "secevent+jwt"])
    return ProviderEventRequest(
      headers: ["content-type": "application/secevent+jwt"], body: Array(token.utf8))
  }

  @Test func `Kakao says who unlinked an app`() async throws {
    let report = try await report("kakao.com", kakao())

    #expect(report.events.map(\.kind) == [.consentRevoked])
    #expect(report.events.map(\.subject) == ["70001"])
    #expect(report.response.status == 202)
  }

  @Test func `attack: an event of another issuer or for another app of Kakao is refused`()
    async throws
  {
    for changes in [["iss": "https://evil.example"], ["aud": "another"]] as [[String: JSONValue]] {
      let request = try kakao(changes)
      let error = await expectError { try await report("kakao.com", request) }
      #expect(error?.code == .invalidCredential, "\(changes)")
    }
  }
}

extension PluginHome {
  /// The provider of a file in the folder `Plugins`.
  func shipped(_ name: String) throws -> any LuaProvider {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "Plugins/\(name).lua")
    return try provider(String(contentsOf: file, encoding: .utf8), name: "\(name).lua")
  }
}
