import AuthCore
import LuaRuntime

/// The function `help()`, which prints an overview, or one topic: `help "link"`.
struct HelpLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let help = state.function(named: "help") { call in
      guard let topic = try call.optionalString(1, "topic") else {
        session.output.printed(wrapping: HelpText.overview, unless: session.isInterrupted)
        return []
      }
      session.output.printed(wrapping: try text(for: topic), unless: session.isInterrupted)
      return []
    }
    try state.set("help", to: .function(help))
  }

  private func text(for topic: String) throws -> String {
    if topic == "plug-in language" { return HelpText.language }
    let topics = HelpTopic.all + HelpTopic.language
    let found = topics.filter { $0.isAbout(topic) }
    guard found.isEmpty else { return found.map(\.text).joined(separator: "\n\n") }
    let names = topics.flatMap { [$0.name, $0.shortName] }
    throw AuthError(
      .invalidArgument, "There is no help about \"\(topic)\".", field: "topic",
      remedy: nearestName(to: topic, among: names).map { "Did you mean \"\($0)\"?" }
        ?? "Try help().")
  }
}

/// A topic of the help.
struct HelpTopic {
  let name: String
  /// The names of the arguments that the function takes.
  let parameters: [String]
  /// The signature of the function; nil for a topic that is no function.
  let signature: LuaSignature?
  let forms: [String]
  let about: String

  /// Makes a topic.
  ///
  /// - Parameters:
  ///   - name: the function's name, or that of a field.
  ///   - parameters: the names of the arguments that the function takes, with commas between them; nil for a field.
  ///   - forms: examples of calls.
  ///   - about: the description.
  init(_ name: String, takes parameters: String? = nil, _ forms: [String], _ about: String) {
    self.name = name
    let names = parameters?.split(separator: ",").map {
      String($0.trimmingPrefix(while: \.isWhitespace))
    }
    self.parameters = names ?? []
    signature = names.map { LuaSignature(name, $0) }
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

  func isAbout(_ topic: String) -> Bool {
    let group = name.split(whereSeparator: { $0 == "." || $0 == ":" }).first.map(String.init)
    return topic == name || topic == shortName || (topic == group && name != shortName)
  }

  var text: String {
    (forms.map { "  \($0)" } + about.split(separator: "\n").map { "      \($0)" })
      .joined(separator: "\n")
  }
}
