/// Reads texts that are not scripts by the same rules: one byte order mark is removed, line ends become LF, and bytes
/// that are not UTF-8 are refused.
package enum InputText {
  /// Returns the text of a file; throws with the line and the invalid byte.
  package static func text(of bytes: some Collection<UInt8>) throws(LuaSourceError) -> String {
    var reader = LuaLineReader(isScript: false)
    reader.append(bytes)
    var text = ""
    while let line = try reader.next() {
      text += line
      text += "\n"
    }
    return text + (try reader.last() ?? "")
  }
}
