import CSQLite3
import Foundation
import SQLAccounts
import Testing
import TestSupport

@testable import SQLiteStore

@Suite struct InterruptionTests {
  @Test func `a backup that is cancelled leaves no file`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/a.sqlite")
      let backup = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.backup(to: folder + "/b.sqlite")
      }

      await #expect(throws: CancellationError.self) { try await backup.value }

      #expect(!FileManager.default.fileExists(atPath: folder + "/b.sqlite"))
    }
  }

  @Test func `a check that is cancelled ends`() async throws {
    let store = try SQLiteStore.inMemory()
    let check = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.checkIntegrity()
    }

    await #expect(throws: CancellationError.self) { _ = try await check.value }
    #expect(try await store.checkIntegrity() == [])
  }

  @Test func `a statement that runs is interrupted, and the next one is not`() throws {
    let connection = try SQLiteConnection(path: ":memory:", readOnly: false)
    let interruption = Interruption()
    let endless =
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'n' FROM n"
    let failure = #expect(throws: StoreFailure.self) {
      try interruption.during(connection) {
        var rows = 0
        try connection.each(SQLStatement(endless, [])) { _ in
          rows += 1
          if rows == 3 { interruption.cancel() }
        }
      }
    }

    #expect(failure?.basicCode == SQLITE_INTERRUPT)
    #expect(try connection.texts("SELECT 'a'") == ["a"])
    #expect(throws: CancellationError.self) { try interruption.during(connection) {} }
  }
}
