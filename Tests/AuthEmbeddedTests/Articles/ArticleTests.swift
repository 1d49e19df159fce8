import Foundation
import Testing

@Suite struct `README and the articles on the client` {
  @Test func `show only Swift that is compiled and run here`() throws {
    let snippets = try ArticleText.snippets()
    var unused = Set(snippets)
    for file in try ArticleText.files() {
      let text = try String(contentsOf: file, encoding: .utf8)
      for block in ArticleText.blocks(of: text) where !block.contains(".package(") {
        let pieces = ArticleText.pieces(of: block, among: snippets)
        #expect(pieces != nil, "\(file.lastPathComponent):\n\(block)")
        unused.subtract(pieces ?? [])
      }
    }
    #expect(snippets.count > 15)
    #expect(unused == [], "No article shows these.")
  }

  @Test func `name existing products`() throws {
    let manifest = try String(contentsOf: ArticleText.manifest, encoding: .utf8)
    let client = try String(contentsOf: ArticleText.client, encoding: .utf8)
    let block = try #require(
      ArticleText.blocks(of: client).first { $0.contains(".package(") })
    let products = block.matches(of: /\.product\(name: "(\w+)", package: "authgraph"\)/)
      .map { String($0.1) }
    #expect(products.count == 3)
    for product in products {
      #expect(manifest.contains(".library(name: \"\(product)\""), "\(product)")
    }
  }
}
