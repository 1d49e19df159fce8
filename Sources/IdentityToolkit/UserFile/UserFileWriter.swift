import AuthCore
public import Foundation

/// Writes an export record by record: one line a user, so that two exports compare with `diff`.
public struct UserFileWriter {
  private static let partBytes = 1 << 16

  private let write: (Data) throws -> Void
  /// What goes out as one part, because writing takes longer than the record.
  private var part = Data("{\"users\": [".utf8)
  private var isFirst = true

  /// Begins an export.
  public init(write: @escaping (Data) throws -> Void) {
    self.write = write
  }

  /// Adds a user.
  public mutating func add(_ record: UserRecord) throws {
    part.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
    isFirst = false
    part.append(record.json())
    if part.count >= Self.partBytes { try writePart() }
  }

  /// Ends the export.
  public mutating func finish() throws {
    part.append(contentsOf: "\n]}\n".utf8)
    try writePart()
  }

  private mutating func writePart() throws {
    try write(part)
    part.removeAll(keepingCapacity: true)
  }
}
