import Foundation
@testable import LuaPlugins
import Testing

@Suite struct ReferenceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private let article = root.appending(
    path: "Sources/LuaPlugins/LuaPlugins.docc/PluginReference.md")

  @Test func `the article is what the one source says`() throws {
    if ProcessInfo.processInfo.environment["AUTHGRAPH_WRITE_REFERENCE"] != nil {
      try PluginWord.markdown.write(to: article, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: article, encoding: .utf8)

    #expect(written == PluginWord.markdown, "AUTHGRAPH_WRITE_REFERENCE=1 writes it anew")
  }

  @Test func `every word that a file can declare is in the reference`() {
    let text = PluginWord.markdown
    for word in PluginDeclaration.words { #expect(text.contains(word), "\(word)") }
  }
}
