import AuthCore
import Crypto
import Foundation
import SQLAccounts

/// SHA-256 digests of the rows of tables, in the source's order.
struct TableDigests {
  private var tables: [String: SHA256] = [:]
  private var current: (table: String, bytes: [UInt8]) = ("", [])

  /// The bytes that are hashed at once, because rows are small and each call has a fixed cost.
  private static let portion = 1 << 16

  mutating func add(_ bytes: [UInt8], of table: String) {
    if current.table != table || current.bytes.count > Self.portion {
      flush()
      current.table = table
    }
    current.bytes += bytes
  }

  /// Returns the digest of each table, and one of all tables.
  ///
  /// No rows may be added afterwards.
  mutating func finished() -> (tables: [String: String], all: String) {
    flush()
    var all = SHA256()
    var texts: [String: String] = [:]
    for table in CopiedTable.all {
      let digest = (tables[table.name] ?? SHA256()).finalize()
      texts[table.name] = digest.hexadecimal
      all.update(data: Data(digest))
    }
    return (texts, all.finalize().hexadecimal)
  }

  private mutating func flush() {
    guard !current.bytes.isEmpty else { return }
    tables[current.table, default: SHA256()].update(data: current.bytes)
    current.bytes.removeAll(keepingCapacity: true)
  }
}
