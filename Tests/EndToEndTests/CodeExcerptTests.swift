import Foundation
import Testing
import TestSupport

/// The articles for contributors quote the code that they explain.
@Suite struct `The excerpts in articles for contributors` {
  @Test(arguments: ["AddASetting", "AddAWayToSignIn"])
  func `are in the file that is linked before them`(name: String) throws {
    let excerpts = try excerpts(of: Article("Sources/AuthCore/AuthCore.docc/\(name).md"))
    #expect(excerpts.count > 3)
    for (file, code) in excerpts {
      let lines = lines(of: try Article(file).text)
      #expect(lines.contains(self.lines(of: code)), "\(file):\n\(code)")
    }
  }

  /// Returns each block of Swift with the Swift file that the last link before it leads to.
  private func excerpts(of article: Article) throws -> [(file: String, code: String)] {
    let pieces = article.text.components(separatedBy: "```")
    var file: String?
    var excerpts: [(file: String, code: String)] = []
    for (index, piece) in pieces.enumerated() {
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
