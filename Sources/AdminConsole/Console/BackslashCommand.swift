import TerminalOutput

/// A command of the prompt that begins with a backslash, as psql has them: `\d`, `\x`.
struct BackslashCommand: Sendable {
  /// The name without its backslash.
  let name: String
  /// The subject of the command in a word; nil if the name says it.
  let about: String?
  /// The effect of the command alone.
  let effect: PromptCommand
  /// The words that may follow the name, with the effect of each.
  let values: [(word: String, effect: PromptCommand)]

  init(
    _ name: String, about: String? = nil, _ effect: PromptCommand,
    values: [(word: String, effect: PromptCommand)] = []
  ) {
    (self.name, self.about, self.effect, self.values) = (name, about, effect, values)
  }

  static let all = [
    BackslashCommand("q", .leave),
    BackslashCommand("d", about: "accounts", .code("accounts.find { limit = 20 }")),
    BackslashCommand("l", about: "providers", .code("providers.list()")),
    BackslashCommand(
      "x", about: "lines or blocks", .change(.expanded(nil)),
      values: TerminalProfile.RecordLayout.allCases.map { ($0.rawValue, .change(.expanded($0))) }),
    BackslashCommand(
      "timing", .change(.timing(nil)),
      values: [("on", .change(.timing(true))), ("off", .change(.timing(false)))]),
    BackslashCommand("h", about: "help", .code("help()")),
    BackslashCommand("?", about: "help", .code("help()")),
  ]

  /// The name with its backslash.
  var shown: String { "\\\(name)" }
}
