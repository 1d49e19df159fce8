import Foundation
import Testing

/// A deliberately faulty plug-in, whose first lines name the expected findings.
struct FaultyFile: Sendable, CustomTestStringConvertible {
  struct Expectation: Sendable {
    let kind: String
    let text: String
  }

  let path: String
  let expectations: [Expectation]

  var testDescription: String { URL(filePath: path).lastPathComponent }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Faulty").path
  /// The shipped plug-ins.
  static let plugins = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Plugins").path

  /// The plug-in files of a folder, with the lines `-- finds KIND: TEXT` at their beginning.
  static func all(in name: String, _ word: String) throws -> [FaultyFile] {
    let folder = "\(folder)/\(name)"
    return try lua(in: folder).map { path in
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let expectations = text.split(separator: "\n").compactMap { line -> Expectation? in
        guard let match = line.wholeMatch(of: /-- (\w+) ([a-z-]+): (.*)/), match.1 == word else {
          return nil
        }
        return Expectation(kind: String(match.2), text: String(match.3))
      }
      try #require(!expectations.isEmpty, "\(path) says nothing of what is wrong with it")
      return FaultyFile(path: path, expectations: expectations)
    }
  }

  static func named(_ name: String, in folder: String) throws -> String {
    "\(Self.folder)/\(folder)/\(name).lua"
  }

  /// Every Lua file of a folder.
  static func lua(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".lua") }.map { "\(folder)/\($0)" }
  }
}
