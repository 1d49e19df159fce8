import AuthCore
import Foundation
@testable import LuaPlugins
import Testing
import TestSupport

@Suite struct ReferenceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private let article = root.appending(
    path: "Sources/LuaPlugins/LuaPlugins.docc/PluginReference.md")

  @Test func `the article equals the text of its source`() throws {
    if ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil {
      try PluginWord.markdown.write(to: article, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: article, encoding: .utf8)

    #expect(written == PluginWord.markdown, "AUTHGRAPH_WRITE_REFERENCE=1 writes it anew")
  }

  @Test func `the article's Swift lines work`() throws {
    let transport = ScriptedVendor()
    let builtIn = ProviderRegistry([])
    // Tests run in the root of the package.
    // swift-format-ignore
    let providers = try {
let plugins = PluginSet(host: PluginHost(transport: transport))
try plugins.add(folder: "Plugins")
plugins.scan()
let providers = builtIn.adding(plugins)
      return providers
    }()

    #expect(providers.ids.count > 24)
    let articles = article.deletingLastPathComponent()
    let landing = try String(
      contentsOf: articles.appending(path: "LuaPlugins.md"), encoding: .utf8)
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let blocks = landing.components(separatedBy: "```")
    let snippet = try #require(blocks.first { $0.hasPrefix("swift\n") }).dropFirst("swift\n".count)
    #expect(own.contains(snippet))
  }

  @Test func `every word that a file can declare is in the reference`() {
    let text = PluginWord.markdown
    for word in PluginDeclaration.words { #expect(text.contains(word), "\(word)") }
  }
}
