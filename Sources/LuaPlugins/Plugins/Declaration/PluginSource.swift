public import AuthCore
import Crypto
import Foundation
import LuaRuntime

/// The text of one plug-in file.
public struct PluginSource: Sendable, Hashable {
  /// The file's name, as messages use it.
  public let name: String
  /// The text.
  public let text: String
  /// The path of the file; nil for a text that is in no file.
  public let path: String?

  /// The shared modules that the file includes, each with its name below the file's folder.
  package let modules: [PolicyBundle.Part]

  /// Takes a text, or the text of a file and its modules as ``wholeText`` returns it.
  public init(name: String, text: String, path: String? = nil) {
    let parts = PolicyBundle(PolicySource(name: name, text: text)).parts
    self.init(name: name, text: parts[0].text, path: path, modules: Array(parts.dropFirst()))
  }

  init(name: String, text: String, path: String?, modules: [PolicyBundle.Part]) {
    self.name = name
    self.text = text
    self.path = path
    self.modules = modules
  }

  /// Reads a file by the rules of `LuaSource`, with the modules that it includes, or an installed bundle.
  ///
  /// Throws `invalid-plugin` if a file cannot be read or is not text, or if the bundle is damaged.
  public init(path: String) throws(AuthError) {
    guard !PluginBundle.isOne(path) else {
      self = try PluginBundle(path: path).source(at: path)
      return
    }
    let text = try LuaSource(file: path, kind: "plug-in", code: .invalidPlugin).text
    let name = URL(filePath: path).lastPathComponent
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let modules = try Self.modules(of: text, in: name) { module throws(AuthError) in
      try Self.module(folder + module)
    }
    self.init(name: name, text: text, path: path, modules: modules)
  }

  /// The text with its modules, as servers share it.
  public var wholeText: String {
    guard !modules.isEmpty else { return text }
    return PolicyBundle.text(of: [PolicyBundle.Part(name: "plugin.lua", text: text)] + modules)
  }

  /// The version of the text and its modules: the first 12 hex digits of its SHA-256.
  public var version: String {
    SHA256.hash(data: Array(wholeText.utf8)).prefix(6).hexadecimal
  }

  /// The line that sets a field such as `identity.subject`; nil if it is not found.
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
  /// The error of an unusable plug-in, with file and line if they are known.
  static func invalidPlugin(
    _ source: PluginSource, line: Int? = nil, _ message: String, field: String? = nil,
    remedy: String? = nil, cause: (any Error)? = nil
  ) -> AuthError {
    let place = line.map { "\(source.name):\($0)" } ?? source.name
    let isSentence = message.last.map { ".?!".contains($0) } ?? false
    let sentence = isSentence ? message : "\(message)."
    return AuthError(
      .invalidPlugin, "\(place): \(sentence)", field: field,
      remedy: remedy ?? "Correct the file and try authgraph plugin check \(source.name).",
      cause: cause)
  }
}
