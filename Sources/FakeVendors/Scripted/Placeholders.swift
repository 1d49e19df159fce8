import AuthCore

/// Finds and fills `{name}` in the texts of a JSON value.
enum Placeholders {
  /// The placeholders that every person has, even without a value.
  static let names = ["subject", "email", "emailVerified", "name", "picture"]

  private enum Part: Hashable {
    case text(String)
    case placeholder(String)
  }

  /// The values of a person's placeholders.
  static func values(of person: FakePerson) -> [String: JSONValue] {
    let known: [String: JSONValue] = [
      "subject": .string(person.subject), "email": .optional(person.email),
      "emailVerified": person.emailVerified.map { .bool($0) } ?? .null,
      "name": .optional(person.name), "picture": .optional(person.picture),
    ]
    return known.merging(person.claims) { known, _ in known }
  }

  /// The values of a person's placeholders in the answers of a played vendor, whose names may have two parts and whose
  /// subjects may be numbers.
  static func playedValues(of person: FakePerson) -> [String: JSONValue] {
    let words = person.name?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    let parts: [String: JSONValue] = [
      "subjectNumber": Int64(person.subject).map { .integer($0) } ?? .string(person.subject),
      "givenName": .optional(words.first),
      "familyName": .optional(words.count > 1 ? words[1] : nil),
    ]
    return values(of: person).merging(parts) { known, _ in known }
  }

  /// The placeholders in a value.
  static func used(in value: JSONValue) -> [String] {
    switch value {
    case .string(let text):
      parts(of: text).compactMap { part in
        if case .placeholder(let name) = part { name } else { nil }
      }
    case .array(let elements): elements.flatMap(used)
    case .object(let members): members.sorted { $0.key < $1.key }.flatMap { used(in: $0.value) }
    default: []
    }
  }

  static func fill(_ value: JSONValue, with values: [String: JSONValue]) -> JSONValue {
    switch value {
    case .string(let text): fill(text, with: values)
    case .array(let elements): .array(elements.map { fill($0, with: values) })
    case .object(let members): .object(members.mapValues { fill($0, with: values) })
    default: value
    }
  }

  private static func fill(_ text: String, with values: [String: JSONValue]) -> JSONValue {
    let parts = parts(of: text)
    if parts.count == 1, case .placeholder(let name) = parts[0] { return values[name] ?? .null }
    let texts = parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let name): inText(values[name] ?? .null)
      }
    }
    return .string(texts.joined())
  }

  private static func inText(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    default: value.text
    }
  }

  /// Splits a text into parts; a brace that begins no name is plain text.
  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let first = rest.first {
      if rest.hasPrefix("{{") {
        plain.append("{")
        rest = rest.dropFirst(2)
      } else if let match = rest.prefixMatch(of: /\{([A-Za-z_][A-Za-z0-9_.:\/-]*)\}/) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.placeholder(String(match.output.1)))
        rest = rest[match.range.upperBound...]
      } else {
        plain.append(first)
        rest = rest.dropFirst()
      }
    }
    return plain.isEmpty ? parts : parts + [.text(plain)]
  }
}
