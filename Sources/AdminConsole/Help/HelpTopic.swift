import LuaRuntime

/// An entry of the console's API: a function, a method or a value that scripts see.
///
/// It is the single source of `help`, of the search in it and of the reference in the documentation. The console
/// does not start with a function that has no entry.
struct HelpTopic {
  let name: String
  /// The names of the arguments that the function takes.
  let parameters: [String]
  /// The signature of the function; nil for a topic that is no function.
  let signature: LuaSignature?
  /// Calls as an admin writes them; the first is the most common one.
  let forms: [String]
  /// The description; its first sentence is a summary.
  let about: String

  /// Makes a topic.
  ///
  /// - Parameters:
  ///   - name: the function's name, or that of a field.
  ///   - parameters: the names of the arguments that the function takes, with commas between them; nil for a field.
  ///   - other: the remedy for more arguments than these; nil for the usual one.
  ///   - forms: examples of calls.
  ///   - about: the description.
  init(
    _ name: String, takes parameters: String? = nil, else other: String? = nil,
    _ forms: [String], _ about: String
  ) {
    self.name = name
    let names = parameters?.split(separator: ",").map {
      String($0.trimmingPrefix(while: \.isWhitespace))
    }
    self.parameters = names ?? []
    signature = names.map { LuaSignature(name, $0, else: other) }
    self.forms = forms
    self.about = about
  }

  private static let signatures = Dictionary(
    all.compactMap { topic in topic.signature.map { (topic.name, $0) } },
    uniquingKeysWith: { first, _ in first })

  /// Returns the signature of a function of the API.
  static func signature(of name: String) -> LuaSignature? { signatures[name] }

  /// The name after the last dot or colon: `link` of `account:link`.
  var shortName: String {
    name.split(whereSeparator: { $0 == "." || $0 == ":" }).last.map(String.init) ?? name
  }

  /// The name before the first dot or colon: `account` of `account:link`.
  var group: String { String(name.prefix { $0 != "." && $0 != ":" }) }

  func isAbout(_ topic: String) -> Bool {
    topic == name || topic == shortName || (topic == group && name != shortName)
  }

  var text: String {
    (forms.map { "  \($0)" } + about.split(separator: "\n").map { "      \($0)" })
      .joined(separator: "\n")
  }

  /// The first sentence of the description, in one line.
  var summary: String {
    let line = about.replacing("\n", with: " ")
    return line.firstRange(of: ". ").map { line[..<$0.lowerBound] + "." } ?? line
  }

  /// The name and the summary in one line of a width; nil for no limit.
  func line(nameWidth: Int, width: Int? = 80) -> String {
    let gap = String(repeating: " ", count: max(2, nameWidth + 2 - name.count))
    let line = "  \(name)\(gap)\(summary)"
    guard let width, line.count > width else { return line }
    let words = line.prefix(width - 2)
    return words[..<(words.lastIndex(of: " ") ?? words.endIndex)] + " …"
  }

  /// Returns one line for each topic, with aligned summaries.
  static func lines(_ topics: [HelpTopic]) -> String {
    let width = topics.map(\.name.count).max() ?? 0
    return topics.map { $0.line(nameWidth: width) }.joined(separator: "\n")
  }

  /// Throws if a function has no entry.
  static func check(_ functions: [String]) throws {
    let names = Set(all.map(\.name))
    for function in functions where !names.contains(function) {
      // Another spelling is one of the forms: quit() of exit.
      guard !all.contains(where: { $0.forms.contains("\(function)()") }) else { continue }
      throw LuaError(.setup, "\(function) has no entry in HelpTopic.all")
    }
  }
}
