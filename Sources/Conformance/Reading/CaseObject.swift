import AuthValues

/// An object in a file of cases, whose members are all known.
struct CaseObject {
  let members: [String: JSONValue]
  let place: CasePlace

  /// Throws `invalid-argument` for a value that is no object, and for an unknown member.
  init(
    _ value: JSONValue, _ what: String, known: [String], _ place: CasePlace
  ) throws(AuthError) {
    guard case .object(let members) = value else {
      throw place.fault("The \(what) is not an object.", remedy: "Write it in braces.")
    }
    self.members = members
    self.place = place
    guard let unknown = members.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw place.fault(
      "Unknown member \"\(unknown)\" of the \(what).", field: unknown,
      remedy: suggestion(for: unknown, among: known))
  }

  func text(_ name: String) throws(AuthError) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.stringValue, !text.isEmpty else { throw wrong(name, "a text") }
    return text
  }

  func list(_ name: String) throws(AuthError) -> [JSONValue]? {
    guard let value = members[name] else { return nil }
    guard case .array(let list) = value else { throw wrong(name, "a list") }
    return list
  }

  func object(_ name: String) throws(AuthError) -> [String: JSONValue]? {
    guard let value = members[name] else { return nil }
    guard case .object(let object) = value else { throw wrong(name, "an object") }
    return object
  }

  func texts(_ name: String) throws(AuthError) -> [String]? {
    guard let list = try list(name) else { return nil }
    let texts = list.compactMap(\.stringValue)
    guard texts.count == list.count else { throw wrong(name, "a list of texts") }
    return texts
  }

  func number(_ name: String) throws(AuthError) -> Int? {
    guard let value = members[name] else { return nil }
    guard case .integer(let number) = value else { throw wrong(name, "a whole number") }
    return Int(number)
  }

  /// Returns one of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type
  ) throws(AuthError) -> Word? where Word.RawValue == String {
    guard let text = try text(name) else { return nil }
    return try word(text, of: name, type)
  }

  /// Returns the modes that a list names; all without the list.
  func modes() throws(AuthError) -> Set<ConformanceMode> {
    guard let names = try texts("modes") else { return Set(ConformanceMode.allCases) }
    var modes: Set<ConformanceMode> = []
    for name in names {
      modes.insert(try word(name, of: "modes", ConformanceMode.self))
    }
    guard !modes.isEmpty else { throw wrong("modes", "a list of emulator and production") }
    return modes
  }

  private func word<Word: RawRepresentable & CaseIterable>(
    _ text: String, of name: String, _ type: Word.Type
  ) throws(AuthError) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: text) else {
      throw place.fault(
        "\"\(text)\" is no value of \"\(name)\".", field: name,
        remedy: suggestion(for: text, among: type.allCases.map(\.rawValue)))
    }
    return word
  }

  func neededText(_ name: String) throws(AuthError) -> String {
    guard let text = try text(name) else { throw missing(name) }
    return text
  }

  func neededList(_ name: String) throws(AuthError) -> [JSONValue] {
    guard let list = try list(name) else { throw missing(name) }
    return list
  }

  private func missing(_ name: String) -> AuthError {
    place.fault("The member \"\(name)\" is missing.", field: name)
  }

  func wrong(_ name: String, _ type: String) -> AuthError {
    place.fault("The member \"\(name)\" must be \(type).", field: name)
  }
}
