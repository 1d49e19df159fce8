/// A record that is often written as JSON: the same text that its `Encodable` form gives, in less time.
package protocol JSONRecord: Codable {
  /// Writes the members in the order of their names, as Foundation's `JSONEncoder` does with sorted keys.
  func writeMembers(_ writer: inout JSONWriter)
}

extension JSONRecord {
  package var json: String {
    var writer = JSONWriter()
    writer.object { writeMembers(&$0) }
    return writer.text
  }
}

extension JSONWriter {
  /// Writes a record as a member; none where there is none.
  mutating func member(_ name: StaticString, _ record: (some JSONRecord)?) {
    guard let record else { return }
    self.name(name)
    object { record.writeMembers(&$0) }
  }

  mutating func member(_ name: StaticString, _ records: [some JSONRecord]) {
    self.name(name)
    list("[", records, "]") { writer, record in
      writer.object { record.writeMembers(&$0) }
      return true
    }
  }
}
