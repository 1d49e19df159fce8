import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SQLiteStore

/// Much that is written at once lets the log grow, and only then.
@Suite struct BulkTests {
  private struct Interruption: Error {}

  @Test func `the log may grow while much is written, and is in the file afterwards`() async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)

      let during = try await store.writingMuch {
        for number in 0..<3000 { try await store.add("a\(number)") }
        return [try store.pragma("wal_autocheckpoint"), try store.pragma("cache_size")]
      }

      #expect(during == ["65536", "-262144"])
      try expectUsualSizes(store)
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      #expect((log[.size] as? NSNumber)?.intValue == 0)
      // A copy of the file alone has everything.
      let copy = folder + "/copy.sqlite"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      #expect(try await SQLiteStore(path: copy).uids().count == 3000)
    }
  }

  @Test func `work that fails leaves the store as it was`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")

      await #expect(throws: Interruption.self) {
        try await store.writingMuch {
          try await store.add("a")
          throw Interruption()
        }
      }

      try expectUsualSizes(store)
      #expect(try await store.uids() == ["a"])
    }
  }

  @Test func `work that is cancelled leaves the store as it was`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      let work = Task {
        try await store.writingMuch {
          try await store.add("a")
          try await Task.sleep(for: .seconds(600))
        }
      }
      while try await store.uids().isEmpty { await Task.yield() }

      work.cancel()

      await #expect(throws: CancellationError.self) { try await work.value }
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
