/// A value of a record's field, which writes itself in the form of an encoder.
package protocol FieldValue: Codable, Equatable, Sendable {
  func write(to writer: inout JSONWriter)
}

extension FieldValue where Self: JSONRecord {
  package func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(&$0) }
  }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
}

extension String: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: FieldValue {
  package func write(to writer: inout JSONWriter) {
    if self { writer.sign("true") } else { writer.sign("false") }
  }
}

extension Int64: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(Int64(self)) }
}

extension Array: FieldValue where Element: FieldValue {
  package func write(to writer: inout JSONWriter) {
    writer.list(of: count, from: "[", to: "]") { writer, index in
      self[index].write(to: &writer)
      return true
    }
  }
}

/// Sets are written in order, so that equal sets have equal text.
extension Set: FieldValue where Element: FieldValue & Comparable {
  package func write(to writer: inout JSONWriter) { sorted().write(to: &writer) }
}

extension Timestamp: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(milliseconds) }
}

extension AccountID: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

extension ProviderID: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(rawValue) }
}

extension EmailAddress: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(text) }
}

extension PhoneNumber: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(text) }
}

extension CustomClaims: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(text) }
}

extension Ownership: FieldValue {
  package func write(to writer: inout JSONWriter) { writer.write(mark) }
}

extension JSONWriter {
  /// Writes a member of any kind.
  mutating func member(_ name: StaticString, value: some FieldValue) {
    self.name(name)
    value.write(to: &self)
  }
}
