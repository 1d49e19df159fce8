import Foundation

/// The texts that show Swift, and the tested snippets that they may show.
enum ArticleText {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized
  private static let catalogues = ["AuthClient", "AuthEmbedded", "AuthServer"].map {
    root.appending(path: "Sources/\($0)/\($0).docc")
  }

  static let manifest = root.appending(path: "Package.swift")
  static let readme = root.appending(path: "README.md")
  /// The first article of AuthClient's catalogue.
  static let client = catalogues[0].appending(path: "AuthClient.md")

  /// Returns README and every article of AuthClient, AuthEmbedded and AuthServer.
  static func files() throws -> [URL] {
    let articles = try catalogues.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return [readme]
      + articles.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
  }

  /// Returns the blocks of Swift in a text.
  static func blocks(of text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
  }

  /// Returns the snippets between the marks in the files beside and below this one, without indentation.
  static func snippets() throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix("Snippets.swift") }
      .flatMap { try snippets(in: String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  private static func snippets(in code: String) -> [String] {
    var snippets: [String] = []
    var open: [String]?
    for line in code.components(separatedBy: "\n") {
      let words = line.trimmingCharacters(in: .whitespaces)
      if words.hasPrefix("// snippet: ") {
        open = []
      } else if words == "// end", let lines = open {
        snippets.append(flush(lines))
        open = nil
      } else {
        open?.append(line)
      }
    }
    return snippets
  }

  private static func flush(_ lines: [String]) -> String {
    let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min()
    return lines.map { String($0.dropFirst(indentation ?? 0)) }.joined(separator: "\n")
      .trimmingCharacters(in: .newlines)
  }

  /// Returns the snippets that a block consists of, in order; nil if it contains anything else.
  static func pieces(of block: String, among snippets: [String]) -> [String]? {
    let rest = block.trimmingCharacters(in: .newlines)
    if rest.isEmpty { return [] }
    for snippet in snippets where rest == snippet || rest.hasPrefix(snippet + "\n") {
      let others = pieces(of: String(rest.dropFirst(snippet.count)), among: snippets)
      if let others { return [snippet] + others }
    }
    return nil
  }
}
