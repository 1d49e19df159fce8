import Foundation
import Testing

/// The texts of the repository link to each other and to existing files.
@Suite struct `The documentation's links` {
  private let files = FileManager.default

  @Test func `lead to files and headings that exist`() throws {
    var checked = 0
    for article in try articles() + texts() {
      for target in links(of: article) where !target.contains("://") {
        checked += 1
        #expect(exists(target, from: article), "\(article.path): \(target)")
      }
    }
    #expect(checked > 80)
  }

  @Test func `name articles of the same catalogue`() throws {
    var checked = 0
    for article in try articles() {
      for match in article.prose.joined(separator: "\n").matches(of: /<doc:([A-Za-z0-9]+)/) {
        checked += 1
        #expect(
          files.fileExists(atPath: "\(Program.root)/\(article.folder)/\(match.1).md"),
          "\(article.path): \(match.0)>")
      }
    }
    #expect(checked > 40)
  }

  @Test func `lead from the README to every article`() throws {
    let readme = try Article("README.md")
    let linked = Set(links(of: readme))
    let all = try articles()
    #expect(all.count > 30)
    for article in all { #expect(linked.contains(article.path), "\(article.path)") }
    for path in Self.others { #expect(linked.contains(path), "\(path)") }
  }

  /// Modules of C only wrap a library; every other module is on the map.
  @Test func `lead from the README to every module`() throws {
    let linked = Set(links(of: try Article("README.md")))
    let modules = try files.contentsOfDirectory(atPath: "\(Program.root)/Sources")
      .filter { $0.wholeMatch(of: /C[A-Z].*|\..*/) == nil }
    #expect(modules.count > 20)
    for module in modules { #expect(linked.contains("Sources/\(module)"), "\(module)") }
  }

  /// The texts other than the README that belong to no catalogue.
  private static let others = [
    "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Scripts/policies/README.md",
  ]

  private func texts() throws -> [Article] {
    try (["README.md"] + Self.others).map { try Article($0) }
  }

  /// Returns the articles of all catalogues.
  private func articles() throws -> [Article] {
    try files.contentsOfDirectory(atPath: "\(Program.root)/Sources").sorted().flatMap {
      (module: String) -> [Article] in
      let catalogue = "Sources/\(module)/\(module).docc"
      guard files.fileExists(atPath: "\(Program.root)/\(catalogue)") else { return [] }
      return try files.contentsOfDirectory(atPath: "\(Program.root)/\(catalogue)").sorted()
        .filter { $0.hasSuffix(".md") }.map { try Article("\(catalogue)/\($0)") }
    }
  }

  /// Returns the targets of a text's links and pictures, outside of code.
  private func links(of article: Article) -> [String] {
    article.prose.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "")
      .matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
  }

  private func exists(_ target: String, from article: Article) -> Bool {
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].isEmpty ? article.path : "\(article.folder)/\(parts[0])"
    guard files.fileExists(atPath: "\(Program.root)/\(path)") else { return false }
    guard parts.count == 2 else { return true }
    return (try? Article(path)).map { headings(of: $0).contains(String(parts[1])) } ?? false
  }

  /// Returns the anchors of a text's headings: in lower case, with hyphens for spaces.
  private func headings(of article: Article) -> [String] {
    article.prose.filter { $0.hasPrefix("#") }.map { line in
      line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
        .replacing(" ", with: "-")
    }
  }
}
