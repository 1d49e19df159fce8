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

  /// The text of files one after the other.
  static func text(of parts: [Part]) -> String {
    parts.map { "\(mark)\($0.name)\n\($0.text)" }.joined(separator: "\n")
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
  /// The text of the policy itself, without the files that it includes.
  package var mainText: String { PolicyBundle(self).main.text }

  /// Returns the source with another text of the policy itself, and the same included files.
  package func replacingMain(with text: String) -> PolicySource {
    let parts = PolicyBundle(self).parts
    guard parts.count > 1 || self.text.hasPrefix(PolicyBundle.mark) else {
      return PolicySource(name: name, text: text)
    }
    let main = PolicyBundle.Part(name: parts[0].name, text: text)
    return PolicySource(name: name, text: PolicyBundle.text(of: [main] + parts.dropFirst()))
  }

  /// Reads a policy and the files that it includes, each with `text`, which reads the file at a path.
  package init(
    policy path: String, reading text: (_ path: String) throws(AuthError) -> String
  ) throws(AuthError) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    self = try PolicySource(name: path, text: text(path)).bundled { name throws(AuthError) in
      try text(folder + name)
    }
  }

  /// Reads the policy of a file of this machine, with the files that it includes.
  package init(policyFile path: String) throws(AuthError) {
    try self.init(policy: path) { path throws(AuthError) in
      try LuaSource(file: path, kind: "policy file", code: .invalidPolicy).text
    }
  }

  /// Reads the files that a policy includes, and makes one source of all.
  ///
  /// `read` returns the text of a file of that name in the folder of the policy. Throws `invalid-policy` if a name is
  /// not a plain path below the folder, if files include each other in a circle, or if there are more than 20.
  package func bundled(
    reading read: (_ name: String) throws(AuthError) -> String
  ) throws(AuthError) -> PolicySource {
    guard !text.hasPrefix(PolicyBundle.mark) else { return self }
    var reader = BundleReader(main: name, rules: .policy)
    let file = name.split(separator: "/").last.map(String.init) ?? name
    try reader.add(file, text, includedBy: [], read)
    guard reader.parts.count > 1 else { return self }
    let whole = PolicyBundle.text(of: reader.parts)
    guard whole.utf8.count <= LuaSource.mostBytes else {
      throw reader.error("\(name) and its files have more than 1 MiB.")
    }
    return PolicySource(name: name, text: whole)
  }
}
