/// Any JSON value, for what AuthGraph carries without understanding it: claims and audit details.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads one JSON text; throws where it is none.
  ///
  /// Of two members of one name the first counts. A byte order mark before it is skipped.
  public init(text: String) throws {
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    self = try JSONReader.value(bytes, repeatedNames: .firstCounts, maximumDepth: 512)
  }

  /// Reads JSON that others wrote and that decides who somebody is: no two members of one name, no deep nesting,
  /// and no more entries than the bounds say.
  package init(strict bytes: [UInt8], bounds: JSONBounds? = nil) throws(JSONReader.Failure) {
    self = try JSONReader.value(bytes, repeatedNames: .refused, bounds: bounds)
  }

  /// The value as compact JSON with sorted keys, so that equal values have equal text.
  public var text: String {
    var writer = JSONWriter()
    // A JSONValue holds nothing that JSON cannot say, save a number that is not finite.
    return writer.write(self) ? writer.text : "null"
  }

  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  public var stringValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// Makes a string, or null where there is none.
  public static func optional(_ text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }
}

extension JSONValue: Codable {
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
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
