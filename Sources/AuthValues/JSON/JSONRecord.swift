/// A record that writes its own members, which is faster than an encoder or a `JSONValue`.
package protocol JSONRecord {
  /// Writes the members in the order of their names, like Foundation's `JSONEncoder` with sorted keys.
  func writeMembers(_ writer: inout JSONWriter)
}

extension JSONRecord {
  package var json: String {
    var writer = JSONWriter()
    writer.object { writeMembers(&$0) }
    return writer.text
  }

  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writeMembers(&$0) }
    return writer.bytes()
  }
}

extension JSONWriter {
  /// Writes an object whose members a closure writes in the order of their names.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    sign("{")
    depth += 1
    let start = written.count
    members(&self)
    depth -= 1
    if written.count > start { beginLine() }
    sign("}")
  }

  /// Writes the name of the next member.
  package mutating func name(_ name: StaticString) {
    beginMember()
    let length = name.utf8CodeUnitCount
    // Names are the bulk of the output, so quotes, name and colon are appended at once.
    written.append(upTo: length + 3) { end in
      end[0] = UInt8(ascii: "\"")
      (end + 1).initialize(from: name.utf8Start, count: length)
      end[length + 1] = UInt8(ascii: "\"")
      end[length + 2] = UInt8(ascii: ":")
      return length + 3
    }
    if isSpread { written.append(UInt8(ascii: " ")) }
  }

  /// Writes a member's name that is not a literal.
  package mutating func name(text: String) {
    beginMember()
    write(text)
    written.append(UInt8(ascii: ":"))
    if isSpread { written.append(UInt8(ascii: " ")) }
  }

  private mutating func beginMember() {
    if written.last != UInt8(ascii: "{") { written.append(UInt8(ascii: ",")) }
    beginLine()
  }

  /// Writes a member, unless its value is nil.
  package mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    self.name(name)
    if value { sign("true") } else { sign("false") }
  }

  package mutating func member(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a whole number as a text, as Firebase does with most, unless it is nil.
  package mutating func member(_ name: StaticString, quoting value: Int64?) {
    guard let value else { return }
    self.name(name)
    sign("\"")
    write(value)
    sign("\"")
  }

  /// Writes a member of any kind, unless it is nil; a number that JSON cannot express becomes null.
  package mutating func member(_ name: StaticString, _ value: JSONValue?) {
    guard let value else { return }
    self.name(name)
    writeOrNull(value)
  }

  /// Writes a member of any kind under a name that is not a literal.
  package mutating func member(named name: String, _ value: JSONValue) {
    self.name(text: name)
    writeOrNull(value)
  }

  /// Writes a list of texts under a name that is not a literal.
  package mutating func member(named name: String, texts: [String]) {
    self.name(text: name)
    list(of: texts.count, from: "[", to: "]") { writer, index in
      writer.write(texts[index])
      return true
    }
  }

  /// Writes a record as a member, unless it is nil.
  package mutating func member(_ name: StaticString, _ record: (some JSONRecord)?) {
    guard let record else { return }
    self.name(name)
    object { record.writeMembers(&$0) }
  }

  package mutating func member(_ name: StaticString, _ records: [some JSONRecord]) {
    member(name, count: records.count) { records[$1].writeMembers(&$0) }
  }

  /// Writes a list of `count` objects, whose members a closure writes.
  package mutating func member(
    _ name: StaticString, count: Int, _ members: (inout JSONWriter, Int) -> Void
  ) {
    self.name(name)
    list(of: count, from: "[", to: "]") { writer, index in
      writer.object { members(&$0, index) }
      return true
    }
  }

  /// Writes a member with Foundation's encoder.
  package mutating func member(_ name: StaticString, encoding value: some Encodable) {
    self.name(name)
    // Records hold nothing that JSON cannot express.
    var text = (try? JSONText.encode(value)) ?? "null"
    text.withUTF8 { written.append($0) }
  }
}
