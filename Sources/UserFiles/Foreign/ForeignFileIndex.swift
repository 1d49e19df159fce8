public import AuthCore
import Foundation

/// The rows of a file beside that of the users, found by a key, such as password hashes or linked providers.
///
/// Only the places of the rows are kept in memory; a row is read again when its user is imported.
public struct ForeignFileIndex {
  /// The key of a row; it throws the reason why a row has none.
  public typealias Key = (JSONValue) throws(AuthError) -> String

  private struct Entry {
    /// A hash of the key, by which the entries are sorted.
    let hash: UInt64
    let place: Range<Int>
  }

  private let file: FileHandle
  private let form: ForeignForm
  private let columns: [String]
  private let endsLinesWithCR: Bool
  private let key: Key
  private var entries: [Entry] = []
  private var isUsed: [Bool] = []
  /// The rows that cannot be read or have no key, with their lines.
  public private(set) var refused: [(line: Int, error: AuthError)] = []

  /// Reads a file and keeps the places of its rows; throws `invalid-argument` if it cannot be read twice.
  public init(path: String, form: ForeignForm, key: @escaping Key) throws(AuthError) {
    guard path != InputFile.standardInput else {
      throw .foreign("A file beside that of the users is read twice, so it cannot be a pipe.")
    }
    var reader = try ForeignFileReader(path: path, form: form)
    file = try UserFileReader.file(path)
    self.form = form
    self.key = key
    columns = reader.columns
    endsLinesWithCR = reader.endsLinesWithCR
    while let row = try reader.next() {
      do throws(AuthError) {
        let hash = Self.hash(try key(try row.value.get()))
        entries.append(Entry(hash: hash, place: row.place))
      } catch {
        refused.append((row.line, error))
      }
    }
    entries.sort { ($0.hash, $0.place.lowerBound) < ($1.hash, $1.place.lowerBound) }
    isUsed = Array(repeating: false, count: entries.count)
  }

  /// The number of rows that no user of the file has asked for.
  public var unused: Int { isUsed.count { !$0 } }

  /// Returns the rows of a key, in the order of the file.
  public mutating func rows(of wanted: String) throws(AuthError) -> [JSONValue] {
    let hash = Self.hash(wanted)
    var rows: [JSONValue] = []
    var index = firstIndex(of: hash)
    while index < entries.count, entries[index].hash == hash {
      let row = try read(entries[index].place).get()
      if try key(row) == wanted {
        rows.append(row)
        isUsed[index] = true
      }
      index += 1
    }
    return rows
  }

  private func firstIndex(of hash: UInt64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func read(_ place: Range<Int>) -> Result<JSONValue, AuthError> {
    do {
      try file.seek(toOffset: UInt64(place.lowerBound))
      let bytes = try file.read(upToCount: place.count) ?? Data()
      guard form.kind == .csv else { return ForeignRowText.object(bytes) }
      var stream = ByteStream(bytes, endsLinesWithCR: endsLinesWithCR)
      let row = try ForeignRowText.values(&stream)
      return ForeignRowText.object(row?.values ?? [], columns)
    } catch {
      return .failure(.foreign("A file changed while it was read."))
    }
  }

  /// FNV-1a: equal keys have equal hashes, and keys are compared as well.
  private static func hash(_ key: String) -> UInt64 {
    key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
