import AuthCore

/// Reads one object of a fixture; every error names file, scenario and field.
struct FixtureReader {
  let file: String
  let scenario: String
  let json: JSONValue
  let place: String

  init(_ file: String, _ scenario: String, _ json: JSONValue, place: String = "") {
    self.file = file
    self.scenario = scenario
    self.json = json
    self.place = place
  }

  func inner(_ name: String, _ json: JSONValue) -> FixtureReader {
    FixtureReader(file, scenario, json, place: "\(place)\(name).")
  }

  func mistake(
    _ name: String, _ what: String, among names: [String]? = nil, _ given: String = ""
  ) -> AuthError {
    let field = name.isEmpty ? String(place.dropLast()) : place + name
    let scenario = scenario.isEmpty ? "" : ", scenario \"\(scenario)\""
    return AuthError(
      .invalidArgument, "\(file)\(scenario): \(what).", field: field.isEmpty ? nil : field,
      remedy: names.map { suggestion(for: given, among: $0) } ?? "Correct the fixture.")
  }

  func expectNames(_ names: [String]) throws(AuthError) {
    let members = try all()
    guard let unknown = members.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw mistake(unknown, "there is no field \"\(unknown)\" here", among: names, unknown)
  }

  func all() throws(AuthError) -> [String: JSONValue] {
    guard case .object(let members) = json else { throw mistake("", "an object is expected") }
    return members
  }

  func optional(_ name: String) throws(AuthError) -> FixtureReader? {
    guard let member = json[name], member != .null else { return nil }
    let reader = inner(name, member)
    _ = try reader.all()
    return reader
  }

  func required(_ name: String) throws(AuthError) -> FixtureReader {
    guard let reader = try optional(name) else { throw mistake(name, "\(name) is missing") }
    return reader
  }

  func members(_ name: String) throws(AuthError) -> [String: JSONValue] {
    try optional(name)?.all() ?? [:]
  }

  func list(_ name: String) throws(AuthError) -> [JSONValue] {
    switch json[name] {
    case nil: return []
    case .array(let values): return values
    default: throw mistake(name, "\(name) is no list")
    }
  }

  func text(_ name: String) throws(AuthError) -> String? {
    switch json[name] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw mistake(name, "\(name) is no text")
    }
  }

  /// Every member as a text.
  func texts() throws(AuthError) -> [String: String] {
    var texts: [String: String] = [:]
    for (name, value) in try all() {
      guard let text = value.stringValue else { throw mistake(name, "\(name) is no text") }
      texts[name] = text
    }
    return texts
  }

  func time(_ name: String) throws(AuthError) -> Timestamp? {
    guard let text = try text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw mistake(name, "\(name) is no time such as 2026-11-01T12:00:00Z")
    }
    return time
  }
}
