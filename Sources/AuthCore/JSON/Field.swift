/// One field of a record: its name, and how stored JSON is read and written.
///
/// A record names its fields in one list. Stored JSON, and whatever shows the record, takes them from there.
package struct Field<Record>: Sendable {
  package let name: String
  let read: @Sendable (inout Record, KeyedDecodingContainer<FieldName>) throws -> Void
  let write: @Sendable (Record, inout JSONWriter) -> Void
}

/// The way to a field's value in a record.
package typealias FieldPath<Record, Value> = any WritableKeyPath<Record, Value> & Sendable

extension Field {
  /// A field that every stored record has.
  init<Value: FieldValue>(
    _ name: StaticString, _ path: FieldPath<Record, Value>
  ) {
    let key = FieldName(name)
    self.init(
      name: key.stringValue,
      read: { $0[keyPath: path] = try $1.decode(Value.self, forKey: key) },
      write: { $1.member(name, value: $0[keyPath: path]) })
  }

  /// A field that may have no value, and then is not written.
  init<Value: FieldValue>(
    _ name: StaticString, _ path: FieldPath<Record, Value?>
  ) {
    let key = FieldName(name)
    self.init(
      name: key.stringValue,
      read: { $0[keyPath: path] = try $1.decodeIfPresent(Value.self, forKey: key) },
      write: { if let value = $0[keyPath: path] { $1.member(name, value: value) } })
  }

  /// A field that records of earlier versions lack: what they leave out is as in a new record.
  init<Value: FieldValue>(
    later name: StaticString, _ path: FieldPath<Record, Value>
  ) {
    let key = FieldName(name)
    self.init(
      name: key.stringValue,
      read: { record, stored in
        guard let value = try stored.decodeIfPresent(Value.self, forKey: key) else { return }
        record[keyPath: path] = value
      },
      write: { $1.member(name, value: $0[keyPath: path]) })
  }

  /// The same for a value that an encoder writes; for records that are written rarely.
  init<Value: Codable & Sendable>(
    later name: StaticString, encoding path: FieldPath<Record, Value>
  ) {
    let key = FieldName(name)
    self.init(
      name: key.stringValue,
      read: { record, stored in
        guard let value = try stored.decodeIfPresent(Value.self, forKey: key) else { return }
        record[keyPath: path] = value
      },
      write: { $1.member(name, encoding: $0[keyPath: path]) })
  }
}

/// The name of a field, as a decoder asks for it.
package struct FieldName: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  init(_ name: StaticString) {
    stringValue = name.description
  }

  package init(stringValue: String) {
    self.stringValue = stringValue
  }

  package init?(intValue: Int) { nil }
}

/// The fields of a record, in the order of their names, which is that of stored JSON.
package struct FieldList<Record>: Sendable, ExpressibleByArrayLiteral {
  package let fields: [Field<Record>]

  init(_ fields: [Field<Record>]) {
    self.fields = fields.sorted { $0.name.precedesExactly($1.name) }
  }

  package init(arrayLiteral fields: Field<Record>...) {
    self.init(fields)
  }

  package var names: [String] { fields.map(\.name) }
}

/// A record that is read from stored JSON, and written to it, by the list of its fields.
package protocol FieldRecord: JSONRecord, FieldValue {
  static var fields: FieldList<Self> { get }
  /// The record that stored fields are read into.
  static var blank: Self { get }
}

extension FieldRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    for field in Self.fields.fields { field.write(self, &writer) }
  }

  /// Reads a record; throws if it lacks a field that every stored record has.
  static func read(from decoder: any Decoder) throws -> Self {
    let stored = try decoder.container(keyedBy: FieldName.self)
    var record = Self.blank
    for field in fields.fields { try field.read(&record, stored) }
    return record
  }
}
