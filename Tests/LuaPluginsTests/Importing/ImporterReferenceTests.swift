import Foundation
@testable import LuaPlugins
import Testing

@Suite struct `The article about importers` {
  private let article: String

  init() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    article = try String(
      contentsOf: root.appending(
        path: "Sources/LuaPlugins/LuaPlugins.docc/ImportingFromAnotherSystem.md"),
      encoding: .utf8)
  }

  @Test func `names every field of a declaration and of a user`() {
    for name in ImporterDeclaration.names + ImportedUser.names {
      let spellings = ["`\(name)`", "`\(name) =", "\(name),", "\(name) }"]
      #expect(spellings.contains { article.contains($0) }, "\(name)")
    }
  }

  @Test func `names every form of a file`() {
    for form in ImporterDeclaration.forms { #expect(article.contains("\"\(form)\"")) }
  }

  @Test func `every importer that ships is in it, and can be read`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Importers").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files.count >= 5)
    for file in files {
      #expect(article.contains("`Importers/\(file)`"))
      let importer = try Importer(path: folder.appending(path: file).path)
      #expect(file == "\(importer.declaration.id).lua")
      #expect(
        importer.declaration.providers["google"] != nil
          || importer.declaration.providers.values.contains("google.com"))
    }
  }
}
