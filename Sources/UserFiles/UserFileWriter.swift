import AuthCore
public import Foundation

/// Writes an export record by record, one user a line, so that two exports can be compared with `diff`.
public struct UserFileWriter: ~Copyable {
  private static let partBytes = 1 << 16

  private let write: (Data) throws -> Void
  /// The bytes that are written as one part, because one write for each record would be slow.
  private var part = JSONWriter()
  private var isFirst = true

  /// Begins an export.
  public init(write: @escaping (Data) throws -> Void) {
    self.write = write
    part.sign("{\"users\": [")
  }

  /// Adds a user.
  public mutating func add(_ record: UserRecord) throws {
    part.sign(isFirst ? "\n" : ",\n")
    isFirst = false
    part.object(record.writeMembers)
    if part.count >= Self.partBytes { try writePart() }
  }

  /// Ends the export.
  public mutating func finish() throws {
    part.sign("\n]}\n")
    try writePart()
  }

  private mutating func writePart() throws {
    try write(Data(part.takeBytes()))
  }
}
