import Foundation
public import Testing

/// Expects that the blocks of Swift in an article are the text of a file, letter by letter.
///
/// Both paths begin at the root of the repository.
public func expectArticle(
  _ article: String, shows file: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let root = URL(filePath: #filePath).appending(path: "../../..").standardized
  let text = try String(contentsOf: root.appending(path: article), encoding: .utf8)
  let code = try String(contentsOf: root.appending(path: file), encoding: .utf8)
  let blocks = text.components(separatedBy: "```swift\n").dropFirst()
    .map { $0.components(separatedBy: "\n```")[0] }
  #expect(blocks.joined(separator: "\n\n") + "\n" == code, sourceLocation: sourceLocation)
}
