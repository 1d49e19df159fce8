extension JSONValue {
  /// Reads a record from a value that was parsed before, much faster than Foundation's decoder reads a text.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONValueDecoder(value: self).decode(type)
  }
}

/// A decoder over a parsed value.
///
/// It keeps no path, so that it fits into an existential without an allocation for each value.
private struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch(type) }
    return KeyedDecodingContainer(Members<Key>(members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let entries) = value else { throw mismatch([JSONValue].self) }
    return Entries(entries: entries)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = plain(as: type) { return value }
    switch type {
    case is String.Type, is Bool.Type, is Double.Type: throw mismatch(type)
    case let number as any FixedWidthInteger.Type:
      guard case .integer(let integer) = value,
        let fitting = number.init(exactly: integer) as? Value
      else { throw mismatch(type) }
      return fitting
    default: return try Value(from: self)
    }
  }

  /// The value if it has this type already.
  private func plain<Value>(as type: Value.Type) -> Value? {
    if type == JSONValue.self { return value as? Value }
    switch value {
    case .string(let text): return text as? Value
    case .bool(let flag): return flag as? Value
    case .integer(let number) where type == Int64.self: return number as? Value
    case .integer(let number) where type == Double.self: return Double(number) as? Value
    case .number(let number): return number as? Value
    default: return nil
    }
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "The value has another type."))
  }

  /// The members of an object.
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
      JSONValueDecoder(value: .object(members))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
      guard let value = members[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key,
          .init(codingPath: codingPath, debugDescription: "There is no \(key.stringValue)."))
      }
      return JSONValueDecoder(value: value)
    }
  }

  /// The entries of a list.
  private struct Entries: UnkeyedDecodingContainer {
    let entries: [JSONValue]
    var codingPath: [any CodingKey] { [] }
    var currentIndex = 0

    init(entries: [JSONValue]) {
      self.entries = entries
    }

    var count: Int? { entries.count }
    var isAtEnd: Bool { currentIndex == entries.count }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, entries[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> JSONValueDecoder {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          JSONValue.self, .init(codingPath: codingPath, debugDescription: "The list has ended."))
      }
      defer { currentIndex += 1 }
      return JSONValueDecoder(value: entries[currentIndex])
    }
  }
}
