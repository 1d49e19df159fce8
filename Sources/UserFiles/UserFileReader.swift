public import AuthCore
public import Foundation

/// Reads the `users` of an export one by one, in memory that does not grow with the file.
public struct UserFileReader {
  /// One record's bytes and the line on which it begins.
  public struct Slice: Sendable {
    /// The record; of one that is too long only the beginning.
    public let json: Data
    public let line: Int
    /// How many bytes of the file have been read up to its end.
    public let endOffset: Int
    /// Why it is no record at all, as a row of too few columns.
    var fault: AuthError?

    /// Whether it has more bytes than a record may have.
    public var isTooLong: Bool { json.count > UserFileReader.maximumRecordBytes }
  }

  /// How many bytes a record may have: room for every text that an account may keep, all of them escaped.
  public static let maximumRecordBytes = 1 << 20

  /// A name in front of the list is no longer than this, or is none that is known.
  private static let maximumNameBytes = 64

  private var bytes: ByteStream
  private let isTable: Bool
  private var isInList = false
  private var isAtEnd = false

  /// Opens a file, or standard input for `-`; it is a table if its name ends with `.csv`.
  ///
  /// Throws `invalid-argument` if it cannot be read.
  public init(path: String) throws(AuthError) {
    if path == InputFile.standardInput {
      bytes = ByteStream(.standardInput)
    } else {
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
        !isDirectory.boolValue, let file = FileHandle(forReadingAtPath: path)
      else {
        throw AuthError(
          .invalidArgument, "The file \(path) cannot be read.", field: "file",
          remedy: "Check the path and its permissions.")
      }
      bytes = ByteStream(file)
    }
    isTable = path.lowercased().hasSuffix(".csv")
  }

  /// The next record, or nil behind the last one.
  ///
  /// Throws `invalid-argument` with the line where the file is not what `auth:export` writes.
  public mutating func next() throws(AuthError) -> Slice? {
    if isAtEnd { return nil }
    if isTable { return try nextRow() }
    if !isInList { try findUsers() }
    bytes.skipSpace()
    if bytes.peek() == UInt8(ascii: ",") {
      bytes.advance()
      bytes.skipSpace()
    }
    if bytes.peek() == UInt8(ascii: "]") {
      isAtEnd = true
      try finish()
      return nil
    }
    let line = bytes.line
    // Whatever stands there is one record; one that is no object is refused when it is read.
    guard let json = bytes.takeValue(atMost: Self.maximumRecordBytes) else {
      throw bytes.peek() == nil ? truncated(line) : malformed("A record is missing.")
    }
    return Slice(json: json, line: line, endOffset: bytes.offset)
  }

  /// The next row of a table, as the record that it is.
  private mutating func nextRow() throws(AuthError) -> Slice? {
    let row: CommaSeparatedRows.Row?
    do throws(CommaSeparatedRows.Fault) {
      row = try CommaSeparatedRows.next(from: &bytes, atMost: Self.maximumRecordBytes)
    } catch {
      let (line, problem) =
        switch error {
        case .openQuote(let line): (line, "The file ends inside a value in quotes.")
        case .textBehindQuote(let line): (line, "Something follows the closing quote of a value.")
        case .notUTF8(let line): (line, "The row is not UTF-8 text.")
        case .tooLong(let line): (line, "The row has more than \(Self.maximumRecordBytes) bytes.")
        }
      throw AuthError(
        .invalidArgument, "line \(line): \(problem)", field: "file",
        remedy: "Put values with commas, quotes or line breaks in quotes, or export as JSON.")
    }
    guard let row else {
      isAtEnd = true
      return nil
    }
    // A row of another shape is refused when it is read, as any record, with the others imported.
    let record: JSONValue
    do throws(AuthError) { record = try UserRow.record(row.values) } catch {
      return Slice(json: Data(), line: row.line, endOffset: bytes.offset, fault: error)
    }
    return Slice(
      json: Data(JSONWriter.bytes(of: record)), line: row.line, endOffset: bytes.offset)
  }

  private mutating func findUsers() throws(AuthError) {
    bytes.skipSpace()
    guard bytes.peek() == UInt8(ascii: "{") else {
      throw malformed("This is not an export: it does not begin with {\"users\": [.")
    }
    bytes.advance()
    while true {
      bytes.skipSpace()
      if bytes.peek() == UInt8(ascii: ",") {
        bytes.advance()
        continue
      }
      guard bytes.peek() == UInt8(ascii: "\""),
        let name = bytes.takeValue(atMost: Self.maximumNameBytes)
      else {
        throw malformed("This is not an export: it has no list \"users\".")
      }
      bytes.skipSpace()
      guard bytes.peek() == UInt8(ascii: ":") else { throw malformed("A name lacks its value.") }
      bytes.advance()
      bytes.skipSpace()
      if name == Data("\"users\"".utf8) { break }
      guard bytes.skipValue() else { throw malformed("The file ends too early.") }
    }
    guard bytes.peek() == UInt8(ascii: "[") else {
      throw malformed("\"users\" is not a list.")
    }
    bytes.advance()
    isInList = true
  }

  /// Reads what follows the list, so that a file cut short behind it is noticed.
  private mutating func finish() throws(AuthError) {
    bytes.advance()
    bytes.skipSpace()
    while bytes.peek() == UInt8(ascii: ",") {
      bytes.advance()
      bytes.skipSpace()
      guard let name = bytes.takeValue(atMost: Self.maximumNameBytes) else { break }
      guard name != Data("\"users\"".utf8) else {
        throw malformed("There is a second list \"users\".")
      }
      bytes.skipSpace()
      bytes.advance()
      bytes.skipSpace()
      guard bytes.skipValue() else { break }
      bytes.skipSpace()
    }
    guard bytes.peek() == UInt8(ascii: "}") else {
      throw malformed("The file ends without its closing }.")
    }
    bytes.advance()
    bytes.skipSpace()
    guard bytes.peek() == nil else { throw malformed("Something follows the end of the export.") }
  }

  private func malformed(_ message: String) -> AuthError {
    AuthError(
      .invalidArgument, "line \(bytes.line): \(message)", field: "file",
      remedy: "Give a file that auth:export --format=json wrote.")
  }

  private func truncated(_ line: Int) -> AuthError {
    AuthError(
      .invalidArgument, "line \(line): the file ends inside a record.", field: "file",
      remedy: "Get the whole file and import it again; what was imported is kept.")
  }
}
