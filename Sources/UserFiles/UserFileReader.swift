public import AuthCore
public import Foundation

/// A source of records for an import, one by one.
public protocol UserSource {
  /// Returns the next record, or nil after the last one; throws if the source cannot be read any further.
  mutating func next() throws(AuthError) -> UserFileReader.Slice?
  /// The parts of the source that belong to no record, in words, with their numbers.
  var leftOut: [String: Int] { get }
}

extension UserSource {
  /// Nothing.
  public var leftOut: [String: Int] { [:] }
}

/// Reads the `users` of an export one by one, in memory that does not grow with the file.
public struct UserFileReader: UserSource {
  /// One record's bytes and the line on which it begins.
  public struct Slice: Sendable {
    /// The bytes of the record; only the beginning if it is too long.
    public let json: Data
    /// The line on which the record begins, counted from 1.
    public let line: Int
    /// The number of bytes of the file that were read up to the record's end.
    public let endOffset: Int
    /// The defect of a row that is not a record at all, such as one with too few columns.
    var fault: AuthError?

    /// Makes a record of another source, or the defect of one.
    init(json: Data = Data(), line: Int, endOffset: Int, fault: AuthError? = nil) {
      self.json = json
      self.line = line
      self.endOffset = endOffset
      self.fault = fault
    }

    /// Tells whether the record has more bytes than ``UserFileReader/maximumRecordBytes``.
    public var isTooLong: Bool { json.count > UserFileReader.maximumRecordBytes }
  }

  /// The maximum size of a record in bytes: room for every text that an account may keep, all of it escaped.
  public static let maximumRecordBytes = 1 << 20

  /// The maximum size of a name in front of the list; every known name is shorter.
  private static let maximumNameBytes = 64

  private var bytes: ByteStream
  private let isTable: Bool
  private var isInList = false
  private var isAtEnd = false

  /// Opens a file, or standard input for `-`; it is a table if its name ends with `.csv`.
  ///
  /// Throws `invalid-argument` if it cannot be read.
  public init(path: String) throws(AuthError) {
    bytes = ByteStream(try Self.file(path))
    isTable = path.lowercased().hasSuffix(".csv")
  }

  /// Opens a file, or standard input for `-`.
  static func file(_ path: String) throws(AuthError) -> FileHandle {
    if path == InputFile.standardInput { return .standardInput }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      !isDirectory.boolValue, let file = FileHandle(forReadingAtPath: path)
    else {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be read.", field: "file",
        remedy: "Check the path and its permissions.")
    }
    return file
  }

  /// Returns the next record, or nil after the last one.
  ///
  /// Throws `invalid-argument` with the line if the file is not what `auth:export` writes.
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
    // Any value here counts as one record; one that is no object is refused when it is read.
    guard let json = bytes.takeValue(atMost: Self.maximumRecordBytes) else {
      throw bytes.peek() == nil ? truncated(line) : malformed("A record is missing.")
    }
    return Slice(json: json, line: line, endOffset: bytes.offset)
  }

  /// Returns the next row of a table as a record.
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
    // A row of another shape is refused when it is read, like any record; the others are imported.
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

  /// Reads what follows the list, to detect a file that was cut short after it.
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
