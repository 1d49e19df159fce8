import AuthCore
import PluginKit
import Testing

/// Credentials that hold the person inside of a part that the vendor signed.
@Suite struct `Sealed credentials` {
  private func report(_ plugin: String, _ fixture: String) async -> PluginTestReport {
    await PluginTest().run(plugin: plugin, fixture: fixture, name: "forum.example.lua")
  }

  @Test func `a described seal is changed and signed again`() async throws {
    let report = await report(SealedPlugin.text, SealedPlugin.described)

    #expect(report.obstacle == nil)
    #expect(report.failures.map { "[\($0.group.rawValue)] \($0.failure ?? "")" } == [])
    let names = report.cases.filter { $0.group == .subject }.map(\.name)
    #expect(names.contains("the signed sso leaves out external_id"), "\(names)")
    #expect(report.cases.contains { $0.group == .email && $0.name.hasPrefix("the signed sso") })
  }

  @Test func `a sealed credential without a description is right if it refuses every change`()
    async throws
  {
    let report = await report(SealedPlugin.text, SealedPlugin.literal)

    #expect(report.obstacle == nil)
    #expect(report.failures.map { "[\($0.group.rawValue)] \($0.failure ?? "")" } == [])
    let names = report.cases.filter { $0.group == .subject }.map(\.name)
    #expect(names.contains("the sealed sig is changed at its beginning"), "\(names)")
  }

  @Test func `attack: an address that the vendor signs as unverified stays unverified`() async {
    let trusting = SealedPlugin.text.replacing(
      "emailVerified = fields.verified == \"true\"",
      with: "emailVerified = fields.verified ~= \"false\"")

    let report = await report(trusting, SealedPlugin.described)

    #expect(
      report.failures.contains {
        $0.group == .email && $0.failure?.contains("the signed sso gives \"yes\"") == true
      }, "\(report.failures.map { $0.failure ?? "" })")
  }

  @Test func `attack: a credential that anyone can make up is not taken for a sealed one`() async {
    let open = SealedPlugin.text.replacing(
      "if not hash.equals(credential.sig, signature) then", with: "if false then"
    ).replacing("subject = fields.external_id", with: "subject = \"everybody\"")
    let fixture = SealedPlugin.literal.replacing("\"70001\"", with: "\"everybody\"")

    let report = await report(open, fixture)

    #expect(
      report.failures.contains {
        $0.group == .subject && $0.failure?.contains("can be changed") == true
      }, "\(report.failures.map { $0.failure ?? "" })")
  }

  @Test func `a key can be derived, and a form is signed by its sorted lines`() async {
    let plugin = """
      return provider {
        id = "app.example", name = "App", kind = "custom", hosts = {},
        settings = { botToken = setting.secret { "the token", required = true } },
        credentials = { app = { initData = field.text "what the app was given" } },
        verify = function(credential)
          local fields = url.query(credential.initData)
          assert(fields.hash == "37769239cfd740f16a6694490d01acaedaa1fbd15dfbb3075452de90f602e8df")
          return identity { subject = tostring(json.decode(fields.user).id) }
        end,
      }
      """
    let fixture = """
      {
        "settings": { "botToken": "123456789:test-bot-token" },
        "scenarios": [
          {
            "name": "an app", "credential": { "builder": "app", "initData": "{payload initData}" },
            "payload": {
              "initData": {
                "form": {
                  "auth_date": "{now-20}", "query_id": "AAHd", "hash": "{hmac hash}",
                  "user": "{\\"id\\":70001,\\"first_name\\":\\"Ada\\"}"
                }
              }
            },
            "hmac": {
              "hash": { "key": { "hmac": "{botToken}", "key": "WebAppData" }, "lines": "initData" }
            },
            "expect": { "identity": { "subject": "70001" } }
          }
        ]
      }
      """

    let report = await report(plugin, fixture)

    let scenario = report.cases.first { $0.group == .scenario }
    #expect(report.obstacle == nil)
    #expect(scenario?.failure == nil && scenario != nil)
  }

  @Test func `a misspelt seal is reported with its field and the nearest name`() throws {
    func mistake(_ text: String) -> AuthError? {
      do throws(AuthError) {
        _ = try Fixture(text: text, name: "x.fixture.json")
        return nil
      } catch {
        return error
      }
    }
    let seal = "\"over\": \"{payload sso}\" }"

    let name = mistake(
      SealedPlugin.described.replacing(seal, with: "\"ovr\": \"{payload sso}\" }"))
    let hash = mistake(
      SealedPlugin.described.replacing(seal, with: "\"algorithm\": \"sha265\", " + seal))

    #expect(name?.field == "hmac.sig.ovr" && name?.remedy == "Did you mean \"over\"?")
    #expect(hash?.field == "hmac.sig.algorithm" && hash?.remedy == "Did you mean \"sha256\"?")
  }

  @Test func `a part that is not described, or a part of itself, fails its scenario`() async {
    let missing = await report(
      SealedPlugin.text,
      SealedPlugin.described.replacing("\"sig\": \"{hmac sig}\"", with: "\"sig\": \"{hmac sgi}\""))
    let circle = await report(
      SealedPlugin.text,
      SealedPlugin.described.replacing("\"name\": \"Ada\"", with: "\"name\": \"{payload sso}\""))

    #expect(missing.failures.first?.failure?.contains("{hmac sgi} is not described") == true)
    #expect(missing.failures.first?.failure?.contains("Did you mean \"sig\"?") == true)
    #expect(circle.failures.first?.failure?.contains("is a part of itself") == true)
  }
}
