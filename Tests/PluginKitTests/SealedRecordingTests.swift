import AuthCore
import Crypto
import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

/// A recorded credential that its vendor signed replays at any time, without the real secret.
@Suite struct `Recording what a vendor signed` {
  private let secret = "Sh4red-secret-of-the-forum"

  private func recorded(
    _ plugin: String, settings: [String: JSONValue], builder: String, _ credential: [String: String]
  ) async throws -> Fixture {
    let source = PluginSource(name: "forum.example.lua", text: plugin)
    let declaration = try LuaPlugin.provider(source, host: PluginHost(transport: NoTransport()))
      .declaration
    let recorder = PluginRecorder(
      NoTransport(), declaration: declaration, settings: settings, builder: builder,
      credential: credential)
    let provider = try LuaPlugin.provider(source, host: recorder.host)
    let identity = try await provider.verify(
      Credential(provider: provider.id, builder: builder, fields: credential),
      VerificationContext(
        scope: Scope(project: "p"), purpose: .signIn, now: .now(),
        settings: ProviderSettings(
          provider.id, [:], secrets: settings.compactMapValues(\.stringValue))))
    // A year later: the answer would be too old if its time were kept.
    var fixture = Fixture(
      name: "forum.fixture.json", now: Timestamp.now().adding(seconds: 86_400 * 365),
      settings: recorder.fixtureSettings)
    fixture.scenarios = [recorder.scenario(named: "recorded", .success(identity))]
    #expect(!recorder.leaks(fixture.text), "\(fixture.text)")
    return fixture
  }

  private func signature(of text: String) -> String {
    HMAC<SHA256>.authenticationCode(
      for: Data(text.utf8), using: SymmetricKey(data: Data(secret.utf8))
    ).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `a signed form is kept readable, and is signed with the fixture's secret`()
    async throws
  {
    let second = Timestamp.now().milliseconds / 1000
    let form = "email=ada%40example.com&external_id=70001&name=Ada&time=\(second)&verified=true"
    let sso = Data(form.utf8).base64EncodedString()

    let fixture = try await recorded(
      SealedPlugin.text, settings: ["secret": .string(secret)], builder: "login",
      ["sso": sso, "sig": signature(of: sso)])
    let report = await PluginTest().run(
      plugin: SealedPlugin.text, fixture: fixture.text, name: "forum.example.lua")

    #expect(fixture.text.contains("\"{hmac sig}\""), "\(fixture.text)")
    #expect(fixture.text.contains("\"external_id\" : \"70001\""), "\(fixture.text)")
    #expect(!fixture.text.contains(String(second)), "\(fixture.text)")
    #expect(fixture.scenarios.first?.source?.kind == .recorded)
    #expect(report.obstacle == nil)
    #expect(report.failures.map { "[\($0.group.rawValue)] \($0.failure ?? "")" } == [])
  }

  @Test func `the answer of Telegram's widget replays`() async throws {
    let path = "\(FaultyFile.plugins)/telegram.lua"
    let plugin = try String(contentsOfFile: path, encoding: .utf8)
    let token = "123456789:the-real-token-of-the-bot"
    let fields = [
      "auth_date": String(Timestamp.now().milliseconds / 1000), "first_name": "Tara",
      "id": "424242424",
    ]
    let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: "\n")
    let key = SymmetricKey(data: Data(SHA256.hash(data: Data(token.utf8))))
    let hash = HMAC<SHA256>.authenticationCode(for: Data(lines.utf8), using: key)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    let fixture = try await recorded(
      plugin, settings: ["botToken": .string(token)], builder: "loginWidget",
      fields.merging(["hash": hash]) { own, _ in own })
    let report = await PluginTest().run(
      plugin: plugin, fixture: fixture.text, name: "telegram.lua")

    #expect(!fixture.text.contains(hash) && !fixture.text.contains(token))
    #expect(report.obstacle == nil)
    #expect(report.failures.map { "[\($0.group.rawValue)] \($0.failure ?? "")" } == [])
  }
}
