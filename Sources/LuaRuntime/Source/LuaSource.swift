/// The text of a script, in the one form in which all scripts are compiled.
///
/// Files, pipes, arguments and policies are read alike. One byte order mark is removed. A first line that begins with
/// `#!` becomes a comment. In a file, one that begins with `#` does too, as in Lua itself; elsewhere `#` may be the
/// length operator. Line ends are those of Lua (LF, CRLF, CR and LFCR) and become LF, which changes neither the
/// meaning nor the number of a line. Bytes that are not UTF-8, NUL bytes, UTF-16, compiled Lua and texts above
/// ``mostBytes`` are refused.
public struct LuaSource: Hashable, Sendable {
  /// The maximum size of a script in bytes.
  public static let mostBytes = 1 << 20
  /// The limit as messages state it.
  package static let limit = "1 MiB (\(mostBytes) bytes)"

  /// The text in the form that is compiled.
  public let text: String

  /// Reads the bytes of a file; throws ``LuaSourceError`` with the line and the invalid byte.
  public init(bytes: some Collection<UInt8>) throws(LuaSourceError) {
    try self.init(bytes, by: LuaLineReader(isFile: true))
  }

  private init(
    _ bytes: some Collection<UInt8>, by reader: LuaLineReader
  ) throws(LuaSourceError) {
    guard bytes.count <= Self.mostBytes else { throw .isTooLong }
    var reader = reader
    var text = ""
    reader.append(bytes)
    while let line = try reader.next() {
      text += line
      text += "\n"
    }
    self.text = text + (try reader.last() ?? "")
  }

  /// Reads a text that is already UTF-8 and does not come from a file.
  public init(_ text: String) throws(LuaSourceError) {
    try self.init(Array(text.utf8), by: LuaLineReader())
  }
}

/// Splits bytes that arrive in pieces into the lines of a script, by the rules of ``LuaSource``.
public struct LuaLineReader {
  /// The number of lines read.
  public private(set) var count = 0
  private var piece: [UInt8] = []
  private var position = 0
  /// The beginning of a line whose end has not arrived.
  private var pending: [UInt8] = []
  /// The byte that ended the last line; its counterpart directly after it belongs to the same line end.
  private var end: UInt8?

  private let isScript: Bool
  private let isFile: Bool

  /// Creates a reader at the beginning of a text.
  ///
  /// Unless it is a script, its first line gets no special treatment.
  public init(isScript: Bool = true, isFile: Bool = false) {
    self.isScript = isScript
    self.isFile = isFile
  }

  /// Appends bytes to those already given.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    piece = Array(piece[position...]) + bytes
    position = 0
  }

  /// Returns the next line without its end; nil if its end has not arrived.
  public mutating func next() throws(LuaSourceError) -> String? {
    while position < piece.count {
      let byte = piece[position]
      position += 1
      guard byte == Self.lineFeed || byte == Self.carriageReturn else {
        end = nil
        pending.append(byte)
        guard pending.count <= LuaSource.mostBytes else { throw .isTooLong }
        continue
      }
      if let last = end, last != byte {
        end = nil
        continue
      }
      end = byte
      return try takeLine()
    }
    return nil
  }

  /// Returns the last line, if it has no line end.
  public mutating func last() throws(LuaSourceError) -> String? {
    pending.isEmpty ? nil : try takeLine()
  }

  private mutating func takeLine() throws(LuaSourceError) -> String {
    defer { pending.removeAll(keepingCapacity: true) }
    count += 1
    var bytes = pending[...]
    if count == 1 {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
      if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .isUTF16 }
      if isScript, bytes.first == Self.escape { throw .isCompiled }
    }
    if bytes.contains(0) { throw .hasNUL(line: count) }
    guard let line = String(validating: bytes, as: UTF8.self) else {
      let fault = UTF8Fault.first(in: bytes) ?? 0
      throw .notUTF8(line: count, byte: bytes[bytes.startIndex + fault])
    }
    let isComment = isScript && count == 1 && line.hasPrefix(isFile ? "#" : "#!")
    return isComment ? "--" + line : line
  }

  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D
  private static let escape: UInt8 = 0x1B
}
