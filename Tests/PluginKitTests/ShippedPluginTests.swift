import AuthCore
import Foundation
import LuaPlugins
import PluginKit
import Testing

/// The shipped plug-ins pass the kit's checks for any plug-in.
@Suite struct `Plug-ins that ship` {
  @Test func `shipped plug-ins pass the strict check`() async throws {
    for file in try FaultyFile.lua(in: FaultyFile.plugins) {
      let source = try PluginSource(path: file)
      #expect(PluginCheck.findings(in: source) == [])
      #expect(FixtureCheck.findings(beside: source) == [])
      #expect(await BrowserCheck.findings(in: source) == [])
    }
  }

  @Test func `an import takes the identities of every shipped plug-in, also without the plug-in`()
    throws
  {
    for file in try FaultyFile.lua(in: FaultyFile.plugins) {
      // The check finds a file whose name is not its provider's ID.
      let name = URL(filePath: file).deletingPathExtension().lastPathComponent
      try KnownProviders.check(ProviderID(name), registered: [])
    }
  }

  @Test func `shipped plug-ins pass every scenario and every hostile case`() async throws {
    let files = try FaultyFile.lua(in: FaultyFile.plugins)

    let reports = await PluginTest().run(files: files)

    #expect(reports.count == files.count && files.count >= 50)
    for report in reports {
      #expect(report.obstacle == nil, "\(report.file)")
      #expect(report.failures.map { "\($0.name): \($0.failure ?? "")" } == [], "\(report.file)")
      #expect(report.cases.count >= 30, "\(report.file) has only \(report.cases.count) cases")
    }
  }
}
