import Foundation
import Testing
import TestSupport

/// The remedies for importers and plug-ins that are given in each other's place, or with mistakes.
@Suite struct `A mistake with an importer` {
  private let folder: TemporaryFolder
  private let users: String
  private static let importer = """
    return importer {
      id = "shop", name = "Shop", reads = "ndjson", user = function(row) return { uid = row.id } end,
    }
    """

  init() throws {
    folder = try TemporaryFolder()
    users = try folder.write("users.ndjson", "{\"id\":\"1\"}\n")
  }

  private func imported(_ text: String, _ further: [String] = []) throws -> Program.Outcome {
    let file = try folder.write("shop.lua", text)
    return try Program.run(["import", users, "--with", file] + further, in: folder)
  }

  @Test func `in its file gets the command that reads importers`() throws {
    let outcome = try imported(Self.importer.replacing("name =", with: "nmae ="))
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("authgraph import USERS --with shop.lua --dry-run"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("plugin check"), "\(outcome.errors)")
  }

  @Test func `a provider's file is named as what it is`() throws {
    let outcome = try imported("return provider { id = 'x', name = 'X', kind = 'custom' }")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("a plug-in of a provider, not an importer"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--plugins FOLDER"))
  }

  @Test(arguments: ["check", "test"])
  func `plugin check and test name an importer as what it is`(_ command: String) throws {
    let file = try folder.write("shop.lua", Self.importer)
    let outcome = try Program.run(["plugin", command, file], in: folder)
    #expect(outcome.status == 1)
    let text = outcome.output + outcome.errors
    #expect(text.contains("an importer, not a plug-in of a provider"), "\(text)")
    #expect(text.contains("authgraph import USERS --with shop.lua --dry-run"), "\(text)")
  }

  @Test func `a counterpart whose plug-in is not loaded gets the option that loads it`() throws {
    let outcome = try imported(Self.importer, ["--provider", "chat=absent.example"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("There is no provider"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--plugins FOLDER"), "\(outcome.errors)")
    let left = try imported(Self.importer, ["--provider", "chat=-"])
    #expect(left.status == 0, "\(left.errors)")
  }
}
