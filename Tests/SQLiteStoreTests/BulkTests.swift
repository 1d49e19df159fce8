import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SQLiteStore

/// The log grows during large writes, and only then.
@Suite struct BulkTests {
  /// Adds accounts, 500 in a transaction.
  private func add(_ numbers: Range<Int>, to store: SQLiteStore) async throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500) {
      let accounts = (start..<min(start + 500, numbers.upperBound)).map { number in
        Account(
          id: AccountID("a\(number)"), scope: SQLiteStore.scope,
          createdAt: Timestamp(milliseconds: 0))
      }
      try await store.write { try $0.apply([.insert(accounts)], in: SQLiteStore.scope) }
    }
  }

  @Test func `the log may grow while much is written, and is in the file afterwards`() async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)

      try await add(0..<3000, to: store)
      #expect(try store.pragma("wal_autocheckpoint") == "65536")
      #expect(try store.pragma("cache_size") == "-262144")
      try await store.add("last")

      try expectUsualSizes(store)
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      #expect((log[.size] as? NSNumber)?.intValue == 0)
      // A copy of the file alone is complete.
      let copy = folder + "/copy.sqlite"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      #expect(try await SQLiteStore(path: copy).uids().count == 3001)
    }
  }

  @Test func `a few large changes, or small ones between them, leave the sizes as they are`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")

      try await add(0..<1000, to: store)
      try expectUsualSizes(store)
      try await store.add("small")
      try await add(1000..<2000, to: store)

      try expectUsualSizes(store)
    }
  }

  private func expectUsualSizes(_ store: SQLiteStore) throws {
    #expect(try store.pragma("wal_autocheckpoint") == "1000")
    #expect(try store.pragma("cache_size") == "-32768")
  }

  @Test func `a text of any length is bound whole, also after a longer one`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      let names = [0, 1, 255, 256, 257, 4096, 100_000, 3, 5000].map { count in
        String(repeating: "n", count: count)
      }

      for (number, name) in names.enumerated() { try await store.add("a\(number)", name: name) }

      for (number, name) in names.enumerated() {
        let account = try await store.read {
          try $0.account(AccountID("a\(number)"), in: SQLiteStore.scope)
        }
        #expect(account?.displayName == name)
      }
    }
  }
}
