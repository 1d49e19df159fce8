import AuthCore
import LuaRuntime

/// The function `help()`, which prints an overview, or one topic: `help "link"`.
struct HelpLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let help = state.function(named: "help") { call in
      guard let topic = try call.optionalString(1, "topic") else {
        session.output.printed(HelpText.overview)
        return []
      }
      session.output.printed(try text(for: topic))
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
  let forms: [String]
  let about: String

  init(_ name: String, _ forms: [String], _ about: String) {
    self.name = name
    self.forms = forms
    self.about = about
  }

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
