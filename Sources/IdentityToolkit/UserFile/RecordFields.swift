import AuthCore

/// The members of an object in a record, read by their names; what is null counts as absent.
struct RecordFields {
  private let members: [String: JSONValue]
  /// Where the object stands in the record: names, and places in brackets.
  private let place: [String]

  /// Takes an object that has none but the known members.
  init(_ value: JSONValue, at place: [String], known: [String]) throws(AuthError) {
    guard case .object(let members) = value else {
      throw .mistyped(place.joined(separator: "."), value, "an object")
    }
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      let name = TextBounds.name.cut(unknown)
      throw AuthError(
        .invalidArgument, "The record has an unknown field \"\(name)\".", field: name,
        remedy: suggestion(for: name, among: known))
    }
    self.members = members
    self.place = place
  }

  func path(of name: String) -> String { (place + [name]).joined(separator: ".") }

  func text(_ name: String) throws(AuthError) -> String? {
    guard let value = member(name) else { return nil }
    guard case .string(let text) = value else { throw .mistyped(path(of: name), value, "a text") }
    return text
  }

  func flag(_ name: String) throws(AuthError) -> Bool? {
    guard let value = member(name) else { return nil }
    guard case .bool(let flag) = value else {
      throw .mistyped(path(of: name), value, "true or false")
    }
    return flag
  }

  /// A time in milliseconds, which Firebase writes as a string and other tools as a number.
  func milliseconds(_ name: String) throws(AuthError) -> Timestamp? {
    switch member(name) {
    case nil: return nil
    case .integer(let value): return Timestamp(milliseconds: value)
    case .string(let text):
      if let value = Int64(text) { return Timestamp(milliseconds: value) }
    default: break
    }
    throw AuthError(
      .invalidArgument, "The field \(name) is not a number of milliseconds.", field: name,
      remedy: "Write it as \"1500000000000\".")
  }

  /// Whether there is anything under a name.
  func has(_ name: String) -> Bool { member(name) != nil }

  /// A list of objects, none where it is absent; a longer one is refused before it is looked at.
  func objects(
    _ name: String, atMost limit: Int, known: [String]
  ) throws(AuthError) -> [RecordFields] {
    guard let value = member(name) else { return [] }
    guard case .array(let elements) = value else {
      throw .mistyped(path(of: name), value, "a list")
    }
    guard elements.count <= limit else {
      throw .malformed(
        path(of: name), "has \(elements.count) entries; a record has at most \(limit)")
    }
    var objects: [RecordFields] = []
    for (index, element) in elements.enumerated() {
      objects.append(
        try RecordFields(element, at: place + [name, "[\(index)]"], known: known))
    }
    return objects
  }

  private func member(_ name: String) -> JSONValue? {
    let value = members[name]
    return value == .null ? nil : value
  }
}

extension AuthError {
  /// A record, or a field of one, that cannot be read.
  static func malformed(_ path: String, _ problem: String) -> AuthError {
    AuthError(
      .invalidArgument, "\(path.isEmpty ? "The record" : "The field \(path)") \(problem).",
      field: path.isEmpty ? nil : path, remedy: "Correct the record and import the file again.")
  }

  fileprivate static func mistyped(
    _ path: String, _ value: JSONValue, _ wanted: String
  ) -> AuthError {
    malformed(path, value == .null ? "is null, not \(wanted)" : "is not \(wanted)")
  }
}
