import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

/// A bundle is tested with the fixture that is packed in it.
@Suite struct `Fixtures in bundles` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Packs a new plug-in, and returns the path of the bundle, beside which no fixture is.
  private func pack(withFixture: Bool = true) throws -> String {
    let template = try PluginTemplate(id: "orbit.example", kind: .custom)
    let text = template.plugin.replacing("api = 1,", with: "api = 1, version = \"1.0.0\",")
      .replacing("vendor.example", with: "orbit.example")
    let file = try folder.write("orbit.example.lua", text)
    if withFixture {
      try folder.write(
        "orbit.example.fixture.json",
        template.fixture.replacing("vendor.example", with: "orbit.example"))
    }
    return try folder.write("orbit.example-1.0.0.plugin", PluginBundle(packing: file).text)
  }

  @Test func `a bundle is checked and tested with its own fixture`() async throws {
    let path = try pack()
    try FileManager.default.removeItem(atPath: "\(folder.path)/orbit.example.lua")
    try FileManager.default.removeItem(atPath: "\(folder.path)/orbit.example.fixture.json")
    let source = try PluginSource(path: path)

    let report = await PluginTest().run(file: path)

    #expect(report.obstacle == nil)
    #expect(report.failures.compactMap(\.failure) == [])
    #expect(report.cases.count { $0.group == .scenario } == 3)
    #expect(PluginCheck.findings(in: source) == [])
    #expect(FixtureCheck.findings(beside: source) == [])
    #expect(source.fixtureName == "orbit.example.fixture.json" && source.fixturePath == nil)
  }

  @Test func `a bundle without a fixture says so, whatever lies beside it`() async throws {
    let path = try pack(withFixture: false)
    try folder.write("orbit.example.fixture.json", "{ \"scenarios\": [] }")
    try folder.write("orbit.example-1.0.0.plugin.fixture.json", "{ \"scenarios\": [] }")

    let report = await PluginTest().run(file: path)
    let findings = PluginCheck.findings(in: try PluginSource(path: path))

    #expect(
      report.obstacle?.contains("There is no fixture orbit.example.fixture.json in the bundle.")
        == true)
    #expect(findings.map(\.code) == ["missing-fixture"])
  }
}
