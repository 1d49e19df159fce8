import AuthCore

/// The fields of a table that an importer's function returned, read by name and type.
struct ImportedFields {
  private let members: [String: JSONValue]
  private let place: String

  init(
    _ members: [String: JSONValue], _ place: String, among names: [String]
  ) throws(AuthError) {
    if let unknown = members.keys.filter({ !names.contains($0) }).min() {
      throw .refusedRow(
        "A \(place) has no \"\(TextBounds.name.cut(unknown))\".", field: unknown,
        remedy: suggestion(for: unknown, among: names))
    }
    self.members = members
    self.place = place
  }

  /// A value; nil if it is absent.
  subscript(name: String) -> JSONValue? { members[name].flatMap { $0 == .null ? nil : $0 } }

  func missing(_ name: String) -> AuthError {
    .refusedRow(
      "An entry of \(place) has no \(name).", field: "\(place).\(name)",
      remedy: "Correct the row, or leave it out.")
  }

  /// A text that is not empty.
  func text(_ name: String) throws(AuthError) -> String? {
    switch self[name] {
    case nil, .string("")?: return nil
    case .string(let text)?: return text
    default: throw mistyped(name, "a text")
    }
  }

  /// A text, or a whole number that every reader holds exactly.
  ///
  /// Programs round larger numbers, and a rounded one would be another person's.
  func name(_ name: String) throws(AuthError) -> String? {
    switch self[name] {
    case .integer(let number)? where number.magnitude <= 1 << 53: return String(number)
    case .integer?, .number?:
      throw .refusedRow(
        "\(name) is a number that cannot be held exactly.", field: name,
        remedy: "Export it as a text.")
    default: return try text(name)
    }
  }

  func flag(_ name: String) throws(AuthError) -> Bool? {
    switch self[name] {
    case nil: return nil
    case .bool(let flag)?: return flag
    default: throw mistyped(name, "true or false")
    }
  }

  /// A time in milliseconds since 1970, given as such or as a text in the forms of RFC 3339 and PostgreSQL.
  func time(_ name: String) throws(AuthError) -> Int64? {
    switch self[name] {
    case nil, .string("")?: return nil
    case .integer(let number)?: return number
    case .number(let number)? where Int64(exactly: number.rounded()) != nil:
      return Int64(number.rounded())
    case .string(let text)?:
      // PostgreSQL writes +00 for an offset of whole hours.
      let isShort = text.wholeMatch(of: /.*:[0-9.]+[+\-][0-9]{2}/) != nil
      if let time = Timestamp(rfc3339: isShort ? "\(text):00" : text) { return time.milliseconds }
    default: break
    }
    throw mistyped(name, "a time in milliseconds or in RFC 3339")
  }

  func object(_ name: String) throws(AuthError) -> JSONValue? {
    switch self[name] {
    case nil: return nil
    case .object(let members)?: return members.isEmpty ? nil : .object(members)
    default: throw mistyped(name, "a table of names")
    }
  }

  /// The tables of a list; an absent list is empty.
  func list(_ name: String, among names: [String]) throws(AuthError) -> [ImportedFields] {
    let entries: [JSONValue]
    switch self[name] {
    case nil: return []
    // In Lua, an empty list and an empty table are the same.
    case .object(let members)? where members.isEmpty: return []
    case .array(let list)?: entries = list
    default: throw mistyped(name, "a list")
    }
    var tables: [ImportedFields] = []
    for entry in entries {
      guard case .object(let members) = entry else { throw mistyped(name, "a list of tables") }
      tables.append(try ImportedFields(members, name, among: names))
    }
    return tables
  }

  private func mistyped(_ name: String, _ wanted: String) -> AuthError {
    .refusedRow(
      "\(name) is not \(wanted).", field: name, remedy: "Have the importer return \(wanted).")
  }
}
