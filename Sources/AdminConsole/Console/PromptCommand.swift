import TerminalOutput

/// A line at the prompt that is no Lua: `help csv`, `commit`, or a command of psql, IPython or another console.
enum PromptCommand: Equatable {
  case leave
  /// Lua code that means the same.
  case code(String)
  /// A change of the form in which things are shown.
  case change(LookChange)
  /// A command that does not exist, or is written wrongly.
  case refused(String, remedy: String)

  /// Recognises a line; nil if it is Lua.
  init?(_ line: String) {
    let text = line.trimming(while: \.isWhitespace)
    switch text.first {
    case "\\": self.init(backslash: text.split(whereSeparator: \.isWhitespace).map(String.init))
    case "?":
      self = .code(Self.call("help", text.dropFirst().trimming(while: \.isWhitespace)))
    case "=" where !text.hasPrefix("=="):
      let expression = text.dropFirst().trimming(while: \.isWhitespace)
      guard !expression.isEmpty else { return nil }
      self = .code(expression)
    case "h" where text.hasPrefix("help"), "t" where text.hasPrefix("tour"):
      guard
        let line = text.wholeMatch(
          of: /(help|tour)(?:[ \t]+([A-Za-z][A-Za-z0-9 .:_-]*?))?\s*;?/)
      else { return nil }
      self = .code(Self.call(line.1, line.2.map(String.init) ?? ""))
    case "b", "c", "n", "r":
      guard let line = text.wholeMatch(of: /(begin|rehearsal|commit|nevermind)\s*;?/) else {
        return nil
      }
      self = .code(Self.call(line.1, ""))
    default: return nil
    }
  }

  /// Finds the command that begins with a backslash, and the effect of the word behind it.
  private init(backslash words: [String]) {
    guard let command = BackslashCommand.all.first(where: { $0.shown == words[0] }) else {
      let known = BackslashCommand.all.map { command in
        command.about.map { "\(command.shown) (\($0))" } ?? command.shown
      }
      self = .refused(
        "The console has no command \(words[0]).",
        remedy: "It has \(known.joined(separator: ", ")), and otherwise takes Lua: see help().")
      return
    }
    let value = words.count == 2 ? command.values.first { $0.word == words[1] } : nil
    guard let effect = words.count == 1 ? command.effect : value?.effect else {
      let forms = [command.shown] + command.values.map { "\(command.shown) \($0.word)" }
      self = .refused(
        "\(words.joined(separator: " ")) is no command.",
        remedy: "Write \(forms.joined(separator: " or ")).")
      return
    }
    self = effect
  }

  /// Returns the call of a function with a word, or with none if the word is empty.
  private static func call(_ function: Substring, _ word: String) -> String {
    guard !word.isEmpty else { return "\(function)()" }
    let text = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\(function) \"\(text)\""
  }

  /// Returns the name that an input of one line declares with `local`, and that no later input knows.
  static func localName(in code: String) -> String? {
    guard let name = code.wholeMatch(of: /\s*local\s+([A-Za-z_][A-Za-z_0-9]*)\s*(?:=[^;\n]*)?/)
    else {
      return nil
    }
    return name.output.1 == "function" ? nil : String(name.output.1)
  }
}

/// A change of the form in which a console shows things; without a value it switches.
enum LookChange: Hashable, Sendable {
  case expanded(TerminalProfile.RecordLayout?)
  case timing(Bool?)

  /// Makes the change, and returns what holds from now on.
  func callAsFunction(_ look: ConsoleLook) -> String {
    switch self {
    case .expanded(let layout):
      look.records = layout ?? (look.records == .blocks ? .lines : .blocks)
      return switch look.records {
      case .blocks: "Each record is a block."
      case .lines: "Each record is a line."
      case .automatic: "A record is a line if the window is wide enough, otherwise a block."
      }
    case .timing(let isOn):
      look.isTiming = isOn ?? !look.isTiming
      return "Timing is \(look.isTiming ? "on" : "off")."
    }
  }
}

extension StringProtocol {
  /// The text without the characters of a kind at its ends.
  fileprivate func trimming(while belongs: (Character) -> Bool) -> String {
    let start = drop(while: belongs)
    let end = start.lastIndex { !belongs($0) }
    return end.map { String(start[...$0]) } ?? ""
  }
}
