import Foundation
import GRDBSQLite
import SQLAccounts

/// A prepared statement with room for the texts that are bound to it.
///
/// SQLite would copy each text into memory of its own for every use.
final class SQLiteStatement {
  let handle: OpaquePointer
  private var texts: UnsafeMutablePointer<CChar>
  private var room: Int

  private static let leastRoom = 256
  /// More than that is not kept until the connection closes.
  private static let usualRoom = 1 << 12

  /// Takes a statement, and finalizes it at its end.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    room = Self.leastRoom
    texts = .allocate(capacity: room)
  }

  deinit {
    sqlite3_finalize(handle)
    texts.deallocate()
  }

  /// Binds the values of all places, while the statement does not run; gives SQLite's code.
  func bind(_ values: [SQLValue]) -> Int32 {
    makeRoom(for: values)
    var used = 0
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, place)
        case .integer(let number): sqlite3_bind_int64(handle, place, number)
        case .string(let text): bind(text, at: place, &used)
        }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  /// A text that contains a NUL goes in as a BLOB, because SQLite would cut it off there.
  private func bind(_ text: String, at place: Int32, _ used: inout Int) -> Int32 {
    let start = texts + used
    var text = text
    let count = text.withUTF8 { bytes in
      if let first = bytes.baseAddress { memcpy(start, first, bytes.count) }
      return bytes.count
    }
    used += count
    // Without a destructor SQLite reads the bytes where they are.
    return memchr(start, 0, count) == nil
      ? sqlite3_bind_text(handle, place, start, Int32(count), nil)
      : sqlite3_bind_blob(handle, place, start, Int32(count), nil)
  }

  private func makeRoom(for values: [SQLValue]) {
    var needed = 0
    for case .string(let text) in values { needed += text.utf8.count }
    guard needed > room || room > Self.usualRoom else { return }
    texts.deallocate()
    room = max(needed, Self.leastRoom)
    texts = .allocate(capacity: room)
  }
}
