import AuthCore
import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

@Suite struct `New plug-ins` {
  @Test(arguments: PluginTemplate.Kind.allCases)
  func `a new plug-in passes its test as it is, and the check warns of the vendor`(
    _ kind: PluginTemplate.Kind
  ) async throws {
    let template = try PluginTemplate(id: "new.example", kind: kind)

    let findings = PluginCheck.findings(
      in: PluginSource(name: "new.example.lua", text: template.plugin))
    let report = await PluginTest().run(
      plugin: template.plugin, fixture: template.fixture, name: "new.example.lua")

    #expect(findings.map(\.code) == ["template"])
    #expect(findings.first?.line == 7 && findings.first?.severity == .warning)
    #expect(report.obstacle == nil)
    #expect(report.failures.map { $0.failure ?? "" } == [])
    #expect(
      Set(report.cases.map(\.group)).isSuperset(of: [.scenario, .transport, .subject, .email]))
  }

  @Test func `an ID that no provider can have is refused`() {
    for id in ["", "a b", "../x", "ä.example", "-x", "google.com", "oidc.mine"] {
      #expect(throws: AuthError.self) { try PluginTemplate(id: id, kind: .oauth2) }
    }
  }

  @Test func `an ID with capitals is refused in one sentence`() {
    let error = #expect(throws: AuthError.self) { try PluginTemplate(id: "Foo", kind: .oauth2) }

    #expect(
      error?.message.hasPrefix("No plug-in can be called \"Foo\": the id \"Foo\" has") == true)
    #expect(error?.description.components(separatedBy: "has other characters").count == 2)
  }

  @Test func `the page of a plug-in lists its settings, credentials and hosts`() throws {
    let template = try PluginTemplate(id: "new.example", kind: .custom)
    let provider = try LuaPlugin.provider(
      PluginSource(name: "new.example.lua", text: template.plugin),
      host: PluginHost(transport: NoTransport()))

    let text = PluginDocs(provider).text

    for part in [
      "# New", "| `clientSecret` | secret | yes | the app's secret |",
      "| `ticket` | `ticket` | secret | yes |", "It asks `vendor.example`.",
      "providers.configure(\"new.example\", { clientID = \"…\", clientSecret = \"…\" })",
      "auth.signIn(providers[\"new.example\"].credential { ticket = \"…\" })",
    ] {
      #expect(text.contains(part), "\(part) is not in:\n\(text)")
    }
  }
}

extension `New plug-ins` {
  @Test func `the page describes the browser flow and the settings that are hosts`() throws {
    let text = """
      return provider {
        id = "new.example", name = "New", kind = "oidc", hosts = { "{domain}" },
        settings = { domain = setting.host { "the tenant", required = true } },
        issuer = "https://{domain}/",
      }
      """
    let provider = try LuaPlugin.provider(
      PluginSource(name: "new.example.lua", text: text),
      host: PluginHost(transport: NoTransport()))

    let page = PluginDocs(provider).text

    for part in [
      "| `domain` | host | yes | the tenant |",
      "auth.authorize(\"new.example\", { redirectURI = \"https://app.example/back\" })",
      "auth.signIn(auth.callback(\"new.example\", \"https://app.example/back?…\"))",
    ] {
      #expect(page.contains(part), "\(part) is not in:\n\(page)")
    }
  }
}
