import Foundation
import LuaPlugins
import Testing

/// Deliberately faulty plug-ins, whose first lines name the findings of the check.
@Suite struct `Checks of faulty plug-ins` {
  @Test(arguments: try FaultyFile.all(in: "Checks", "finds"))
  func `every fault is found`(_ file: FaultyFile) throws {
    let findings = PluginCheck.findings(in: try PluginSource(path: file.path))

    for expected in file.expectations {
      let found = findings.first {
        $0.code == expected.kind && $0.message.contains(expected.text)
      }
      #expect(found != nil, "\(expected) is not among \(findings)")
      #expect(found?.remedy.isEmpty == false)
    }
  }

  @Test func `every kind of finding has a faulty plug-in`() throws {
    let covered = Set(try FaultyFile.all(in: "Checks", "finds").flatMap(\.expectations).map(\.kind))

    #expect(
      covered == [
        "does-not-load", "unknown-global", "global-write", "unknown-setting",
        "unknown-credential-field", "mutable-subject", "verified-without-source",
        "undeclared-host", "unused-host", "plain-http", "access-token-without-app", "no-pkce",
        "secret-as-text", "missing-api", "missing-documentation", "missing-fixture", "long-file",
        "unreadable", "caught-failure", "open-comparison", "unknown-request-field", "no-state",
        "other-id", "verified-of-another", "unread-response", "template",
      ])
  }

  @Test func `a finding names its line and the nearest name`() throws {
    let file = try FaultyFile.named("unknown-global", in: "Checks")

    let finding = try #require(
      PluginCheck.findings(in: try PluginSource(path: file)).first { $0.code == "unknown-global" })

    #expect(finding.line == 11)
    #expect(finding.remedy == "Did you mean \"pick\"?")
    #expect("\(finding)".hasPrefix("unknown-global.lua:11: error [unknown-global]"))
  }

  @Test func `a file that does not load is reported with its line and the nearest field`() throws {
    let file = try FaultyFile.named("does-not-load", in: "Checks")

    let findings = PluginCheck.findings(in: try PluginSource(path: file))

    #expect(findings.count == 1)
    #expect(findings.first?.line == 11)
    #expect(findings.first?.remedy.contains("scopes") == true)
  }

  @Test func `attack 21: a mutable subject is an error at any place`() throws {
    let names = [
      "mutable-subject", "mutable-subject-of-a-function", "mutable-subject-of-verify",
    ]
    for name in names {
      let source = try PluginSource(path: try FaultyFile.named(name, in: "Checks"))
      let finding = PluginCheck.findings(in: source).first { $0.code == "mutable-subject" }
      #expect(finding?.severity == .error, "\(name)")
    }
  }
}
