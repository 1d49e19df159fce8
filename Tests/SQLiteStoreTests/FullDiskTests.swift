import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

@Suite struct FullDiskTests {
  @Test func `a full store refuses what does not fit, and works again when there is room`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      try store.execute("PRAGMA max_page_count = 60")

      var error: AuthError?
      var added = 0
      while error == nil {
        do {
          try await store.add("a\(added)", name: String(repeating: "long ", count: 400))
          added += 1
        } catch let failure as AuthError {
          error = failure
        }
      }

      expectUnavailable(try #require(error), path, saying: "no room left")
      #expect(try await store.uids().count == added)
      try store.execute("PRAGMA max_page_count = 6000")
      try await store.add("z")
      #expect(try await store.uids().count == added + 1)
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test func `concurrent writes on a full disk each get an error, and none is half there`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      try store.execute("PRAGMA max_page_count = 60")

      let outcomes = await withTaskGroup(of: String?.self) { group in
        for number in 0..<120 {
          group.addTask {
            do {
              try await store.add("a\(number)", name: String(repeating: "long ", count: 400))
              return "a\(number)"
            } catch {
              return (error as? AuthError)?.code == .storeUnavailable ? nil : "\(error)"
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }

      let added = outcomes.compactMap(\.self)
      #expect(!added.isEmpty && added.count < 120)
      #expect(try await store.uids() == added.sorted())
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "a small disk can be mounted"))
  func `a disk that is really full is an error that says so`() async throws {
    try await withTemporaryFolder { folder in
      let disk = try SmallDisk(at: folder + "/disk", size: "1m")
      defer { disk.unmount() }
      let path = folder + "/disk/accounts.sqlite"
      var error: AuthError?
      var added = 0
      do {
        let store = try SQLiteStore(path: path)
        while error == nil {
          do {
            try await store.add("a\(added)", name: String(repeating: "long ", count: 400))
            added += 1
          } catch let failure as AuthError {
            error = failure
          }
        }

        expectUnavailable(try #require(error), path, saying: "no room left")
        #expect(try await store.uids().count == added)
        try store.close()
      }

      let again = try SQLiteStore(path: path)
      #expect(try await again.uids().count == added)
      #expect(try await again.checkIntegrity() == [])
      try again.close()
    }
  }
}
