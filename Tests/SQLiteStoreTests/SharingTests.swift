import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// Several stores and processes on one file.
@Suite struct SharingTests {
  @Test func `a file locked by another process is an error after the timeout`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path, busyTimeout: .milliseconds(200))
      let holder = try LockHolder(path)

      let error = await #expect(throws: AuthError.self) { try await store.add("a") }
      try holder.release()
      try await store.add("b")

      let refusal = try #require(error)
      expectUnavailable(refusal, path, saying: "locked for longer than 0.2 seconds")
      #expect(try await store.uids() == ["b"])
    }
  }

  @Test func `readers go on while another process holds the file`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      try await store.add("a")
      let holder = try LockHolder(path)

      #expect(try await store.uids() == ["a"])
      try holder.release()
    }
  }

  @Test func `readers go on while many writers wait for another process`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path, busyTimeout: .seconds(60))
      try await store.add("a")
      let holder = try LockHolder(path)

      try await withThrowingTaskGroup { group in
        for number in 0..<50 { group.addTask { try await store.add("b\(number)") } }
        // More reads than threads: a waiting writer blocks none of them.
        for _ in 0..<50 { #expect(try await store.uids() == ["a"]) }
        try holder.release()
        try await group.waitForAll()
      }

      #expect(try await store.uids().count == 51)
    }
  }

  @Test func `a writer waits for another process that lets go in time`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path, busyTimeout: .seconds(60))
      let holder = try LockHolder(path)

      async let written: Void = store.add("a")
      try holder.release()
      try await written

      #expect(try await store.uids() == ["a"])
    }
  }

  @Test func `a new file that another process holds is refused and tried again later`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let holder = try LockHolder(path)

      try expectUnavailable(path, saying: "locked", busyTimeout: .milliseconds(200))
      try holder.release()

      try await SQLiteStore(path: path).add("a")
    }
  }

  @Test func `two stores on one file lose nothing of what both write`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let stores = [
        try SQLiteStore(path: path, busyTimeout: .seconds(60)),
        try SQLiteStore(path: path, busyTimeout: .seconds(60)),
      ]

      try await withThrowingTaskGroup { group in
        for (index, store) in stores.enumerated() {
          for number in 0..<30 {
            group.addTask {
              try await store.add("\(index).\(number)")
              try await store.count()
            }
          }
        }
        try await group.waitForAll()
      }

      for store in stores {
        #expect(try await store.uids().count == 60)
        #expect(
          try await store.read { try $0.checkpoint("count", in: SQLiteStore.scope) } == "60")
      }
      #expect(try await stores[0].checkIntegrity() == [])
    }
  }

  @Test func `settings that another store saved count at once`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let (mine, other) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
      for seconds in Int64(1)...5 {
        try await other.write { writer in
          var settings = try writer.settings(of: SQLiteStore.scope)
          settings.recentLoginSeconds = seconds
          try writer.save(settings, for: SQLiteStore.scope)
        }

        let seen = try await mine.read { try $0.settings(of: SQLiteStore.scope) }
        #expect(seen.recentLoginSeconds == seconds)
      }
    }
  }

  @Test func `processes of other programs write beside the store`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path, busyTimeout: .seconds(60))
      try await store.count()
      let writers = try (0..<3).map { _ in try CountingProcess(path, times: 20) }

      for _ in 0..<20 { try await store.count() }
      for writer in writers { #expect(writer.wait() == 0) }

      #expect(try await store.read { try $0.checkpoint("count", in: SQLiteStore.scope) } == "81")
    }
  }

  @Test func `committed changes of a killed process are there, and others are not`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      try await store.count()
      try store.close()
      let killed = try LockHolder(
        path,
        before: "UPDATE checkpoints SET value = '7';",
        inside: "UPDATE checkpoints SET value = 'lost';")

      killed.kill()

      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      let again = try SQLiteStore(path: path)
      #expect(try await again.read { try $0.checkpoint("count", in: SQLiteStore.scope) } == "7")
      #expect(try await again.checkIntegrity() == [])
    }
  }

  @Test func `a log cut off in the middle of a commit loses only that commit`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      for number in 0..<5 { try await store.add("a\(number)") }
      let copy = folder + "/copy.sqlite"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      let log = try Data(contentsOf: URL(filePath: path + "-wal"))

      try log.dropLast(100).write(to: URL(filePath: copy + "-wal"))

      let cut = try SQLiteStore(path: copy)
      #expect(try await cut.uids() == (0..<4).map { "a\($0)" })
      #expect(try await cut.checkIntegrity() == [])
    }
  }
}

/// Another process with an exclusive transaction.
private final class LockHolder {
  private let process = Process()
  private let input = Pipe()

  init(_ path: String, before: String = "", inside: String = "") throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-bail", path]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    try send("\(before) BEGIN EXCLUSIVE; \(inside) SELECT 'held';\n")
    // Its output shows that it has the lock.
    _ = try output.fileHandleForReading.read(upToCount: 5)
  }

  func release() throws {
    try send("COMMIT;\n")
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Kills the process, like a power cut.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func send(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
  }
}

/// Another process that increments the same number.
private struct CountingProcess {
  private let process = Process()

  init(_ path: String, times: Int) throws {
    let sql = "BEGIN IMMEDIATE; UPDATE checkpoints SET value = value + 1; COMMIT;"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["sqlite3", "-bail", "-cmd", ".timeout 60000", path] + Array(repeating: sql, count: times)
    try process.run()
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
