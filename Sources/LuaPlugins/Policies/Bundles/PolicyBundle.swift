package import AuthCore
import LuaRuntime

/// The files of a policy: the policy itself, and those that it includes.
///
/// A policy without `include` is its own text. Otherwise the text has all files one after the other, each below a line
/// `--@file NAME`, so that one text is stored, compared and put to use as a whole.
package struct PolicyBundle: Sendable, Hashable {
  /// One file.
  package struct Part: Sendable, Hashable {
    /// The name, relative to the folder of the policy.
    package let name: String
    /// The text, without the line of the name.
    package let text: String
  }

  /// The files; the policy comes first.
  package private(set) var parts: [Part]

  static let mark = "--@file "
  static let mostParts = 20

  /// Takes a stored text apart.
  package init(_ source: PolicySource) {
    guard source.text.hasPrefix(Self.mark) else {
      parts = [Part(name: source.name, text: source.text)]
      return
    }
    parts = []
    var (name, lines): (Substring, [Substring]) = ("", [])
    func finish() -> Part { Part(name: String(name), text: lines.joined(separator: "\n")) }
    for line in source.text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix(Self.mark) else {
        lines.append(line)
        continue
      }
      if !name.isEmpty { parts.append(finish()) }
      (name, lines) = (line.dropFirst(Self.mark.count), [])
    }
    parts.append(finish())
  }

  /// The policy itself.
  var main: Part { parts[0] }

  /// The included files by name.
  var included: [String: String] {
    Dictionary(
      parts.dropFirst().map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the part that an error's script is; nil for the policy itself.
  func includedName(_ script: String?) -> String? {
    guard let script, parts.count > 1 else { return nil }
    return parts.dropFirst().first { $0.name == script }?.name
  }
}

extension PolicySource {
  /// Reads the files that a policy includes, and makes one source of all.
  ///
  /// `read` returns the text of a file of that name in the folder of the policy. Throws `invalid-policy` if a name is
  /// not a plain path below the folder, if files include each other in a circle, or if there are more than 20.
  package func bundled(
    reading read: (_ name: String) throws(AuthError) -> String
  ) throws(AuthError) -> PolicySource {
    guard !text.hasPrefix(PolicyBundle.mark) else { return self }
    var reader = BundleReader(main: name)
    let file = name.split(separator: "/").last.map(String.init) ?? name
    try reader.add(file, text, includedBy: [], read)
    guard reader.parts.count > 1 else { return self }
    let texts = reader.parts.map { "\(PolicyBundle.mark)\($0.name)\n\($0.text)" }
    let whole = texts.joined(separator: "\n")
    guard whole.utf8.count <= LuaSource.mostBytes else {
      throw reader.error("\(name) and its files have more than 1 MiB.")
    }
    return PolicySource(name: name, text: whole)
  }
}

/// Follows the includes of a policy.
private struct BundleReader {
  let main: String
  private(set) var parts: [PolicyBundle.Part] = []

  init(main: String) { self.main = main }

  mutating func add(
    _ name: String, _ text: String, includedBy chain: [String],
    _ read: (String) throws(AuthError) -> String
  ) throws(AuthError) {
    guard !text.split(separator: "\n").contains(where: { $0.hasPrefix(PolicyBundle.mark) }) else {
      throw error("\(name) has a line that begins with \"\(PolicyBundle.mark)\".")
    }
    parts.append(PolicyBundle.Part(name: name, text: text))
    guard parts.count <= PolicyBundle.mostParts else {
      throw error("The policy includes more than \(PolicyBundle.mostParts - 1) files.")
    }
    for other in try includes(of: text, in: name) {
      guard !(chain + [name]).contains(other) else {
        throw error("\(name) includes \(other), which includes \(name).")
      }
      guard !parts.contains(where: { $0.name == other }) else { continue }
      try add(other, try read(other), includedBy: chain + [name], read)
    }
  }

  /// The names that a text includes; an `include` of anything but a text is refused.
  private func includes(of text: String, in file: String) throws(AuthError) -> [String] {
    let tokens = LuaLexer.tokens(of: text)
    var names: [String] = []
    for (index, token) in tokens.enumerated() where token.kind == .name && token.text == "include" {
      // A field or a key of that name is no call.
      let before = index > 0 ? tokens[index - 1].text : ""
      guard before != ".", before != ":" else { continue }
      var next = index + 1
      if next < tokens.count, tokens[next].text == "(" { next += 1 }
      guard next < tokens.count, tokens[next].kind == .text else {
        throw error("\(file):\(token.line): include takes the name of a file between quotes.")
      }
      let name = tokens[next].text
      guard Self.isPlain(name) else {
        throw error("\(file):\(token.line): \"\(name)\" is no file below the policy's folder.")
      }
      names.append(name)
    }
    return names
  }

  private static func isPlain(_ name: String) -> Bool {
    let steps = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 60 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C }
      && !steps.contains { $0.isEmpty || $0.allSatisfy { $0 == "." } }
  }

  func error(_ problem: String) -> AuthError {
    AuthError(
      .invalidPolicy, problem, field: "file",
      remedy:
        "Write include \"shared.lua\" with files beside \(main), each with the name that it is included by.",
      step: .policy)
  }
}
