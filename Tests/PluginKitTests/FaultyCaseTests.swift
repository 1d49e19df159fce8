import Foundation
import LuaPlugins
import PluginKit
import Testing

/// Deliberately faulty plug-ins, whose first lines name the cases that have to fail.
@Suite struct `Cases of faulty plug-ins` {
  @Test(arguments: try FaultyFile.all(in: "Cases", "fails"))
  func `every fault fails a case that names it`(_ file: FaultyFile) async throws {
    let report = await PluginTest().run(file: file.path)

    #expect(report.obstacle == nil)
    #expect(!report.passed)
    for expected in file.expectations {
      let failed = report.failures.contains {
        $0.group.rawValue == expected.kind && $0.failure?.contains(expected.text) == true
      }
      let failures = report.failures.map { "\($0.group): \($0.failure ?? "")" }
      #expect(failed, "\(expected) is not among \(failures.joined(separator: "\n"))")
    }
  }

  @Test func `every group of cases has a faulty plug-in`() throws {
    let covered = Set(try FaultyFile.all(in: "Cases", "fails").flatMap(\.expectations).map(\.kind))

    #expect(covered == Set(PluginTestReport.Group.allCases.map(\.rawValue)))
  }

  @Test func `one case can be asked for by its name`() async throws {
    let file = try FaultyFile.named("verified-by-truth", in: "Cases")

    let report = await PluginTest(filter: "gives \"yes\" as verified").run(file: file)

    #expect(report.cases.count == 1)
    #expect(report.failures.first?.failure?.contains("the address should be unverified") == true)
  }

  @Test(arguments: [
    ("the sign-in by browser", PluginTestReport.Group.browser), ("The promises", .promise),
    ("transport", .transport), ("subject", .subject),
  ])
  func `the headings of the output and the groups are names too`(
    _ filter: String, _ group: PluginTestReport.Group
  ) async throws {
    let template = try PluginTemplate(id: "new.example", kind: .oauth2)

    let report = await PluginTest(filter: filter).run(
      plugin: template.plugin, fixture: template.fixture, name: "new.example.lua")

    #expect(report.obstacle == nil && report.cases.contains { $0.group == group })
    #expect(
      report.cases.allSatisfy {
        $0.group == group || $0.name.localizedCaseInsensitiveContains(filter)
      })
  }

  @Test func `an unknown case is reported`() async throws {
    let file = try FaultyFile.named("verified-by-truth", in: "Cases")

    let report = await PluginTest(filter: "no such case").run(file: file)

    #expect(report.obstacle?.contains("has no case \"no such case\"") == true)
  }

  private func failures(_ name: String) async throws -> [String] {
    let report = await PluginTest().run(file: try FaultyFile.named(name, in: "Cases"))
    return report.failures.compactMap(\.failure)
  }

  @Test func `attack 5: a word that is a text, a number or anything true verifies nothing`()
    async throws
  {
    let failures = try await failures("verified-by-truth")

    for word in ["\"false\"", "1", "\"yes\"", "\"true\""] {
      #expect(failures.contains { $0.contains("gives \(word) as verified") }, "\(word)")
    }
  }

  @Test func `attack 14: a plug-in that takes another app's access token fails`() async throws {
    #expect(try await failures("any-apps-token").contains { $0.contains("a check of its app") })
    #expect(try await failures("app-only-where-named").contains { $0.contains("leaves out app") })
  }

  @Test func `attack 16: a plug-in that reads an ID token without its signature fails`()
    async throws
  {
    let failures = try await failures("token-is-not-verified")

    for form in [
      "with algorithm none", "with the public key's PEM as an HMAC secret",
      "with an empty signature", "whose claims were touched", "of another issuer", "that is over",
    ] {
      #expect(failures.contains { $0.contains("a token \(form)") }, "\(form)")
    }
  }

  @Test func `attack 18: a plug-in that believes a signed callback twice fails`() async throws {
    #expect(try await failures("comes-twice").contains { $0.contains("the same credential comes") })
  }

  @Test func `attack 18: a signed callback that is never too old fails`() async throws {
    let failures = try await failures("never-too-old")

    #expect(failures.count { $0.contains("the same credential comes again") } == 2)
    #expect(failures.allSatisfy { $0.contains("remembered for 600 seconds") })
  }

  @Test func `a failure that pcall hides ends the sign-in all the same`() async throws {
    let path = try FaultyFile.named("status-is-not-read", in: "Cases")
    let fixture = try String(
      contentsOfFile: path.replacing(".lua", with: ".fixture.json"), encoding: .utf8)
    let plugin = try String(contentsOfFile: path, encoding: .utf8).replacing(
      "http.get(\"https://vendor.example/me\", { statuses = { 401 } })",
      with: "pcall(function() return http.get(\"https://vendor.example/me\"):json() end)")

    let report = await PluginTest().run(plugin: plugin, fixture: fixture, name: "caught.lua")

    // AuthCore itself handles these, so no faulty plug-in can fail these cases in this way.
    let transport = report.cases.filter { $0.group == .transport }
    #expect(transport.count >= 9)
    #expect(transport.compactMap(\.failure) == [])
  }

  @Test func `a failing case has what the plug-in logged`() async throws {
    let path = try FaultyFile.named("never-too-old", in: "Cases")
    let fixture = try String(
      contentsOfFile: path.replacing(".lua", with: ".fixture.json"), encoding: .utf8)
    let plugin = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("once(", with: "log.warn(\"seen \" .. fields.id)\n    once(")

    let report = await PluginTest().run(plugin: plugin, fixture: fixture, name: "logs.lua")

    let logged = try #require(report.failures.first { $0.name.contains("a day later") }?.log)
    #expect(logged.count == 1)
    #expect(logged.first?.hasPrefix("warn") == true && logged.first?.contains("seen s-77") == true)
  }

  @Test func `one name is enough in one file of several`() async throws {
    let files = try ["verified-by-truth", "never-too-old"].map {
      try FaultyFile.named($0, in: "Cases")
    }

    let reports = await PluginTest(filter: "a day later").run(files: files)
    let none = await PluginTest(filter: "no such case").run(files: files)

    #expect(reports.map(\.cases.count) == [0, 1] && reports.allSatisfy { $0.obstacle == nil })
    #expect(none.allSatisfy { $0.obstacle?.contains("has no case") == true })
  }

  @Test func `a path that leads nowhere is reported with the nearest name`() async throws {
    let template = try PluginTemplate(id: "new.example", kind: .oauth2)
    let plugin = template.plugin.replacing("email = \"email\"", with: "email = \"emial\"")
    #expect(plugin != template.plugin)

    let report = await PluginTest().run(
      plugin: plugin, fixture: template.fixture, name: "new.example.lua")

    let failure = try #require(report.failures.first?.failure)
    #expect(
      failure.contains("The path \"emial\" is not in the answer of GET /api/me."), "\(failure)")
    #expect(failure.hasSuffix("Did you mean \"email\"?"), "\(failure)")
  }

  @Test func `attack 19: a plug-in that takes another person's profile fails`() async throws {
    #expect(
      try await failures("profile-of-somebody-else").contains { $0.contains("GET /userinfo") })
  }
}
