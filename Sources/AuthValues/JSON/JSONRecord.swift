/// A record that writes its own members, in less time than an encoder or a `JSONValue` of it takes.
package protocol JSONRecord {
  /// Writes the members in the order of their names, as Foundation's `JSONEncoder` does with sorted keys.
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
  /// Writes an object whose members are told one by one, in the order of their names.
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
    // Most of what is written are names, so each is added as one.
    written.append(upTo: length + 3) { end in
      end[0] = UInt8(ascii: "\"")
      (end + 1).initialize(from: name.utf8Start, count: length)
      end[length + 1] = UInt8(ascii: "\"")
      end[length + 2] = UInt8(ascii: ":")
      return length + 3
    }
    if isSpread { written.append(UInt8(ascii: " ")) }
  }

  /// Writes a name that is known only now.
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

  /// Writes a member; none where there is no value.
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

  /// Writes a whole number as a text, as Firebase does with most; none where there is none.
  package mutating func member(_ name: StaticString, quoting value: Int64?) {
    guard let value else { return }
    self.name(name)
    sign("\"")
    write(value)
    sign("\"")
  }

  /// Writes a member of any kind; null where it holds a number that JSON cannot say, and none where there is none.
  package mutating func member(_ name: StaticString, _ value: JSONValue?) {
    guard let value else { return }
    self.name(name)
    writeOrNull(value)
  }

  /// The same under a name that is known only now.
  package mutating func member(named name: String, _ value: JSONValue) {
    self.name(text: name)
    writeOrNull(value)
  }

  /// Writes a list of texts under a name that is known only now.
  package mutating func member(named name: String, texts: [String]) {
    self.name(text: name)
    list(of: texts.count, from: "[", to: "]") { writer, index in
      writer.write(texts[index])
      return true
    }
  }

  /// Writes a record as a member; none where there is none.
  package mutating func member(_ name: StaticString, _ record: (some JSONRecord)?) {
    guard let record else { return }
    self.name(name)
    object { record.writeMembers(&$0) }
  }

  package mutating func member(_ name: StaticString, _ records: [some JSONRecord]) {
    member(name, count: records.count) { records[$1].writeMembers(&$0) }
  }

  /// Writes a list of so many objects, whose members are told for each.
  package mutating func member(
    _ name: StaticString, count: Int, _ members: (inout JSONWriter, Int) -> Void
  ) {
    self.name(name)
    list(of: count, from: "[", to: "]") { writer, index in
      writer.object { members(&$0, index) }
      return true
    }
  }

  /// Writes a member that an encoder writes.
  package mutating func member(_ name: StaticString, encoding value: some Encodable) {
    self.name(name)
    // What records hold can be said in JSON.
    var text = (try? JSONText.encode(value)) ?? "null"
    text.withUTF8 { written.append($0) }
  }
}
