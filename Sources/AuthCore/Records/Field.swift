/// One field of a record: its name, and the functions that read and write its stored JSON.
///
/// A record lists its fields once. Stored JSON, and everything that shows the record, uses the list.
package struct Field<Record>: Sendable {
  package let name: String
  let read: @Sendable (inout Record, KeyedDecodingContainer<FieldName>) throws -> Void
  let write: @Sendable (UnsafePointer<Record>, inout JSONWriter) -> Void
  /// Tells whether two records have the same value.
  let isSame: @Sendable (UnsafePointer<Record>, UnsafePointer<Record>) -> Bool
  let audit: FieldAudit
}

/// The form in which the audit keeps the changes of a field.
enum FieldAudit: Sendable {
  /// The values before and after.
  case shown
  /// Times before and after.
  case times
  /// The fact of the change, because the value is secret.
  case masked
  /// Nothing: the field is bookkeeping, or its parts are compared by themselves.
  case left
}

/// The key path of a field's value in a record.
package typealias FieldPath<Record, Value> = any WritableKeyPath<Record, Value> & Sendable

extension Field {
  /// Makes a field that every stored record has.
  init<Value: FieldValue>(
    _ name: StaticString, _ path: FieldPath<Record, Value>, audit: FieldAudit = .shown
  ) {
    let (key, stored) = (FieldName(name), StoredProperty(path))
    self.init(
      name: key.stringValue,
      read: { $0[keyPath: path] = try $1.decode(Value.self, forKey: key) },
      write: { $1.member(name, value: stored.value(in: $0)) },
      isSame: { stored.value(in: $0) == stored.value(in: $1) }, audit: audit)
  }

  /// Makes an optional field, which is not written if it is nil.
  init<Value: FieldValue>(
    _ name: StaticString, _ path: FieldPath<Record, Value?>, audit: FieldAudit = .shown
  ) {
    let (key, stored) = (FieldName(name), StoredProperty(path))
    self.init(
      name: key.stringValue,
      read: { $0[keyPath: path] = try $1.decodeIfPresent(Value.self, forKey: key) },
      write: { if let value = stored.value(in: $0) { $1.member(name, value: value) } },
      isSame: { stored.value(in: $0) == stored.value(in: $1) }, audit: audit)
  }

  /// Makes a field that records of earlier versions lack; they get the value of a blank record.
  init<Value: FieldValue>(
    later name: StaticString, _ path: FieldPath<Record, Value>, audit: FieldAudit = .shown
  ) {
    let (key, stored) = (FieldName(name), StoredProperty(path))
    self.init(
      name: key.stringValue,
      read: { record, json in
        guard let value = try json.decodeIfPresent(Value.self, forKey: key) else { return }
        record[keyPath: path] = value
      },
      write: { $1.member(name, value: stored.value(in: $0)) },
      isSame: { stored.value(in: $0) == stored.value(in: $1) }, audit: audit)
  }

  /// Makes such a field for a value that an encoder writes; for records that are written rarely.
  init<Value: Codable & Equatable & Sendable>(
    later name: StaticString, encoding path: FieldPath<Record, Value>
  ) {
    let (key, stored) = (FieldName(name), StoredProperty(path))
    self.init(
      name: key.stringValue,
      read: { record, json in
        guard let value = try json.decodeIfPresent(Value.self, forKey: key) else { return }
        record[keyPath: path] = value
      },
      write: { $1.member(name, encoding: stored.value(in: $0)) },
      isSame: { stored.value(in: $0) == stored.value(in: $1) }, audit: .left)
  }
}

/// A property that is read by its offset in the record, which is much faster than by its key path.
private struct StoredProperty<Record, Value>: Sendable {
  private let path: FieldPath<Record, Value>
  private let offset: Int?

  init(_ path: FieldPath<Record, Value>) {
    self.path = path
    offset = MemoryLayout<Record>.offset(of: path)
  }

  func value(in record: UnsafePointer<Record>) -> Value {
    guard let offset else { return record.pointee[keyPath: path] }
    return (UnsafeRawPointer(record) + offset).assumingMemoryBound(to: Value.self).pointee
  }
}

/// The name of a field as a coding key.
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

/// The fields of a record, sorted by name like stored JSON.
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

/// A record that is read from and written to stored JSON by a list of fields.
package protocol FieldRecord: JSONRecord, FieldValue {
  static var fields: FieldList<Self> { get }
  /// The record into which stored fields are read.
  static var blank: Self { get }
}

extension FieldRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    withUnsafePointer(to: self) { record in
      for field in Self.fields.fields { field.write(record, &writer) }
    }
  }

  /// Reads a record; throws if it lacks a required field.
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: FieldName.self)
    self = .blank
    for field in Self.fields.fields { try field.read(&self, stored) }
  }
}
