import AuthCore

/// The members of an object in a record, read by name.
///
/// Null and empty texts count as absent.
///
/// A file is read strictly: a field of another type or with an unknown name is an error of the file. A request is read
/// as Firebase's servers do: names may be in snake_case, numbers are accepted as text, and unknown fields are ignored.
struct RecordFields {
  /// The strictness with which a record is read.
  enum Form {
    case file, request
  }

  /// The known members.
  struct Names {
    let taken: [String]
    /// The members that other systems write and accounts do not keep.
    var skipped: [String] = []
  }

  private let members: [String: JSONValue]
  let form: Form
  /// The path of the object in the record: names, and indexes in brackets.
  private let place: [String]
  /// The members that are known and not kept, in alphabetical order.
  let skipped: [String]

  /// Takes an object; in a file it must have only known members.
  init(
    _ value: JSONValue, at place: [String], as form: Form, known names: Names
  ) throws(AuthError) {
    guard case .object(let members) = value else {
      throw .mistyped(place.joined(separator: "."), value, "an object")
    }
    self.form = form
    self.place = place
    guard form == .file else {
      self.members = Dictionary(
        members.map { ($0.key.camelCased, $0.value) }, uniquingKeysWith: { first, _ in first })
      skipped = []
      return
    }
    let known = names.taken + names.skipped
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      let name = TextBounds.name.cut(unknown)
      throw AuthError(
        .invalidArgument, "The record has an unknown field \"\(name)\".", field: name,
        remedy: suggestion(for: name, among: known))
    }
    self.members = members
    skipped = names.skipped.filter { name in members[name].map { $0 != .null } ?? false }.sorted()
  }

  func path(of name: String) -> String { (place + [name]).joined(separator: ".") }

  /// A text that is not empty.
  func text(_ name: String) throws(AuthError) -> String? {
    switch member(name) {
    case nil, .string("")?: return nil
    case .string(let text)?: return text
    case .integer(let number)? where form == .request: return String(number)
    case .number(let number)? where form == .request: return "\(number)"
    case let value?: throw .mistyped(path(of: name), value, "a text")
    }
  }

  func flag(_ name: String) throws(AuthError) -> Bool? {
    switch member(name) {
    case nil: return nil
    case .bool(let flag)?: return flag
    case .string("true")? where form == .request: return true
    case .string("false")? where form == .request: return false
    case let value?: throw .mistyped(path(of: name), value, "true or false")
    }
  }

  /// Reads a time in milliseconds, which Firebase writes as a string and other tools as a number.
  ///
  /// Throws if the value is no such number, or lies before 1970 or after the year 9999.
  func milliseconds(_ name: String) throws(AuthError) -> Timestamp? {
    let number: Int64?
    switch member(name) {
    case nil, .string("")?: return nil
    case .integer(let value)?: number = value
    case .number(let value)?: number = form == .request ? Int64(exactly: value) : nil
    case .string(let text)?: number = Int64(text)
    default: number = nil
    }
    guard let number else {
      throw AuthError(
        .invalidArgument, "The field \(name) is not a number of milliseconds.", field: name,
        remedy: "Write it as \"1500000000000\".")
    }
    guard (0...Self.lastMillisecond).contains(number) else {
      throw AuthError(
        .invalidArgument, "The field \(name) is no time between the years 1970 and 9999.",
        field: name, remedy: "Write milliseconds since 1970, such as \"1500000000000\".")
    }
    return Timestamp(milliseconds: number)
  }

  /// The last millisecond of the year 9999; RFC 3339 cannot express later times.
  private static let lastMillisecond: Int64 = 253_402_300_799_999

  /// Returns the value of a member; nil for null.
  func value(_ name: String) -> JSONValue? { member(name) }

  /// Returns an object; nil if it is absent.
  func object(_ name: String, known names: Names) throws(AuthError) -> RecordFields? {
    guard let value = member(name) else { return nil }
    return try RecordFields(value, at: place + [name], as: form, known: names)
  }

  /// Returns a list of objects, empty if it is absent.
  ///
  /// A list over the limit is refused before its elements are read.
  func objects(
    _ name: String, atMost limit: Int, known names: Names
  ) throws(AuthError) -> [RecordFields] {
    guard let value = member(name) else { return [] }
    guard case .array(let elements) = value else {
      throw .mistyped(path(of: name), value, "a list")
    }
    guard elements.count <= limit else {
      let path = path(of: name)
      throw form == .file
        ? .malformed(path, "has \(elements.count) entries; a record has at most \(limit)")
        : AuthError(
          .invalidArgument, "\(path) has more than \(limit) entries.", field: path,
          remedy: "Send fewer.")
    }
    var objects: [RecordFields] = []
    for (index, element) in elements.enumerated() {
      objects.append(
        try RecordFields(element, at: place + [name, "[\(index)]"], as: form, known: names))
    }
    return objects
  }

  private func member(_ name: String) -> JSONValue? {
    let value = members[name]
    return value == .null ? nil : value
  }
}

extension AuthError {
  /// Makes the error for a record, or a field of one, that cannot be read.
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
