/// The reason why bytes cannot be the text of a script.
public struct LuaSourceError: Error, Hashable, Sendable {
  /// The line at fault, counted from 1; nil if the fault concerns the whole text.
  public let line: Int?
  /// The fault as a clause without a full stop, which a message puts after the text's name.
  public let fault: String
  /// The remedy as a whole sentence.
  public let remedy: String

  static func notUTF8(line: Int, byte: UInt8) -> Self {
    Self(
      line: line,
      fault: "line \(line) has the byte \(UTF8Fault.name(of: byte)), which is not UTF-8",
      remedy: "Save the file as UTF-8.")
  }

  static let isUTF16 = Self(
    line: 1, fault: "the text is UTF-16", remedy: "Save the file as UTF-8.")

  static func hasNUL(line: Int) -> Self {
    Self(
      line: line, fault: "line \(line) has a NUL byte, which a script cannot have",
      remedy: "Save the file as UTF-8 text.")
  }

  static let isCompiled = Self(
    line: nil, fault: "this is compiled Lua, which is never run",
    remedy: "Use the text from which it was compiled.")

  static let isTooLong = Self(
    line: nil, fault: "the text is longer than \(LuaSource.limit)",
    remedy: "Keep data out of the script: pipe it in and read it with input.lines().")
}

/// Finds bytes that are not UTF-8.
package enum UTF8Fault {
  /// The offset of the first byte that is not part of well-formed UTF-8; nil if there is none.
  package static func first(in bytes: some BidirectionalCollection<UInt8>) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return offset
      }
    }
  }

  /// Returns a byte as messages name it, such as `0xE9`.
  package static func name(of byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
