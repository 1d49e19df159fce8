import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

/// Runs the examples of the article on fixtures.
@Suite struct `The article "Fixtures of provider plug-ins"` {
  private let article: String

  init() throws {
    let path = URL(filePath: FaultyFile.plugins).deletingLastPathComponent()
      .appending(path: "Sources/LuaPlugins/LuaPlugins.docc/PluginFixtures.md")
    article = try String(contentsOf: path, encoding: .utf8)
  }

  private func blocks(_ language: String) -> [String] {
    article.components(separatedBy: "\n```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  @Test func `its fixtures pass with its plug-in`() async throws {
    let plugin = try #require(blocks("lua").first)
    let fixture = try #require(blocks("json").first)

    let report = await PluginTest().run(plugin: plugin, fixture: fixture, name: "orbit.example.lua")

    #expect(report.obstacle == nil)
    #expect(report.failures.compactMap(\.failure) == [])
    #expect(report.cases.count { $0.group == .scenario } == 2)
  }

  @Test func `its files pass the strict check of its commands`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("orbit.example.lua", try #require(blocks("lua").first))
    try folder.write("orbit.example.fixture.json", try #require(blocks("json").first))
    let source = try PluginSource(path: path)

    #expect(PluginCheck.findings(in: source) == [])
    #expect(FixtureCheck.findings(beside: source) == [])
    #expect(await BrowserCheck.findings(in: source) == [])
  }

  @Test func `its ID token passes with a plug-in of its issuer`() async throws {
    let fixture = try #require(blocks("json").first { $0.contains("comet.example") })
    let plugin = """
      return provider {
        id = "comet.example", name = "Comet", kind = "oidc", hosts = { "comet.example" },
        issuer = "https://comet.example",
      }
      """

    let report = await PluginTest().run(plugin: plugin, fixture: fixture, name: "comet.example.lua")

    #expect(report.obstacle == nil)
    #expect(report.failures.compactMap(\.failure) == [])
  }

  @Test func `its signed credential passes with a plug-in of the same secret`() async throws {
    let fixture = try #require(blocks("json").last)

    let report = await PluginTest().run(
      plugin: SealedPlugin.text, fixture: fixture, name: "forum.example.lua")

    #expect(report.obstacle == nil)
    #expect(report.failures.compactMap(\.failure) == [])
  }

  @Test func `every group of cases is explained`() {
    for group in PluginTestReport.Group.allCases where group != .scenario {
      #expect(article.contains("\n- `\(group.rawValue)`: "), "\(group)")
    }
  }
}
