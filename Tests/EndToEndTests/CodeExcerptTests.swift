import Foundation
import Testing
import TestSupport

/// Articles for contributors and landing pages quote code that tests compile and run.
@Suite struct `The excerpts of code in articles` {
  private static let articles =
    ["AddASetting", "AddAWayToSignIn"].map { "Sources/AuthCore/AuthCore.docc/\($0).md" }
    + [
      "AuthTesting", "BuiltInProviders", "IdentityToolkit", "PluginKit", "PostgresStore",
      "SQLiteStore",
    ].map { "Sources/\($0)/\($0).docc/\($0).md" }

  @Test(arguments: articles)
  func `are in the file that is linked before them`(path: String) throws {
    let excerpts = try excerpts(of: Article(path))
    #expect(!excerpts.isEmpty)
    for (file, code) in excerpts {
      let text = lines(of: try Article(file).text)
      #expect(text.contains(lines(of: code)), "\(file):\n\(code)")
    }
  }

  /// Returns each block of Swift with the Swift file that the last link before it leads to.
  private func excerpts(of article: Article) throws -> [(file: String, code: String)] {
    var file: String?
    var excerpts: [(file: String, code: String)] = []
    for (index, piece) in article.text.components(separatedBy: "```").enumerated() {
      if index.isMultiple(of: 2) {
        file = piece.matches(of: #/\]\(([^)\s]+\.swift)\)/#).last.map { String($0.1) } ?? file
      } else if piece.hasPrefix("swift\n") {
        let path = "\(article.folder)/\(try file.unwrapped("link before the code"))"
        excerpts.append((path, String(piece.dropFirst("swift\n".count))))
      }
    }
    return excerpts
  }

  /// Returns the lines without their indentation; empty lines at both ends are left out.
  private func lines(of text: String) -> [String] {
    text.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
