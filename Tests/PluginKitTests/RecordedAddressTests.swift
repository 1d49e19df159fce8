import AuthCore
import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

/// Recording with other servers in place of the vendor.
@Suite struct `Recording with servers in the vendor's place` {
  private static let plugin = """
    return provider {
      id = "orbit.example", name = "Orbit", kind = "custom",
      hosts = { "orbit.example", "api.orbit.example" },
      credentials = { token = { token = field.secret "the token" } },
      verify = function(credential, http)
        local app = http.post("https://orbit.example/check", { form = { token = credential.token } }):json()
        if app.client ~= "my-app" then refuse "of another app" end
        local me = http.get("https://api.orbit.example/check", {
          bearer = credential.token, headers = { ["X-Version"] = "7", ["X-Api-Key"] = "K3y-of-the-file" },
        }):json()
        return identity { subject = me.id, photoURL = me.photo }
      end,
    }
    """

  /// One server in place of both hosts.
  private struct Player: HTTPTransport {
    var failure: AuthError?

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      if let failure { throw failure }
      let body: JSONValue =
        request.method == .post
        ? ["client": "my-app", "check_token_url": "http://127.0.0.1:8400/check"]
        : ["id": "70001", "photo": "http://127.0.0.1:8400/70001.png"]
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"], body: Array(body.text.utf8))
    }
  }

  private static let settings: [String: JSONValue] = [
    "servers": [
      "orbit.example": "http://127.0.0.1:8400", "api.orbit.example": "http://127.0.0.1:8400",
    ],
    "privateHosts": ["127.0.0.1:8400"],
  ]

  private func record(
    _ player: Player = Player()
  ) async throws -> (PluginRecorder, Result<VerifiedIdentity, AuthError>) {
    let source = PluginSource(name: "orbit.example.lua", text: Self.plugin)
    let fields = ["token": "T0ken-of-Ada"]
    let declaration = try LuaPlugin.provider(source, host: PluginHost(transport: NoTransport()))
      .declaration
    let recorder = PluginRecorder(
      player, declaration: declaration, settings: Self.settings, builder: "token",
      credential: fields)
    let provider = try LuaPlugin.provider(source, host: recorder.host)
    do {
      let identity = try await provider.verify(
        Credential(provider: provider.id, builder: "token", fields: fields),
        VerificationContext(
          scope: Scope(project: "p"), purpose: .signIn, now: .now(),
          settings: ProviderSettings(provider.id, Self.settings)))
      return (recorder, .success(identity))
    } catch let error as AuthError {
      return (recorder, .failure(error))
    }
  }

  private func fixture(
    _ recorder: PluginRecorder, _ result: Result<VerifiedIdentity, AuthError>
  ) -> Fixture {
    var fixture = Fixture(name: "orbit.fixture.json", settings: recorder.fixtureSettings)
    fixture.scenarios = [recorder.scenario(named: "recorded", result)]
    return fixture
  }

  @Test func `requested addresses are kept if one server plays two hosts`()
    async throws
  {
    let (recorder, result) = try await record()
    let fixture = fixture(recorder, result)

    let report = await PluginTest().run(
      plugin: Self.plugin, fixture: fixture.text, name: "orbit.example.lua")

    let urls = fixture.scenarios[0].exchanges.map(\.request.url)
    #expect(urls == ["https://orbit.example/check", "https://api.orbit.example/check"])
    #expect(!fixture.text.contains("127.0.0.1"), "\(fixture.text)")
    #expect(fixture.text.contains("https://orbit.example/70001.png"))
    #expect(report.cases.first?.failure == nil && report.obstacle == nil)
  }

  @Test func `a vendor's own headers are kept, save secrets`() async throws {
    let (recorder, result) = try await record()

    let headers = fixture(recorder, result).scenarios[0].exchanges[1].request.headers

    #expect(headers == ["authorization": "Bearer the-token", "x-version": "7"])
  }

  @Test func `a vendor that does not answer is reported`() async throws {
    let down = AuthError(.networkRequestFailed, "127.0.0.1 refused the connection.")

    let (recorder, _) = try await record(Player(failure: down))

    #expect(recorder.transportFailure as? AuthError == down)
    #expect(try await record().0.transportFailure == nil)
  }

  @Test func `a secret that remains is reported with its place`() async throws {
    let (recorder, result) = try await record()
    var fixture = fixture(recorder, result)
    #expect(recorder.leak(in: fixture) == nil)

    fixture.scenarios[0].exchanges[1].response.body = .json(["notes": ["ok", "T0ken-of-Ada"]])

    #expect(
      recorder.leak(in: fixture)
        == "scenario \"recorded\": exchanges[2].response.json.notes[2] holds a value that should be "
        + "the-token")
  }
}
