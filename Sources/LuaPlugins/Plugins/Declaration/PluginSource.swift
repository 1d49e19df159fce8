public import AuthCore
import Crypto
import Foundation
import LuaRuntime

/// The text of one plug-in file.
public struct PluginSource: Sendable, Hashable {
  /// What messages call it: the file's name.
  public let name: String
  public let text: String
  /// Where it was read from; nil for a text that is in no file.
  public let path: String?

  /// Takes a text.
  public init(name: String, text: String, path: String? = nil) {
    self.name = name
    self.text = text
    self.path = path
  }

  /// Reads a file, by the rules of `LuaSource`.
  ///
  /// Throws `invalid-plugin` if it cannot be read, or is no text of a script.
  public init(path: String) throws(AuthError) {
    let source = try LuaSource(file: path, kind: "plug-in", code: .invalidPlugin)
    self.init(name: URL(filePath: path).lastPathComponent, text: source.text, path: path)
  }

  /// Names the text itself: the first 12 digits of its SHA-256.
  public var version: String {
    SHA256.hash(data: Array(text.utf8)).prefix(6).hexadecimal
  }

  /// The line that a field such as `identity.subject` is written in; nil where it is not found.
  func line(of field: String) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: Int?
    for name in field.split(separator: ".").map(String.init) {
      let next = lines[(found ?? 0)...].firstIndex { Self.assigns(name, in: $0) }
      guard let next else { break }
      found = next
    }
    return found.map { $0 + 1 }
  }

  private static func assigns(_ name: String, in line: Substring) -> Bool {
    line.ranges(of: name).contains { range in
      let before = line[..<range.lowerBound].last
      let after = line[range.upperBound...].drop { " \t\"']".contains($0) }
      return before.map { !($0.isLetter || $0.isNumber || $0 == "_") } ?? true
        && after.first == "=" && after.dropFirst().first != "="
    }
  }
}

extension AuthError {
  /// The error of a plug-in that cannot be used, with file and line where they are known.
  static func invalidPlugin(
    _ source: PluginSource, line: Int? = nil, _ message: String, field: String? = nil,
    remedy: String? = nil, cause: (any Error)? = nil
  ) -> AuthError {
    let place = line.map { "\(source.name):\($0)" } ?? source.name
    let sentence = message.hasSuffix(".") ? message : "\(message)."
    return AuthError(
      .invalidPlugin, "\(place): \(sentence)", field: field,
      remedy: remedy ?? "Correct the file and try authgraph plugin check \(source.name).",
      cause: cause)
  }
}
