import AuthCore
import Foundation
import PluginKit
import Testing

/// Signatures over bytes by a key that the vendor publishes, as Game Center makes them.
@Suite struct `Signed bytes in fixtures` {
  private let plugin = """
    return provider {
      id = "games.example", name = "Games", kind = "custom", hosts = { "games.example" },
      credentials = { player = {
        id = field.text "the player", timestamp = field.text "the time in milliseconds",
        signature = field.text "the signature",
      } },
      verify = function(credential, http)
        local key = http.get("https://games.example/key"):json()
        local pem = http.get("https://games.example/pem"):text()
        assert(pem:find("-----BEGIN PUBLIC KEY-----", 1, true) == 1, "no key")
        assert(base64.decode(key.certificate):sub(1, 2) == "\\x30\\x82", "no certificate")
        assert(#base64.decode(credential.signature) == 256, "no signature")
        assert(credential.timestamp == "1793534399000", "another time")
        return identity { subject = credential.id }
      end,
    }
    """

  private let fixture = """
    {
      "scenarios": [
        {
          "name": "a player",
          "credential": {
            "builder": "player", "id": "G:1", "timestamp": "1793534399000",
            "signature": "{signed player}"
          },
          "signed": {
            "player": { "over": ["G:1", "com.example.app", { "uint64": "1793534399000" }, { "base64": "c2FsdA==" }] }
          },
          "exchanges": [
            {
              "request": { "url": "https://games.example/key" },
              "response": { "json": { "certificate": "{certificate player}" } }
            },
            {
              "request": { "url": "https://games.example/pem" },
              "response": { "text": "{publicKey player}" }
            }
          ],
          "expect": { "identity": { "subject": "G:1" } }
        }
      ]
    }
    """

  @Test func `a signature, its key and its certificate are made for each replay`() async throws {
    let report = await PluginTest().run(plugin: plugin, fixture: fixture, name: "games.lua")

    let scenario = try #require(report.cases.first { $0.group == .scenario })
    #expect(report.obstacle == nil)
    #expect(scenario.failure == nil)
  }

  @Test func `a part that is neither text nor bytes is reported`() async throws {
    let wrong = fixture.replacing("\"uint64\": \"1793534399000\"", with: "\"uint65\": \"1\"")

    let report = await PluginTest().run(plugin: plugin, fixture: wrong, name: "games.lua")

    #expect(
      report.failures.first?.failure?.contains("a part is a text, { \"base64\"") == true,
      "\(report.failures.map { $0.failure ?? "" })")
  }

  @Test func `a source without a date, and an unknown kind, are refused`() {
    func field(_ source: String) -> String? {
      let text = fixture.replacing(
        "\"name\": \"a player\",", with: "\"name\": \"a player\", \"source\": \(source),")
      do throws(AuthError) {
        _ = try Fixture(text: text, name: "x.fixture.json")
        return nil
      } catch {
        return error.field
      }
    }

    #expect(field("{ \"kind\": \"recorded\", \"where\": \"Games\", \"date\": \"2026-11\" }") == nil)
    #expect(field("{ \"kind\": \"recorded\", \"where\": \"Games\" }") == "source.date")
    #expect(
      field("{ \"kind\": \"recorded\", \"where\": \"Games\", \"date\": \"soon\" }") == "source.date"
    )
    #expect(field("{ \"kind\": \"recorded\", \"date\": \"2026-11\" }") == "source.where")
    #expect(
      field("{ \"kind\": \"invented\", \"where\": \"x\", \"date\": \"2026-11\" }") == "source.kind")
  }
}
