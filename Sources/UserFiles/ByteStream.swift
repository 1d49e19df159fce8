import Foundation

/// A file as a stream of bytes that counts lines and cuts out whole JSON values.
struct ByteStream {
  private let file: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0
  private var consumed = 0
  private(set) var line = 1
  /// True if lines end with CR alone, as in old files.
  let endsLinesWithCR: Bool

  init(_ file: FileHandle) {
    self.file = file
    buffer = Self.bytes(of: file)
    endsLinesWithCR = buffer.contains(0x0D) && !buffer.contains(0x0A)
    // Some tools write a byte order mark, which is not JSON.
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Reads bytes that were cut out of a file; the lines end as in the file.
  init(_ bytes: Data, endsLinesWithCR: Bool) {
    file = .nullDevice
    buffer = Array(bytes)
    self.endsLinesWithCR = endsLinesWithCR
  }

  /// The number of bytes taken so far.
  var offset: Int { consumed + position }

  mutating func peek() -> UInt8? {
    if position == buffer.count { fill() }
    return position < buffer.count ? buffer[position] : nil
  }

  mutating func advance() {
    guard let byte = peek() else { return }
    if byte == lineEnd { line += 1 }
    position += 1
  }

  mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      advance()
    }
  }

  /// The bytes of one value: a string, an object, a list or a plain word.
  ///
  /// Keeps at most `limit` bytes and one more, which marks a value that is too long. Returns nil if the file ends
  /// inside the value.
  mutating func takeValue(atMost limit: Int) -> Data? {
    var value = Data()
    var end = ValueEnd()
    while peek() != nil {
      let found = buffer[position...].withUnsafeBufferPointer { end.find(in: $0) }
      let part = buffer[position..<(position + (found ?? buffer.count - position))]
      value.append(contentsOf: part.prefix(limit + 1 - value.count))
      line += part.count { $0 == lineEnd }
      position = part.endIndex
      if found != nil { return value.isEmpty ? nil : value }
    }
    return nil
  }

  /// The bytes up to the end of the line, without the line end.
  ///
  /// Keeps at most `limit` bytes and one more, which marks a line that is too long.
  mutating func takeLine(atMost limit: Int) -> Data {
    var line = Data()
    while peek() != nil {
      let end = buffer[position...].firstIndex(of: lineEnd)
      let part = buffer[position..<(end ?? buffer.count)]
      line.append(contentsOf: part.prefix(limit + 1 - line.count))
      position = part.endIndex
      if end != nil {
        advance()
        break
      }
    }
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  /// Passes over one value of any length; returns false if the file ends inside it.
  mutating func skipValue() -> Bool { takeValue(atMost: 0) != nil }

  private mutating func fill() {
    consumed += buffer.count
    position = 0
    buffer = Self.bytes(of: file)
  }

  private static func bytes(of file: FileHandle) -> [UInt8] {
    (try? file.read(upToCount: 1 << 18)).flatMap(\.self).map(Array.init) ?? []
  }

  private var lineEnd: UInt8 { endsLinesWithCR ? 0x0D : 0x0A }
}

/// Finds the end of a JSON value whose bytes come in parts.
private struct ValueEnd {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Returns the number of bytes that belong to the value; nil if the value continues after them.
  mutating func find(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    for (index, byte) in bytes.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
          if depth == 0 { return index + 1 }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09: if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }
}
