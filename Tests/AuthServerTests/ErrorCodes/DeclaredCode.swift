import AuthCore
import Foundation

/// An error code as its source file declares and documents it.
struct DeclaredCode: Sendable {
  let code: AuthError.Code
  /// The summary of the declaration's documentation.
  let meaning: String
  /// The documentation of the extension that declares the code.
  let group: String

  /// The root of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// Every declared code, in the order of the file.
  static let all: [DeclaredCode] = {
    let file = root.appending(path: "Sources/AuthValues/Errors/AuthErrorCode.swift")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return read(text)
  }()

  private static func read(_ text: String) -> [DeclaredCode] {
    var declared: [DeclaredCode] = []
    var (group, comment) = ("", [Substring]())
    // A declaration may continue on the next line.
    for line in text.replacing(/Self\(\n\s*/, with: "Self(").split(separator: "\n") {
      let words = line.drop(while: \.isWhitespace)
      if words.hasPrefix("///") {
        comment.append(words.dropFirst(3).drop(while: \.isWhitespace))
        continue
      }
      if line.hasPrefix("extension AuthError.Code") { group = summary(comment) }
      if let name = words.firstMatch(of: /static let \w+ = Self\("([a-z-]+)"\)/)?.1 {
        declared.append(
          DeclaredCode(
            code: AuthError.Code(String(name)), meaning: summary(comment), group: group))
      }
      comment = []
    }
    return declared
  }

  /// Returns the first paragraph, with code instead of symbol links.
  private static func summary(_ comment: [Substring]) -> String {
    comment.prefix { !$0.isEmpty }.joined(separator: " ")
      .replacing(/``([^`]+)``/) { "`\($0.1.replacing("/", with: "."))`" }
  }
}
