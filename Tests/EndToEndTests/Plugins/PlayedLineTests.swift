import FakeVendors
import Foundation
import LuaPlugins
import PluginKit
import Testing
import TestSupport

/// The lines that `authgraph idp --plugin` prints, entered in a console.
@Suite struct `Lines of played vendors` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the console accepts the printed line of every shipped plug-in`() async throws {
    let plugins = "\(Program.root)/Plugins"
    let files = try FileManager.default.contentsOfDirectory(atPath: plugins).sorted()
      .filter { $0.hasSuffix(".lua") }
    var lines: [String] = []
    for file in files {
      let source = try PluginSource(path: "\(plugins)/\(file)")
      let provider = try LuaPlugin.provider(source, host: PluginHost(transport: NoTransport()))
      var script = IdentityScript()
      try script.play(provider.declaration, of: source)
      let vendor = try await ScriptedIdentityProvider.start(script)
      lines.append(vendor.overview.consoleLine)
      await vendor.stop()
    }
    let entered = lines
    let outcome = try await blocking { [folder] in
      try Program.run(
        ["console", "--plugins", plugins, "--store", "memory:"]
          + entered.flatMap { ["-e", $0] }, in: folder)
    }

    #expect(lines.count >= 50)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
