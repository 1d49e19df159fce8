import Foundation
import Testing

/// The sources of AuthClient as far as they concern Objective-C, read as text, because other platforms do not compile
/// them.
struct ObjectiveCSources {
  /// A source file.
  struct File {
    let name: String
    let text: String
    var lines: [String] { text.components(separatedBy: "\n") }
    /// The lines without their indentation.
    var code: [String] { lines.map { String($0.drop { $0 == " " }) } }
  }

  /// The start of a part for Apple's platforms.
  static let condition = "#if canImport(ObjectiveC)"

  /// The files that hold names of members.
  let names: [File]
  /// All other files.
  let rest: [File]

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/AuthClient")
    let paths = try #require(FileManager.default.enumerator(atPath: root.path))
    var files: [File] = []
    for case let path as String in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      files.append(File(name: path, text: text))
    }
    names = files.filter { $0.name.hasPrefix("ObjectiveC/") }
    rest = files.filter { !$0.name.hasPrefix("ObjectiveC/") }
  }

  /// The Objective-C names of types, by their names in Swift.
  var types: [String: String] {
    var types: [String: String] = [:]
    for code in rest.map(\.code) {
      for (index, line) in code.enumerated() where line == Self.condition && index + 3 < code.count
      {
        let words = code[index + 3].components(separatedBy: CharacterSet.alphanumerics.inverted)
        let kind = words.firstIndex { ["class", "protocol", "enum"].contains($0) }
        guard let kind, kind + 1 < words.count else { continue }
        types[words[kind + 1]] = Self.name(in: code[index + 1])
      }
    }
    return types
  }

  /// The names of members, by the Objective-C name of their type.
  ///
  /// A property that can be set has the name of its setter too.
  func members() throws -> [String: Set<String>] {
    let types = types
    var members = Dictionary(uniqueKeysWithValues: types.values.map { ($0, Set<String>()) })
    for file in names {
      var (type, name) = ("", "")
      for line in file.code {
        if line.hasPrefix("extension ") {
          let swiftName = line.dropFirst("extension ".count).prefix { $0 != " " }
          type = try #require(types[String(swiftName)], "\(file.name): \(line)")
        }
        if let found = Self.name(in: line) { name = found }
        if line.contains("public ") && (line.contains(" func ") || line.contains(" var ")) {
          members[type]?.insert(line.contains(" static ") ? "+\(name)" : name)
        } else if line.contains("convenience init") {
          members[type]?.insert(name)
        } else if line.hasPrefix("set {") {
          members[type]?.insert("set\(name.prefix(1).uppercased())\(name.dropFirst()):")
        }
      }
    }
    return members
  }

  /// The name in an attribute; nil if a line has none.
  static func name(in line: String) -> String? {
    line.firstRange(of: "@objc(").map { String(line[$0.upperBound...].prefix { $0 != ")" }) }
  }
}
