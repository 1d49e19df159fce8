import AuthCore

/// One condition of a filter in a path: a member that has to equal a text, a whole number or a boolean.
///
/// The comparison is strict: the text "true" and the number 1 are not the boolean true.
struct PathCondition: Sendable, Hashable {
  let name: String
  let value: JSONValue

  private static let mostConditions = 8

  /// Parses the rest of `[primary=true, type="work"]` after its bracket; nil, without a change, if it is malformed.
  static func conditions(_ rest: inout ArraySlice<UInt8>) -> [PathCondition]? {
    var reading = rest
    var conditions: [PathCondition] = []
    repeat {
      skipSpaces(&reading)
      guard let name = PluginPath.plainName(&reading) else { return nil }
      skipSpaces(&reading)
      guard take("=", &reading) else { return nil }
      skipSpaces(&reading)
      guard let value = value(&reading) else { return nil }
      skipSpaces(&reading)
      conditions.append(PathCondition(name: name, value: value))
    } while take(",", &reading)
    guard take("]", &reading), conditions.count <= mostConditions else { return nil }
    rest = reading
    return conditions
  }

  private static func value(_ rest: inout ArraySlice<UInt8>) -> JSONValue? {
    for quote in ["\"", "'"] as [Character] where take(quote, &rest) {
      let text = rest.prefix { $0 != quote.asciiValue }
      rest = rest.dropFirst(text.count)
      guard take(quote, &rest) else { return nil }
      return .string(String(decoding: text, as: UTF8.self))
    }
    let word = rest.prefix { !", ]".utf8.contains($0) }
    rest = rest.dropFirst(word.count)
    switch String(decoding: word, as: UTF8.self) {
    case "true": return true
    case "false": return false
    case let number: return Int64(number).map { .integer($0) }
    }
  }

  private static func take(_ character: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let byte = rest.first, byte == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  private static func skipSpaces(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
  }
}

extension [PathCondition] {
  /// Tells whether an element of a list meets every condition.
  func areMet(by element: JSONValue) -> Bool {
    allSatisfy { condition in element[condition.name]?.isExactly(condition.value) == true }
  }

  /// The conditions as a path writes them, without spaces.
  var text: String { map { "\($0.name)=\($0.value.text)" }.joined(separator: ", ") }
}

extension JSONValue {
  /// Tells whether two values have the same type and content; texts are compared byte by byte.
  func isExactly(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let text), .string(let wanted)): text.isExactly(wanted)
    default: self == other
    }
  }
}
