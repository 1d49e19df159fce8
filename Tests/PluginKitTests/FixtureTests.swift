import AuthCore
import Foundation
import PluginKit
import Testing

@Suite struct `Fixtures` {
  private func mistake(_ text: String) -> AuthError? {
    do {
      _ = try Fixture(text: text, name: "x.fixture.json")
      return nil
    } catch {
      return error
    }
  }

  private func scenario(_ members: String) -> String {
    """
    { "scenarios": [ { "name": "Ada", "credential": { "builder": "code", "code": "the-code" },
      "exchanges": [], "expect": { "identity": { "subject": "1" } }\(members) } ] }
    """
  }

  @Test func `a misspelled field is reported with its scenario and the nearest name`() throws {
    let error = try #require(mistake(scenario(", \"exchange\": []")))

    #expect(error.message.contains("x.fixture.json, scenario \"Ada\""))
    #expect(error.field == "exchange")
    #expect(error.remedy == "Did you mean \"exchanges\"?")
  }

  @Test func `a mistake deep inside is reported with its path`() throws {
    let text = scenario("").replacing(
      "\"exchanges\": []",
      with: "\"exchanges\": [ { \"request\": { \"url\": \"https://a.example/\", \"from\": {} }, "
        + "\"response\": {} } ]")

    let error = try #require(mistake(text))

    #expect(error.field == "exchanges[1].request.from")
    #expect(error.remedy == "Did you mean \"form\"?")
  }

  @Test func `text that is no JSON is reported with line and column`() throws {
    let texts = [
      ("{\n  \"now\": \"x\",\n}", "3:1"), ("{\"é\" 1}", "1:6"), ("{", "1:2"), ("{} x", "1:4"),
      ("[1, 01]", "1:5"), ("{\"a\": \"\n\"}", "1:8"), ("", "1:1"),
    ]
    for (text, place) in texts {
      let error = try #require(mistake(text), "\(text)")
      #expect(error.message.hasPrefix("x.fixture.json:\(place): it is no JSON"), "\(error)")
    }
  }

  @Test func `meaningless values are refused`() {
    #expect(mistake("{") != nil)
    #expect(mistake("[]") != nil)
    #expect(
      mistake(scenario("").replacing("\"subject\": \"1\"", with: ""))?.field
        == "expect.identity.subject")
    #expect(
      mistake(scenario("").replacing("\"builder\": \"code\",", with: ""))?.field
        == "credential.builder")
    #expect(
      mistake(scenario("").replacing("\"identity\"", with: "\"identitiy\""))?.remedy?.contains(
        "identity") == true)
    #expect(mistake("{ \"now\": \"yesterday\", \"scenarios\": [] }")?.field == "now")
    let twice = scenario("").replacing("\"scenarios\": [", with: "\"scenarios\": [")
    #expect(mistake(twice) == nil)
  }

  @Test func `a written fixture is read as the same`() throws {
    let template = try PluginTemplate(id: "a.example", kind: .oauth2)
    let fixture = try Fixture(text: template.fixture, name: "a.fixture.json")

    let again = try Fixture(text: fixture.text, name: "a.fixture.json")

    #expect(again.text == template.fixture)
    #expect(again.now == Fixture.usualTime)
    #expect(again.scenarios.map(\.exchanges) == fixture.scenarios.map(\.exchanges))
  }
}
