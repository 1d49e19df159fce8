import AuthCore
import Foundation

/// Reads rows of comma-separated values (RFC 4180) one by one, in memory that does not grow with the file.
///
/// Follows `auth:export --format=csv`, which quotes a text that contains a comma and leaves all others unquoted, even
/// those that contain quotes. A quote inside a value that does not begin with one is therefore an ordinary character.
/// SwiftCSV refuses the whole file for such a quote, without naming the line, and holds it in memory.
struct CommaSeparatedRows {
  /// One row with the line on which it begins.
  struct Row {
    let values: [String]
    let line: Int
  }

  /// A defect of a row.
  enum Fault: Error {
    /// The file ends inside a quoted value.
    case openQuote(line: Int)
    /// Something stands between a closing quote and the next comma.
    case textBehindQuote(line: Int)
    case notUTF8(line: Int)
    /// A row has more bytes than a record may have.
    case tooLong(line: Int)
  }

  /// Returns the next row, or nil after the last one.
  ///
  /// Empty lines are skipped.
  static func next(from bytes: inout ByteStream, atMost limit: Int) throws(Fault) -> Row? {
    while let byte = bytes.peek(), byte == newline || byte == carriageReturn { bytes.advance() }
    guard bytes.peek() != nil else { return nil }
    let line = bytes.line
    var values: [String] = []
    var size = 0
    var isText = true
    while true {
      let value = try value(from: &bytes, line, limit - size)
      size += value.count
      let text = String(validating: value, as: UTF8.self)
      isText = isText && text != nil
      values.append(text ?? "")
      guard bytes.peek() == comma else { break }
      bytes.advance()
    }
    // The whole row is taken, so that the next one can be read.
    guard isText else { throw .notUTF8(line: line) }
    return Row(values: values, line: line)
  }

  /// Takes a value up to the comma or line end that follows it.
  private static func value(
    from bytes: inout ByteStream, _ line: Int, _ limit: Int
  ) throws(Fault) -> [UInt8] {
    var value: [UInt8] = []
    guard bytes.peek() == quote else {
      while let byte = bytes.peek(), byte != comma, byte != newline,
        !(byte == carriageReturn && bytes.endsLinesWithCR)
      {
        value.append(byte)
        guard value.count <= limit else { throw .tooLong(line: line) }
        bytes.advance()
      }
      if bytes.peek() != comma, value.last == carriageReturn { value.removeLast() }
      return value
    }
    bytes.advance()
    while let byte = bytes.peek() {
      bytes.advance()
      if byte != quote {
        value.append(byte)
        guard value.count <= limit else { throw .tooLong(line: line) }
        continue
      }
      switch bytes.peek() {
      case quote?:
        value.append(quote)
        bytes.advance()
      case carriageReturn?:
        bytes.advance()
        guard bytes.peek() == newline || bytes.peek() == nil || bytes.endsLinesWithCR else {
          throw .textBehindQuote(line: line)
        }
        return value
      case comma?, newline?, nil: return value
      default: throw .textBehindQuote(line: line)
      }
    }
    throw .openQuote(line: line)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
