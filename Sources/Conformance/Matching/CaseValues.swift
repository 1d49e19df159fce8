import AuthValues

/// The values of a case's names: those that the runner gives, and those that answers had.
struct CaseValues: Sendable {
  private var values: [String: JSONValue]

  /// The names that every case has.
  static let givenNames: Set<String> = [
    "project", "key", "random", "email", "email2", "email3", "phone", "phone2", "subject",
    "subject2",
  ]

  init(_ values: [String: JSONValue]) {
    self.values = values
  }

  /// Makes addresses, numbers and subjects that no other case has.
  init(project: String, key: String) {
    let random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    let name = RandomText.text(10, alphabet: RandomText.base32, random)
    let phones = Int.random(in: 0..<9_999_998)
    func phone(_ number: Int) -> JSONValue {
      let digits = String(number)
      return .string("+1555" + String(repeating: "0", count: 7 - digits.count) + digits)
    }
    func subject() -> JSONValue { .string("1" + RandomText.digits(17, random)) }
    values = [
      "project": .string(project), "key": .string(key), "random": .string(name),
      "email": .string("conformance-\(name)@example.com"),
      "email2": .string("conformance-\(name)-2@example.com"),
      "email3": .string("conformance-\(name)-3@example.com"),
      "phone": phone(phones), "phone2": phone(phones + 1), "subject": subject(),
      "subject2": subject(),
    ]
  }

  /// The text that is in every name that the case chooses itself.
  var mark: String { values["random"]?.stringValue ?? "" }

  mutating func keep(_ value: JSONValue, as name: String) { values[name] = value }

  /// Returns a value with its names filled in; a name alone keeps its JSON type.
  func filled(_ value: JSONValue) throws(Mismatch) -> JSONValue {
    switch value {
    case .string(let text):
      if case .name(let name)? = CaseTemplate.parts(of: text).first,
        CaseTemplate.parts(of: text).count == 1
      {
        return try self.value(name)
      }
      return .string(try filled(text))
    case .array(let list):
      var filled: [JSONValue] = []
      for entry in list { filled.append(try self.filled(entry)) }
      return .array(filled)
    case .object(let members):
      var filled: [String: JSONValue] = [:]
      for (name, member) in members {
        filled[try self.filled(name)] = try self.filled(member)
      }
      return .object(filled)
    case .null, .bool, .integer, .number: return value
    }
  }

  /// Returns a text with its names filled in, each changed for its place in the text.
  func filled(
    _ text: String, _ change: (String) -> String = { $0 }
  ) throws(Mismatch) -> String {
    var filled = ""
    for part in CaseTemplate.parts(of: text) {
      switch part {
      case .text(let text): filled += text
      case .name(let name):
        let value = try value(name)
        filled += change(value.stringValue ?? value.text)
      }
    }
    return filled
  }

  private func value(_ name: String) throws(Mismatch) -> JSONValue {
    guard let value = values[name] else {
      throw Mismatch(expected: "an earlier answer with ${\(name)}", seen: nil)
    }
    return value
  }
}
