import AuthCore
public import Foundation

/// Writes an export record by record: one line a user, so that two exports compare with `diff`.
public struct UserFileWriter {
  private let write: (Data) throws -> Void
  private var isFirst = true

  /// Begins an export.
  public init(write: @escaping (Data) throws -> Void) throws {
    self.write = write
    try write(Data("{\"users\": [".utf8))
  }

  /// Adds a user.
  public mutating func add(_ record: UserRecord) throws {
    try write(Data((isFirst ? "\n" : ",\n").utf8))
    isFirst = false
    try write(try record.json())
  }

  /// Ends the export.
  public func finish() throws {
    try write(Data("\n]}\n".utf8))
  }
}
