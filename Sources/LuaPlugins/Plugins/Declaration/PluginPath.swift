import AuthCore

/// A path to a value in a vendor's answer, written as in Lua: `data.id`, `images[1].url`, `["a.b"]`.
///
/// A filter takes the first element of a list that meets all its conditions: `emails[primary=true].email`.
struct PluginPath: Sendable, Hashable, CustomStringConvertible {
  enum Step: Sendable, Hashable {
    case name(String)
    /// A position, counted from 1 as in Lua.
    case position(Int)
    /// The first element of a list that meets all conditions.
    case filter([PathCondition])
  }

  let steps: [Step]
  let description: String

  /// Parses a path; nil if it is malformed.
  ///
  /// The parser is written by hand: scripts parse a path for every value that they read, and each use of a regular
  /// expression would build it again.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    var steps: [Step] = []
    while let byte = rest.first {
      let step: Step?
      if byte == UInt8(ascii: "[") {
        step = Self.bracket(&rest, isFirst: steps.isEmpty)
      } else {
        if byte == UInt8(ascii: ".") {
          guard !steps.isEmpty else { return nil }
          rest.removeFirst()
        } else if !steps.isEmpty {
          return nil
        }
        step = Self.name(&rest)
      }
      guard let step else { return nil }
      steps.append(step)
    }
    guard !steps.isEmpty else { return nil }
    self.steps = steps
    description = text
  }

  /// Parses `[1]`, or a name in quotes: `["a.b"]`.
  private static func bracket(_ rest: inout ArraySlice<UInt8>, isFirst: Bool) -> Step? {
    rest.removeFirst()
    guard let quote = rest.first else { return nil }
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      rest.removeFirst()
      let name = rest.prefix { $0 != quote }
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, rest.starts(with: [quote, UInt8(ascii: "]")]) else { return nil }
      rest = rest.dropFirst(2)
      return .name(String(decoding: name, as: UTF8.self))
    }
    if let conditions = PathCondition.conditions(&rest) { return .filter(conditions) }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard !isFirst, digits.count <= 6, let position = Int(String(decoding: digits, as: UTF8.self)),
      position > 0, rest.first == UInt8(ascii: "]")
    else { return nil }
    rest.removeFirst()
    return .position(position)
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) -> Step? {
    plainName(&rest).map { .name($0) }
  }

  /// Parses a name without quotes.
  static func plainName(_ rest: inout ArraySlice<UInt8>) -> String? {
    let isLetter = { (byte: UInt8) in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard let first = rest.first, isLetter(first) else { return nil }
    let name = rest.prefix { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    rest = rest.dropFirst(name.count)
    return String(decoding: name, as: UTF8.self)
  }

  /// The value at the end of the path; nil if a step is missing or the value is null.
  func value(in json: JSONValue) -> JSONValue? {
    var value = json
    for step in steps {
      switch (step, value) {
      case (.name(let name), .object(let members)):
        guard let member = members[name] else { return nil }
        value = member
      case (.position(let position), .array(let elements)):
        guard elements.indices.contains(position - 1) else { return nil }
        value = elements[position - 1]
      case (.filter(let conditions), .array(let elements)):
        guard let element = elements.first(where: { conditions.areMet(by: $0) }) else { return nil }
        value = element
      default: return nil
      }
    }
    return value == .null ? nil : value
  }
}
