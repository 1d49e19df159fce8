import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

/// Files that are not a store.
///
/// A refused file must not change.
@Suite struct BadFileTests {
  @Test func `a file that is no database is refused and left alone`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/notes.txt"
      let notes = Data(String(repeating: "These are my notes. ", count: 500).utf8)
      try notes.write(to: URL(filePath: path))

      try expectUnavailable(path, saying: "is not a database")

      #expect(try Data(contentsOf: URL(filePath: path)) == notes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
    }
  }

  @Test func `a short file that is no database is refused and left alone`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/notes.txt"
      try Data("x".utf8).write(to: URL(filePath: path))

      try expectUnavailable(path, saying: "is not a database")

      #expect(try Data(contentsOf: URL(filePath: path)) == Data("x".utf8))
    }
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `another application's database is refused and left alone`(_ journal: String) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/other.sqlite"
      try runProgram(
        "sqlite3", [path, "PRAGMA journal_mode=\(journal); CREATE TABLE accounts (uid TEXT);"])
      let before = try Data(contentsOf: URL(filePath: path))

      try expectUnavailable(path, saying: "belongs to another application")

      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a database that another application has marked is refused, also while it is empty`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/other.sqlite"
      try runProgram("sqlite3", [path, "PRAGMA application_id = 252006673;"])
      let before = try Data(contentsOf: URL(filePath: path))

      try expectUnavailable(path, saying: "belongs to another application")

      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a store of a newer version is refused and left alone`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/newer.sqlite"
      try SQLiteStore(path: path).close()
      try runProgram("sqlite3", [path, "INSERT INTO migrations (name) VALUES ('99-future');"])
      let before = try Data(contentsOf: URL(filePath: path))

      let error = try expectUnavailable(path, saying: "newer version (99-future)")

      #expect(error.remedy?.contains("Update") == true)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a folder is refused`() async throws {
    try await withTemporaryFolder { folder in
      try expectUnavailable(folder, saying: "is a folder")
    }
  }

  @Test func `a path below a file is refused`() async throws {
    try await withTemporaryFolder { folder in
      try Data("x".utf8).write(to: URL(filePath: folder + "/file"))

      try expectUnavailable(folder + "/file/accounts.sqlite", saying: "cannot be made")
    }
  }

  @Test func `a path in a folder without write access is refused`() throws {
    try expectUnavailable("/proc/accounts.sqlite", saying: "cannot be made")
    try expectUnavailable("/proc/deeper/accounts.sqlite", saying: "cannot be made")
  }

  @Test(.enabled(if: SmallDisk.isPossible, "a small disk can be mounted"))
  func `a store on a read-only disk is refused`() async throws {
    try await withTemporaryFolder { folder in
      let disk = try SmallDisk(at: folder + "/disk", size: "1m")
      defer { disk.unmount() }
      let path = folder + "/disk/accounts.sqlite"
      try SQLiteStore(path: path).close()

      try disk.makeReadOnly()

      try expectUnavailable(path, saying: "cannot be")
      try expectUnavailable(folder + "/disk/new.sqlite", saying: "cannot be made")
    }
  }

  @Test func `names that mean something to SQLite are names of files`() async throws {
    try await withTemporaryFolder { folder in
      for name in [":memory:", "file:x?mode=memory", "100% ?#&.sqlite", "ä 😀.sqlite"] {
        let path = folder + "/" + name

        try await SQLiteStore(path: path).add("a")

        #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        #expect(try await SQLiteStore(path: path).uids() == ["a"], "\(name)")
      }
    }
  }

  @Test func `a store that was cut off is refused, at the latest by the check`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/cut.sqlite"
      let store = try SQLiteStore(path: path)
      for number in 0..<200 {
        try await store.add("a\(number)", name: String(repeating: "long ", count: 50))
      }
      try store.close()
      let whole = try Data(contentsOf: URL(filePath: path))

      for part in [100, 4096, whole.count / 2, whole.count - 4096] {
        try whole.prefix(part).write(to: URL(filePath: path))

        let findings: [String]
        do {
          let cut = try SQLiteStore(path: path)
          findings = try await cut.checkIntegrity()
        } catch let error as AuthError {
          expectUnavailable(error, path, saying: "The ")
          findings = [error.message]
        }

        #expect(!findings.isEmpty, "cut to \(part) of \(whole.count) bytes")
      }
    }
  }

  @Test func `damage in the middle of a store is found by reading or by the check`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/damaged.sqlite"
      let store = try SQLiteStore(path: path)
      for number in 0..<200 { try await store.add("a\(number)") }
      try store.close()
      var bytes = try Data(contentsOf: URL(filePath: path))
      for index in (bytes.count / 2)..<(bytes.count / 2 + 20_000) { bytes[index] = 0xA5 }
      try bytes.write(to: URL(filePath: path))

      let findings: [String]
      do {
        findings = try await SQLiteStore(path: path).checkIntegrity()
      } catch let error as AuthError {
        expectUnavailable(error, path, saying: "damaged")
        findings = [error.message]
      }

      #expect(!findings.isEmpty)
    }
  }

  @Test func `a row with an invalid value is an error that names the store`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/odd.sqlite"
      let store = try SQLiteStore(path: path)
      try await store.add("a")
      try store.execute("UPDATE accounts SET email = 'nonsense', created_at = 'noon'")

      let error = await #expect(throws: AuthError.self) { _ = try await store.uids() }

      #expect(error?.code == .storeUnavailable)
      #expect(error?.message.contains(path) == true)
    }
  }

  @Test func `contradictions between rows are found by the check`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/a.sqlite")
      try await store.add("a")
      try await store.add("b")
      try store.execute("PRAGMA foreign_keys = OFF")
      let breaks = [
        "INSERT INTO aliases VALUES ('test', '', 'a', 'b')": "both an account and an alias",
        "UPDATE accounts SET verified_email = 'x@example.com' WHERE uid = 'a'":
          "verified e-mail of the account a",
        "UPDATE accounts SET email = 'x@example.com' WHERE uid = 'b'": "without its canonical form",
        """
        INSERT INTO identities (project, tenant, uid, position, provider, issuer, subject,
          email_verified, origin, linked_at)
        VALUES ('test', '', 'ghost', 3, 'google.com', '', '1', 0, 'credential', 0)
        """: "A row of identities refers to one that does not exist",
        "INSERT INTO outbox (sequence) VALUES (77)": "the event 77, which does not exist",
      ]

      #expect(try await store.checkIntegrity() == [])
      for (sql, finding) in breaks {
        try store.execute(sql)
        let findings = try await store.checkIntegrity()
        #expect(findings.contains { $0.contains(finding) }, "\(finding): \(findings)")
      }
    }
  }
}
