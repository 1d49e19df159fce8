import AuthCore

/// Follows the includes of a policy or a plug-in.
struct BundleReader {
  let main: String
  let rules: IncludeRules
  private(set) var parts: [PolicyBundle.Part] = []

  init(main: String, rules: IncludeRules) {
    self.main = main
    self.rules = rules
  }

  mutating func add(
    _ name: String, _ text: String, includedBy chain: [String],
    _ read: (String) throws(AuthError) -> String
  ) throws(AuthError) {
    guard !text.split(separator: "\n").contains(where: { $0.hasPrefix(PolicyBundle.mark) }) else {
      throw error("\(name) has a line that begins with \"\(PolicyBundle.mark)\".")
    }
    parts.append(PolicyBundle.Part(name: name, text: text))
    guard parts.count <= PolicyBundle.mostParts else {
      throw error("The \(rules.kind) includes more than \(PolicyBundle.mostParts - 1) files.")
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
      guard Self.isPlain(name), name.hasPrefix(rules.folder) else {
        throw error("\(file):\(token.line): \"\(name)\" is no file below \(rules.place).")
      }
      names.append(name)
    }
    return names
  }

  static func isPlain(_ name: String) -> Bool {
    let steps = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 60
      && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C }
      && !steps.contains { $0.isEmpty || $0.allSatisfy { $0 == "." } }
  }

  func error(_ problem: String) -> AuthError {
    AuthError(
      rules.code, problem, field: "file",
      remedy:
        "Write include \"\(rules.folder)shared.lua\" with files beside \(main), each with the name that it is included by.",
      step: rules.step)
  }
}

/// The differences between the includes of policies and those of plug-ins.
struct IncludeRules: Sendable {
  let kind: String
  let code: AuthError.Code
  let step: FlowStep?
  /// The beginning of every included name.
  let folder: String
  /// The folder of included files, for messages.
  let place: String

  static let policy = IncludeRules(
    kind: "policy", code: .invalidPolicy, step: .policy, folder: "", place: "the policy's folder")
  static let plugin = IncludeRules(
    kind: "plug-in", code: .invalidPlugin, step: nil, folder: "shared/",
    place: "the folder shared beside the plug-in")
}
