import Foundation
import Testing

/// Each library product has a page that leads to its topics.
@Suite struct `The landing pages` {
  /// The products with a page: all libraries except the work that benchmarks measure.
  private static func products() throws -> [String] {
    try Article("Package.swift").text.matches(of: #/\.library\(name: "(\w+)"/#)
      .map { String($0.1) }.filter { $0 != "MeasuredWork" }
  }

  @Test func `are there for every library product, with topics`() throws {
    let products = try Self.products()
    #expect(products.count > 10)
    for product in products {
      let page = try Article("Sources/\(product)/\(product).docc/\(product).md")
      #expect(page.text.hasPrefix("# ``\(product)``\n"), "\(product)")
      #expect(page.prose.contains("## Overview"), "\(product)")
      let topics = page.text.components(separatedBy: "\n## Topics\n").dropFirst()
      #expect(topics.joined().contains("\n- "), "\(product)")
    }
  }

  @Test func `lead to every article of their catalogue`() throws {
    for product in try Self.products() {
      let catalogue = "Sources/\(product)/\(product).docc"
      let page = try Article("\(catalogue)/\(product).md").text
      for name in try FileManager.default.contentsOfDirectory(
        atPath: "\(Program.root)/\(catalogue)") where name.hasSuffix(".md")
      {
        let article = String(name.dropLast(".md".count))
        #expect(article == product || page.contains("- <doc:\(article)>"), "\(product): \(article)")
      }
    }
  }

  /// DocC leaves an article out if a declaration of the module has the name of its file.
  @Test func `name declarations of their module, and no article has the name of one`() throws {
    var checked = 0
    for product in try Self.products() {
      let declared = try declaredNames(in: product)
      let catalogue = "Sources/\(product)/\(product).docc"
      for name in try FileManager.default.contentsOfDirectory(
        atPath: "\(Program.root)/\(catalogue)") where name.hasSuffix(".md")
      {
        let file = String(name.dropLast(".md".count))
        #expect(file == product || !declared.contains(file), "\(catalogue)/\(name)")
        let prose = try Article("\(catalogue)/\(name)").prose.joined(separator: "\n")
        for match in prose.matches(of: #/``([^`]+)``/#) {
          for part in match.1.split(separator: "/") {
            checked += 1
            let word = part.prefix { $0 != "(" }
            #expect(declared.contains(String(word)), "\(catalogue)/\(name): \(match.0)")
          }
        }
      }
    }
    #expect(checked > 200)
  }

  private static let keywords: Set<Substring> = [
    "actor", "case", "class", "enum", "extension", "func", "let", "protocol", "struct", "typealias",
    "var",
  ]

  /// Returns the names that a module declares, its own name, and that of AuthCore, whose types other modules extend.
  private func declaredNames(in module: String) throws -> Set<String> {
    let folder = "\(Program.root)/Sources/\(module)"
    var names: Set<String> = [module, "AuthCore", "init"]
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".swift") {
      let words = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        .split(whereSeparator: \.isWhitespace)
      for (keyword, name) in zip(words, words.dropFirst()) where Self.keywords.contains(keyword) {
        names.insert(String(name.drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber }))
      }
    }
    return names
  }
}
