import AuthCore

/// The agreement between a plug-in file and this program: the program's version, and that of the language.
public enum PluginContract {
  /// The version of this program.
  public static let program = "1.0.0"
  /// The newest language of plug-in files.
  public static let api: Int64 = 1

  /// A condition of `requires`, such as `authgraph >= 1.0`.
  struct Requirement: Sendable, Hashable {
    private let comparison: String
    private let version: SemanticVersion

    private static let comparisons = [">=", "<=", ">", "<", "="]

    /// Reads one condition; nil if it is none.
    init?(_ text: some StringProtocol) {
      guard
        let match = String(text).wholeMatch(
          of: /\s*authgraph\s*(>=|<=|>|<|=)\s*([0-9A-Za-z.+-]+)\s*/),
        Self.comparisons.contains(String(match.1)),
        let version = SemanticVersion(short: String(match.2))
      else { return nil }
      comparison = String(match.1)
      self.version = version
    }

    /// Reads conditions with commas between them; nil if one is none.
    static func all(in text: String) -> [Requirement]? {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let read = parts.compactMap { Requirement($0) }
      return read.count == parts.count ? read : nil
    }

    func allows(_ program: SemanticVersion) -> Bool {
      switch comparison {
      case ">=": program >= version
      case "<=": program <= version
      case ">": program > version
      case "<": program < version
      default: program == version
      }
    }
  }

  /// Compares a file with this program.
  ///
  /// - Parameters:
  ///   - api: the file's language.
  ///   - requires: the file's condition, which is ignored if it is not readable.
  ///   - program: the program's version.
  /// - Returns: the reason why the file does not fit; nil if it fits.
  static func misfit(
    api: Int64, requires: String?, program: String = PluginContract.program
  ) -> Misfit? {
    if api > self.api {
      return Misfit(
        field: "api",
        message: "the file is for api \(api), and authgraph \(program) knows api \(self.api)",
        remedy: "Update authgraph, or take a version of the plug-in for api \(self.api).")
    }
    guard let requires, let conditions = Requirement.all(in: requires),
      let version = SemanticVersion(program)
    else { return nil }
    guard !conditions.allSatisfy({ $0.allows(version) }) else { return nil }
    return Misfit(
      field: "requires", message: "the file requires \(requires), and this is authgraph \(program)",
      remedy: "Install a version of authgraph that fits, or another version of the plug-in.")
  }

  /// A field that asks for another program.
  struct Misfit: Hashable {
    let field: String
    let message: String
    let remedy: String
  }

  /// Returns the reason why a text that does not run does not fit this program.
  ///
  /// A newer language may have words that end the file before its declaration is read, so the fields are looked up in
  /// the text.
  static func misfit(ofText text: String) -> Misfit? {
    let tokens = LuaLexer.tokens(of: text)
    var api: Int64 = 1
    var requires: String?
    for (index, token) in tokens.enumerated()
    where token.kind == .name && index + 2 < tokens.count && tokens[index + 1].text == "=" {
      let value = tokens[index + 2]
      if token.text == "api", let number = Int64(value.text) { api = max(api, number) }
      if token.text == "requires", value.kind == .text { requires = value.text }
    }
    return misfit(api: api, requires: requires)
  }
}
