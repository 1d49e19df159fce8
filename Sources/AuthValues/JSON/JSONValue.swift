/// Any JSON value, for data that AuthGraph carries without interpreting it, such as claims and audit details.
public enum JSONValue: Hashable, Sendable {
  /// The JSON literal `null`.
  case null
  /// A JSON boolean.
  case bool(Bool)
  /// A whole number within 64 bits.
  case integer(Int64)
  /// Any other finite number.
  case number(Double)
  /// A JSON string.
  case string(String)
  /// A JSON array.
  case array([JSONValue])
  /// A JSON object; names are unique.
  case object([String: JSONValue])

  /// Reads one JSON text, or throws if it is malformed.
  ///
  /// Of two members with one name, the first counts. A leading byte order mark is skipped.
  public init(text: String) throws {
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    self = try JSONReader.value(bytes, repeatedNames: .firstCounts, maximumDepth: 512)
  }

  /// Reads foreign JSON that decides who a person is, such as a token's claims.
  ///
  /// Throws on two members with one name, on deep nesting, and on more entries than the bounds allow.
  package init(strict bytes: [UInt8], bounds: JSONBounds? = nil) throws(JSONReader.Failure) {
    self = try JSONReader.value(bytes, repeatedNames: .refused, bounds: bounds)
  }

  /// The value as compact JSON with sorted keys, so that equal values have equal text.
  public var text: String {
    var writer = JSONWriter()
    // A number that is not finite is the only value that JSON cannot express.
    return writer.write(self) ? writer.text : "null"
  }

  /// The member with this name; nil if there is none or the value is not an object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The text of a string; nil for any other kind.
  public var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// Makes a string, or null if the text is nil.
  public static func optional(_ text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }
}

extension JSONValue: Codable {
  /// Reads a value of any kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value as its own kind.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Makes an object; of two members with one name, the last counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
