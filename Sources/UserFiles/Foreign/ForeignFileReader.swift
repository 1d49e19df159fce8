public import AuthCore
import Foundation

/// Reads the rows of another system's file one by one, in memory that does not grow with the file.
public struct ForeignFileReader {
  /// The maximum size of a row in bytes.
  public static let maximumRowBytes = UserFileReader.maximumRecordBytes
  private static let maximumNameBytes = 256

  /// The position in a JSON file.
  private enum Place {
    case between, inObject
    case inList(isMember: Bool)
  }

  let form: ForeignForm
  /// The names of the columns of a table.
  private(set) var columns: [String] = []
  private var bytes: ByteStream
  private var place = Place.between
  private var hasList = false
  private var isFirst = true

  var endsLinesWithCR: Bool { bytes.endsLinesWithCR }

  /// Opens a file, or standard input for `-`; throws `invalid-argument` if it cannot be read.
  public init(path: String, form: ForeignForm) throws(AuthError) {
    self.form = form
    bytes = ByteStream(try UserFileReader.file(path))
    if form.kind == .csv { try readColumns() }
  }

  /// Returns the next row, or nil after the last one.
  ///
  /// A row that cannot be read is returned with the reason. Throws `invalid-argument` with the line if the file itself
  /// breaks off or has another form.
  public mutating func next() throws(AuthError) -> ForeignRow? {
    switch form.kind {
    case .csv: try nextOfTable()
    case .ndjson: nextLine()
    case .json: try nextElement()
    }
  }

  private mutating func nextLine() -> ForeignRow? {
    bytes.skipSpace()
    guard bytes.peek() != nil else { return nil }
    let (line, start) = (bytes.line, bytes.offset)
    let json = bytes.takeLine(atMost: Self.maximumRowBytes)
    return ForeignRow(value: ForeignRowText.object(json), line: line, place: start..<bytes.offset)
  }

  private mutating func readColumns() throws(AuthError) {
    guard let row = try nextValues() else { throw .foreign("The table is empty.") }
    columns = try row.get().values.map { $0.trimmed }
    guard !columns.contains(""), Set(columns).count == columns.count else {
      throw .foreign("The first row names a column twice, or not at all.", at: 1)
    }
  }

  private mutating func nextOfTable() throws(AuthError) -> ForeignRow? {
    let start = bytes.offset
    guard let row = try nextValues() else { return nil }
    let line = (try? row.get().line) ?? bytes.line
    let value = row.flatMap { ForeignRowText.object($0.values, columns) }
    return ForeignRow(value: value, line: line, place: start..<bytes.offset)
  }

  private mutating func nextValues() throws(AuthError) -> Result<CommaSeparatedRows.Row, AuthError>?
  {
    do throws(CommaSeparatedRows.Fault) {
      return try ForeignRowText.values(&bytes).map(Result.success)
    } catch {
      switch error {
      case .notUTF8(let line):
        return .failure(.foreign("The row is not UTF-8 text.", at: line))
      case .openQuote(let line):
        throw .foreign("The file ends inside a value in quotes.", at: line)
      case .textBehindQuote(let line):
        throw .foreign("Something follows the closing quote of a value.", at: line)
      case .tooLong(let line):
        throw .foreign("The row has more than \(Self.maximumRowBytes) bytes.", at: line)
      }
    }
  }

  private mutating func nextElement() throws(AuthError) -> ForeignRow? {
    while true {
      bytes.skipSpace()
      switch place {
      case .between:
        guard let byte = bytes.peek() else {
          guard isFirst else { return nil }
          throw .foreign("The file is empty.")
        }
        isFirst = false
        switch byte {
        case UInt8(ascii: "["):
          bytes.advance()
          place = .inList(isMember: false)
        case UInt8(ascii: "{") where form.list != nil:
          bytes.advance()
          (place, hasList) = (.inObject, false)
        case UInt8(ascii: "{"): return try takeRow()
        default: throw .foreign("Neither a list nor an object begins here.", at: bytes.line)
        }
      case .inObject: try readMember()
      case .inList(let isMember):
        if bytes.peek() == UInt8(ascii: ",") {
          bytes.advance()
          bytes.skipSpace()
        }
        guard bytes.peek() == UInt8(ascii: "]") else { return try takeRow() }
        bytes.advance()
        place = isMember ? .inObject : .between
      }
    }
  }

  /// Reads a member of the object around the list, up to the beginning of the list or the end of the member.
  private mutating func readMember() throws(AuthError) {
    switch bytes.peek() {
    case UInt8(ascii: ","):
      bytes.advance()
      return
    case UInt8(ascii: "}"):
      bytes.advance()
      guard hasList else {
        throw .foreign("The object has no list \"\(form.list ?? "")\".", at: bytes.line)
      }
      place = .between
      return
    default: break
    }
    guard bytes.peek() == UInt8(ascii: "\""),
      let name = bytes.takeValue(atMost: Self.maximumNameBytes)
    else { throw .foreign("The file breaks off in an object.", at: bytes.line) }
    bytes.skipSpace()
    guard bytes.peek() == UInt8(ascii: ":") else {
      throw .foreign("A name lacks its value.", at: bytes.line)
    }
    bytes.advance()
    bytes.skipSpace()
    guard name == Data("\"\(form.list ?? "")\"".utf8) else {
      guard bytes.skipValue() else { throw .foreign("The file breaks off.", at: bytes.line) }
      return
    }
    guard bytes.peek() == UInt8(ascii: "["), !hasList else {
      throw .foreign("\"\(form.list ?? "")\" is not one list.", at: bytes.line)
    }
    bytes.advance()
    hasList = true
    place = .inList(isMember: true)
  }

  private mutating func takeRow() throws(AuthError) -> ForeignRow {
    let (line, start) = (bytes.line, bytes.offset)
    guard let json = bytes.takeValue(atMost: Self.maximumRowBytes) else {
      throw .foreign("The file breaks off in a row.", at: line)
    }
    return ForeignRow(value: ForeignRowText.object(json), line: line, place: start..<bytes.offset)
  }
}
