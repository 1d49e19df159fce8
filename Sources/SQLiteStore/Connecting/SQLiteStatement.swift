import CSQLite3
import Foundation
import SQLAccounts

/// A prepared statement with a buffer for the bound texts.
///
/// Otherwise SQLite would copy each text into memory of its own on every use.
final class SQLiteStatement {
  let handle: OpaquePointer
  private var texts: UnsafeMutablePointer<CChar>
  private var room: Int

  private static let leastRoom = 256
  /// A larger buffer is not kept for the life of the connection.
  private static let usualRoom = 1 << 12

  /// Takes ownership of a statement, which it finalizes at its end.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    room = Self.leastRoom
    texts = .allocate(capacity: room)
  }

  deinit {
    sqlite3_finalize(handle)
    texts.deallocate()
  }

  /// Binds all values, while the statement does not run; returns SQLite's code.
  func bind(_ values: [SQLValue]) -> Int32 {
    if room > Self.usualRoom { makeRoom(for: values) }
    if let code = bindWhereThereIsRoom(values) { return code }
    makeRoom(for: values)
    // The buffer is large enough now.
    return bindWhereThereIsRoom(values) ?? SQLITE_NOMEM
  }

  /// Binds the values of a row, which has to stay in place until the statement has run; returns SQLite's code.
  func bind(_ row: Int, of rows: PackedRows.Reader) -> Int32 {
    for column in 0..<rows.width {
      let place = Int32(column + 1)
      let code =
        switch rows[row, column] {
        case .null: sqlite3_bind_null(handle, place)
        case .integer(let number): sqlite3_bind_int64(handle, place, number)
        case .text(let text): bind(rows.bytes(text), at: place)
        case .textWithNUL(let text):
          sqlite3_bind_blob(
            handle, place, rows.bytes(text).baseAddress, Int32(text.count), nil)
        }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  private func bind(_ text: UnsafeRawBufferPointer, at place: Int32) -> Int32 {
    // A null pointer would bind NULL instead of an empty text.
    let start = text.assumingMemoryBound(to: CChar.self).baseAddress ?? UnsafePointer(texts)
    return sqlite3_bind_text(handle, place, start, Int32(text.count), nil)
  }

  func bind(_ number: Int64, at place: Int) -> Int32 {
    sqlite3_bind_int64(handle, Int32(place), number)
  }

  /// Removes the bound values, whose memory may go away.
  func unbind() { sqlite3_clear_bindings(handle) }

  /// Binds the values; returns nil if the buffer is too small for their texts.
  private func bindWhereThereIsRoom(_ values: [SQLValue]) -> Int32? {
    var used = 0
    for index in values.indices {
      let place = Int32(index + 1)
      let code: Int32
      switch values[index] {
      case .null: code = sqlite3_bind_null(handle, place)
      case .integer(let number): code = sqlite3_bind_int64(handle, place, number)
      case .string(let text):
        guard let bound = bind(text, at: place, &used) else { return nil }
        code = bound
      }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  /// Binds a text.
  ///
  /// One with NUL becomes a BLOB, because SQLite would cut the text off there.
  private func bind(_ text: String, at place: Int32, _ used: inout Int) -> Int32? {
    var text = text
    let start = texts + used
    let left = room - used
    let count = text.withUTF8 { bytes -> Int? in
      guard bytes.count <= left else { return nil }
      if let first = bytes.baseAddress { memcpy(start, first, bytes.count) }
      return bytes.count
    }
    guard let count else { return nil }
    used += count
    // Without a destructor SQLite reads the bytes in place.
    return memchr(start, 0, count) == nil
      ? sqlite3_bind_text(handle, place, start, Int32(count), nil)
      : sqlite3_bind_blob(handle, place, start, Int32(count), nil)
  }

  /// Makes the buffer large enough for the texts of all values; a large one gets the exact size.
  private func makeRoom(for values: [SQLValue]) {
    var needed = 0
    for case .string(let text) in values { needed += text.utf8.count }
    texts.deallocate()
    room = max(needed, Self.leastRoom)
    texts = .allocate(capacity: room)
  }
}
