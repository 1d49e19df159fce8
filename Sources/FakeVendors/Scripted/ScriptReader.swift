import AuthCore

/// Reads one value of a script, and knows its place in the script.
struct ScriptReader {
  let value: JSONValue
  /// The place, such as `people[0].email`; empty for the script itself.
  let place: String
  /// The script's name in errors.
  let source: String

  /// The member of an object; nil if it is missing or null.
  subscript(name: String) -> ScriptReader? {
    guard let member = value[name], member != .null else { return nil }
    return at(place.isEmpty ? name : "\(place).\(name)", member)
  }

  private func at(_ place: String, _ value: JSONValue) -> ScriptReader {
    ScriptReader(value: value, place: place, source: source)
  }

  /// Throws if the value is not an object, or has a member with another name.
  func check(members names: [String]) throws(AuthError) {
    for unknown in try members().map(\.name) where !names.contains(unknown) {
      throw AuthError(
        .invalidArgument,
        "\(source): \(place.isEmpty ? "the script" : place) has no field \"\(unknown)\".",
        field: place.isEmpty ? unknown : "\(place).\(unknown)",
        remedy: suggestion(for: unknown, among: names))
    }
  }

  /// The members of an object, by name.
  func members() throws(AuthError) -> [(name: String, reader: ScriptReader)] {
    guard case .object(let members) = value else { throw wrongType("an object, as { … }") }
    return members.sorted { $0.key < $1.key }.map { member in
      let inner = place.isEmpty ? member.key : "\(place)[\"\(member.key)\"]"
      return (member.key, at(inner, member.value))
    }
  }

  func elements() throws(AuthError) -> [ScriptReader] {
    guard case .array(let elements) = value else { throw wrongType("a list, as [ … ]") }
    return elements.enumerated().map { at("\(place)[\($0.offset)]", $0.element) }
  }

  func text() throws(AuthError) -> String {
    guard case .string(let text) = value, !text.isEmpty else { throw wrongType("a text") }
    return text
  }

  func flag() throws(AuthError) -> Bool {
    guard case .bool(let flag) = value else { throw wrongType("true or false") }
    return flag
  }

  func integer() throws(AuthError) -> Int {
    guard case .integer(let number) = value, let small = Int(exactly: number) else {
      throw wrongType("a whole number")
    }
    return small
  }

  func object() throws(AuthError) -> [String: JSONValue] {
    guard case .object(let members) = value else { throw wrongType("an object, as { … }") }
    return members
  }

  /// The text of a member; nil if it is missing.
  func text(_ name: String) throws(AuthError) -> String? { try self[name]?.text() }

  /// The text of a required member.
  func required(_ name: String) throws(AuthError) -> String {
    guard let text = try text(name) else {
      let missing = place.isEmpty ? name : "\(place).\(name)"
      throw AuthError(
        .invalidArgument, "\(source): \(missing) is missing.", field: missing,
        remedy: "Write a text for it.")
    }
    return text
  }

  /// An error for an unusable value.
  func refusal(_ message: String, remedy: String) -> AuthError {
    AuthError(
      .invalidArgument, "\(source): \(place.isEmpty ? "the script" : place) \(message)",
      field: place.isEmpty ? "script" : place, remedy: remedy)
  }

  private func wrongType(_ wanted: String) -> AuthError {
    refusal("is \(kind).", remedy: "Write \(wanted).")
  }

  private var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string(""): "an empty text"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
