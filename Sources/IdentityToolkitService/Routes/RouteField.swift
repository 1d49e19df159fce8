import AuthCore
import IdentityToolkit

/// A field in the body of an operation: its name, its type, and its maximum number of entries.
///
/// The type is text by default.
struct RouteField: Sendable, Hashable {
  indirect enum Shape: Sendable, Hashable {
    case text
    case flag
    case number
    /// A number, whole or not.
    case decimal
    /// One of these names of an enumeration, whose type has this name.
    case choice(String, [String])
    /// A list of up to `most` entries; of objects if their fields are named.
    case list(most: Int, of: [RouteField])
    /// An object with these fields; others are ignored.
    case object([RouteField])
    /// An object of up to `most` members, whose names the caller chooses.
    case map(most: Int)
    /// A value of any type, if only its presence matters.
    case anything
  }

  let name: String
  let shape: Shape

  static func text(_ name: String) -> RouteField { RouteField(name: name, shape: .text) }
  static func flag(_ name: String) -> RouteField { RouteField(name: name, shape: .flag) }
  static func number(_ name: String) -> RouteField { RouteField(name: name, shape: .number) }
  static func decimal(_ name: String) -> RouteField { RouteField(name: name, shape: .decimal) }

  static func choice(_ name: String, _ type: String, _ names: [String]) -> RouteField {
    RouteField(name: name, shape: .choice(type, names))
  }

  static func anything(_ name: String) -> RouteField { RouteField(name: name, shape: .anything) }

  static func list(
    _ name: String, most: Int = JSONBounds.usual.entries, of fields: [RouteField] = []
  ) -> RouteField {
    RouteField(name: name, shape: .list(most: most, of: fields))
  }

  static func object(_ name: String, _ fields: [RouteField] = []) -> RouteField {
    RouteField(name: name, shape: .object(fields))
  }

  static func map(_ name: String, most: Int = JSONBounds.usual.entries) -> RouteField {
    RouteField(name: name, shape: .map(most: most))
  }
}

extension RouteField: ExpressibleByStringLiteral {
  init(stringLiteral name: String) { self = .text(name) }
}

extension RouteField {
  /// The bounds of the field's value; nil if it has no entries.
  fileprivate var bounds: JSONBounds? {
    switch shape {
    case .text, .flag, .number, .decimal, .choice, .anything: nil
    case .list(let most, let fields):
      JSONBounds(most, fields.isEmpty ? [:] : ["*": fields.bounds])
    case .object(let fields): fields.bounds
    case .map(let most): JSONBounds(most)
    }
  }

  /// Throws if the body has the field with a value of another type.
  fileprivate func check(_ body: WireFields) throws(WireError) {
    switch shape {
    case .anything: return
    case .text: _ = try body.text(name)
    case .flag: _ = try body.bool(name)
    case .number: _ = try body.integer(name)
    case .decimal: _ = try body.number(name)
    case .choice(let type, let names):
      guard let value = try body.choice(name, names), !names.contains(value) else { return }
      throw .unknownChoice(body.place(of: name), of: type, value, names: names)
    case .list(_, let fields):
      guard !fields.isEmpty else {
        _ = try body.list(name)
        return
      }
      for entry in try body.objects(name) ?? [] { try fields.check(entry) }
    case .object(let fields):
      if let object = try body.object(name) { try fields.check(object) }
    case .map: _ = try body.object(name)
    }
  }
}

extension RouteField {
  /// The field as a JSON Schema.
  var schema: JSONValue {
    switch shape {
    case .text: Schema.text
    case .flag: Schema.flag
    case .number: Schema.number
    case .decimal: ["type": "number"]
    case .choice(_, let names): ["type": "string", "enum": .array(names.map(JSONValue.string))]
    case .list(let most, let fields):
      Schema.list(fields.isEmpty ? [:] : RouteField.object("", fields).schema, most: most)
    case .object(let fields):
      [
        "type": "object",
        "properties": .object(
          Dictionary(
            fields.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })),
      ]
    case .map(let most): Schema.map(most: most)
    case .anything: [:]
    }
  }

  /// Makes the field that a schema describes.
  init(_ name: String, _ schema: JSONValue) {
    self.name = name
    let usual = JSONBounds.usual.entries
    switch schema["type"] {
    case "boolean"?: shape = .flag
    case "integer"?: shape = .number
    case "array"?:
      let fields = schema["items"].map { RouteField("", $0) }
      guard case .object(let members)? = fields?.shape else {
        shape = .list(most: schema["maxItems"]?.count ?? usual, of: [])
        return
      }
      shape = .list(most: schema["maxItems"]?.count ?? usual, of: members)
    case "object"?:
      guard case .object(let members)? = schema["properties"] else {
        shape = .map(most: schema["maxProperties"]?.count ?? usual)
        return
      }
      shape = .object(
        members.sorted { $0.key < $1.key }.map { RouteField($0.key, $0.value) })
    default: shape = .text
    }
  }
}

extension JSONValue {
  fileprivate var count: Int? {
    if case .integer(let number) = self { Int(number) } else { nil }
  }
}

extension [RouteField] {
  var names: [String] { map(\.name) }

  /// The maximum number of entries in the lists and objects of a body.
  var bounds: JSONBounds {
    JSONBounds(
      JSONBounds.usual.entries,
      Dictionary(
        compactMap { field in field.bounds.map { (field.name, $0) } },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Returns the place of the first member that no field has, in an object whose fields are named.
  func unknownName(in body: WireFields) throws(WireError) -> String? {
    let known = Set(names)
    if let name = body.members.keys.filter({ !known.contains($0) }).min() {
      return body.place(of: name)
    }
    for field in self where body.value(field.name) != nil {
      switch field.shape {
      case .object(let fields) where !fields.isEmpty:
        guard let object = try body.object(field.name) else { continue }
        if let path = try fields.unknownName(in: object) { return path }
      case .list(_, let fields) where !fields.isEmpty:
        for entry in try body.objects(field.name) ?? [] {
          if let path = try fields.unknownName(in: entry) { return path }
        }
      default: continue
      }
    }
    return nil
  }

  /// Throws if a field has a value of another type, before any field is used.
  func check(_ body: WireFields) throws(WireError) {
    for field in self where body.has(field.name) { try field.check(body) }
  }
}
