import AuthCore

/// Values in the notation of Lua, laid out for people.
indirect enum LuaNotation {
  case atom(String)
  /// Named members in this order, or a list if they have no names.
  case table([(name: String?, value: LuaNotation)])

  /// Writes JSON; null is `json.null`.
  init(_ json: JSONValue) {
    switch json {
    case .null: self = .atom("json.null")
    case .bool(let value): self = .atom(value ? "true" : "false")
    case .integer(let value): self = .atom("\(value)")
    case .number(let value): self = .atom("\(value)")
    case .string(let text): self = .atom(Self.quoted(text))
    case .array(let elements): self = .table(elements.map { (nil, Self($0)) })
    case .object(let members):
      self = .table(members.sorted { $0.key < $1.key }.map { ($0.key, Self($0.value)) })
    }
  }

  /// Returns the text on one line if it fits behind what is there, or else with a line for each member.
  func text(indent: Int, behind taken: Int = 0, width: Int = 96) -> String {
    let line = self.line
    guard case .table(let members) = self, indent + taken + line.count > width else { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let lines = members.map { name, value in
      let label = name.map { "\(Self.key($0)) = " } ?? ""
      let text = value.text(indent: indent + 2, behind: label.count + 1, width: width)
      return "\(inner)\(label)\(text),\n"
    }
    return "{\n\(lines.joined())\(String(repeating: " ", count: indent))}"
  }

  private var line: String {
    switch self {
    case .atom(let text): text
    case .table(let members):
      members.isEmpty
        ? "{}"
        : "{ "
          + members.map { name, value in
            (name.map { "\(Self.key($0)) = " } ?? "") + value.line
          }.joined(separator: ", ") + " }"
    }
  }

  private static func key(_ name: String) -> String {
    let isName =
      !name.isEmpty && name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
      && name.utf8.allSatisfy { byte in
        byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
      }
    return isName && !LuaLexer.keywords.contains(name) ? name : "[\(quoted(name))]"
  }

  /// Returns a text in quotes, so that Lua reads the same text and a terminal shows it on one line.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
          quoted += "\\u{\(String(scalar.value, radix: 16))}"
        default: quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }
}
