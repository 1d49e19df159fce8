public import AuthCore
import Foundation

/// Turns the rows of another system's files into records of an import.
public struct ForeignUserReader: UserSource {
  /// The translation of a row: the rows beside it by the file's name, and a record in the form of `auth:export`.
  public struct Translation {
    /// Returns the key of a user's row, by which the rows of the files beside are found.
    public let key: ForeignFileIndex.Key
    /// Returns the record of a user; throws the reason of a refusal.
    public let record: (JSONValue, _ beside: [String: [JSONValue]]) throws(AuthError) -> JSONValue
    /// Returns the numbers of identities that were left out, by the old system's provider.
    public let leftOut: () -> [String: Int]

    /// Makes a translation.
    public init(
      key: @escaping ForeignFileIndex.Key,
      record: @escaping (JSONValue, [String: [JSONValue]]) throws(AuthError) -> JSONValue,
      leftOut: @escaping () -> [String: Int] = { [:] }
    ) {
      self.key = key
      self.record = record
      self.leftOut = leftOut
    }
  }

  private var rows: ForeignFileReader
  private var beside: [String: ForeignFileIndex]
  private let translation: Translation

  /// Reads users from a file, and rows beside them by their names.
  public init(
    _ rows: ForeignFileReader, beside: [String: ForeignFileIndex] = [:], _ translation: Translation
  ) {
    self.rows = rows
    self.beside = beside
    self.translation = translation
  }

  /// The identities of providers that were left out, and the rows of files beside without a user.
  public var leftOut: [String: Int] {
    var numbers: [String: Int] = [:]
    for (name, count) in translation.leftOut() { numbers["identities of \(name)"] = count }
    for (name, index) in beside {
      numbers["rows of \(name) without a user"] = index.unused
      numbers["rows of \(name) that cannot be read"] = index.refused.count
    }
    return numbers.filter { $0.value > 0 }
  }

  /// Returns the next record; one that cannot be made carries the reason.
  public mutating func next() throws(AuthError) -> UserFileReader.Slice? {
    guard let row = try rows.next() else { return nil }
    do throws(AuthError) {
      let value = try row.value.get()
      var found: [String: [JSONValue]] = [:]
      if !beside.isEmpty {
        let key = try translation.key(value)
        for name in beside.keys.sorted() { found[name] = try beside[name]?.rows(of: key) }
      }
      let record = try translation.record(value, found)
      return UserFileReader.Slice(
        json: Data(JSONWriter.bytes(of: record)), line: row.line, endOffset: row.endOffset)
    } catch {
      return UserFileReader.Slice(line: row.line, endOffset: row.endOffset, fault: error)
    }
  }
}
