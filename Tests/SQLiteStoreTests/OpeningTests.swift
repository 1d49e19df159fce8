import AuthCore
import Foundation
import SQLiteStore
import Testing
import TestSupport

@Suite struct OpeningTests {
  @Test func `a new store is for its owner alone, and so is its folder`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/new/deeper/accounts.sqlite"

      let store = try SQLiteStore(path: path)
      try await store.add("a")

      for (name, wanted) in [
        ("new", 0o700), ("new/deeper", 0o700), ("new/deeper/accounts.sqlite", 0o600),
        ("new/deeper/accounts.sqlite-wal", 0o600), ("new/deeper/accounts.sqlite-shm", 0o600),
      ] {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        #expect(attributes[.posixPermissions] as? Int == wanted, "\(name)")
      }
    }
  }

  @Test func `committed changes are there after opening again`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      try await store.add("a")
      try store.close()

      let again = try SQLiteStore(path: path)

      #expect(try await again.uids() == ["a"])
      #expect(try await again.checkIntegrity() == [])
    }
  }

  @Test func `an empty file becomes a store`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/empty"
      try Data().write(to: URL(filePath: path))

      let store = try SQLiteStore(path: path)
      try await store.add("a")

      #expect(try await store.uids() == ["a"])
    }
  }

  @Test(arguments: [(SQLiteStore.Durability.full, 2), (.normal, 1)])
  func `durability settings reach SQLite`(
    _ durability: SQLiteStore.Durability, _ wanted: Int
  ) async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/a.sqlite", durability: durability)

      #expect(try store.pragma("synchronous") == "\(wanted)")
      #expect(try store.pragma("journal_mode") == "wal")
      #expect(try store.pragma("foreign_keys") == "1")
    }
  }

  @Test func `migrations are only ever added`() {
    #expect(
      SQLiteStore.migrationNames == [
        "1-accounts", "2-audit", "3-one-time-records", "4-predecessors", "5-sessions",
        "6-ownership", "7-sweeping", "8-generation", "9-searching",
        "10-policy-decisions",
      ])
  }

  @Test func `accounts of before searches are found`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/old.sqlite"
      try SQLiteStore.makeFile(path: path, migrations: 8)
      try SQLiteStore.execute(
        """
        INSERT INTO accounts (project, tenant, uid, revision, email, email_canonical,
          email_verified, display_name, disabled, is_anonymous, created_at)
        VALUES ('p', '', 'a', 1, 'grace.haas1647@gmail.com', 'grace.haas1647@gmail.com', 0,
            'Grace Haas', 0, 0, 0),
          ('p', 't', 'b', 1, NULL, NULL, 0, NULL, 0, 0, 0);
        INSERT INTO identities (project, tenant, uid, position, provider, issuer, subject, email,
          email_verified, origin, linked_at)
        VALUES ('p', 't', 'b', 0, 'apple.com', '', '1', 'xyz@privaterelay.appleid.com', 0,
          'credential', 0);
        """, inFile: path)

      let store = try SQLiteStore(path: path)

      for (text, tenant, uids) in [
        ("haas", nil, ["a"]), ("grace h", nil, ["a"]), ("xyz@privaterelay", "t", ["b"]),
        ("haas", "t", []),
      ] {
        let search = try TextSearch(text)
        let found = try await store.read {
          try $0.accountIDs(found: search, limit: 9, in: Scope(project: "p", tenant: tenant))
        }
        #expect(found.map(\.rawValue) == uids, "\(text)")
      }
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test func `D6: histories of before sweeps are kept`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/old.sqlite"
      try SQLiteStore.makeFile(path: path, migrations: 6)
      try SQLiteStore.execute(
        """
        INSERT INTO events (project, tenant, id, at, actor, action, account, details)
        VALUES ('p', '', 'e1', 1, 'anyone', 'sign-in', 'a', '{}');
        INSERT INTO event_accounts VALUES ('p', '', 'a', 1);
        """, inFile: path)

      let store = try SQLiteStore(path: path)

      let scope = Scope(project: "p")
      let history = try await store.read {
        try $0.events(about: [AccountID("a")], before: nil, limit: 9, in: scope)
      }
      #expect(history.map(\.id) == ["e1"])
      try await store.sweep { sweeper in
        for event in try sweeper.oldestEvents(after: 0, limit: 9, in: scope) {
          try sweeper.apply([.removeEvent(event)], in: scope)
        }
      }
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test func `a file that only went through the first migration is brought up to date`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/old.sqlite"
      try SQLiteStore.makeFile(path: path, migrations: 1)

      let store = try SQLiteStore(path: path)
      try await store.add("a")

      #expect(try await store.uids() == ["a"])
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test func `F13: remains of deleted accounts from earlier versions end at opening`() async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/old.sqlite"
      try SQLiteStore.makeFile(path: path, migrations: 5)
      try SQLiteStore.execute(
        """
        INSERT INTO accounts
          (project, tenant, uid, revision, email_verified, disabled, is_anonymous, created_at)
        VALUES ('p', '', 'x', 1, 0, 0, 0, 0);
        INSERT INTO aliases (project, tenant, absorbed, survivor)
        VALUES ('p', '', 'b', 'a'), ('p', '', 'c', 'b'), ('p', '', 'y', 'x'), ('p', '', 'z', 'y');
        INSERT INTO merges (project, tenant, id, at, survivor, absorbed, state, json)
        VALUES ('p', '', '1', 0, 'a', 'b', 'standing', ''), ('p', '', '2', 0, 'y', 'z', 'standing', ''), ('p', '', '3', 0, 'x', 'w', 'undone', '');
        INSERT INTO sessions (project, tenant, id, uid, json)
        VALUES ('p', '', '1', 'a', ''), ('p', '', '2', 'x', ''), ('p', '', '3', 'z', '');
        """, inFile: path)

      let store = try SQLiteStore(path: path)

      let scope = Scope(project: "p")
      let found = try await store.read { reader in
        (
          survivors: try ["b", "c", "y", "z"].map { uid in
            try reader.survivor(of: AccountID(uid), in: scope)?.rawValue
          },
          account: try reader.resolved(AccountID("z"), in: scope),
          scopes: try reader.scopes(having: .endedMerges)
        )
      }
      #expect(found.survivors == [nil, nil, "x", "y"])
      #expect(found.account?.id == AccountID("x") && found.account?.ownership == nil)
      #expect(found.scopes == [scope])
      try store.close()
      let merges = "SELECT id FROM merges WHERE ended_at > 0"
      #expect(try SQLiteStore.texts(merges, inFile: path) == ["1", "3"])
      let sessions = "SELECT id FROM sessions ORDER BY id"
      #expect(try SQLiteStore.texts(sessions, inFile: path) == ["2", "3"])
    }
  }

  @Test func `many may open one new file at once`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"

      try await withThrowingTaskGroup { group in
        for number in 0..<12 {
          group.addTask { try await SQLiteStore(path: path).add("a\(number)") }
        }
        try await group.waitForAll()
      }

      #expect(try await SQLiteStore(path: path).uids().count == 12)
    }
  }

  @Test func `a backup is a store of its own, for its owner alone`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/a.sqlite")
      try await store.add("a")

      try await store.backup(to: folder + "/copies/b.sqlite")
      try await store.add("later")

      let copy = try SQLiteStore(path: folder + "/copies/b.sqlite")
      #expect(try await copy.uids() == ["a"])
      #expect(try await copy.checkIntegrity() == [])
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder + "/copies/b.sqlite")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `a backup never replaces a file`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/a.sqlite")
      let path = folder + "/b.sqlite"
      try Data("precious".utf8).write(to: URL(filePath: path))

      let error = await #expect(throws: AuthError.self) { try await store.backup(to: path) }

      #expect(error?.code == .storeUnavailable)
      #expect(error?.message.contains(path) == true)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
    }
  }

  @Test func `a store that is opened for reading sees others' changes, and takes none`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sqlite"
      let store = try SQLiteStore(path: path)
      try await store.add("a")
      let reading = try SQLiteStore(reading: path)
      try await store.add("b")

      #expect(try await reading.uids() == ["a", "b"])
      #expect(try await reading.checkIntegrity() == [])
      let error = await #expect(throws: AuthError.self) { try await reading.add("c") }
      #expect(error?.code == .storeUnavailable)
      #expect(try await store.uids() == ["a", "b"])
    }
  }

  @Test func `a store is not made or brought up to date for reading, but is backed up`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let none = folder + "/none.sqlite"
      #expect(throws: AuthError.self) { try SQLiteStore(reading: none) }
      #expect(!FileManager.default.fileExists(atPath: none))

      let older = folder + "/older.sqlite"
      try SQLiteStore.makeFile(path: older, migrations: 3)
      let before = try Data(contentsOf: URL(filePath: older))
      let error = #expect(throws: AuthError.self) { try SQLiteStore(reading: older) }
      #expect(error?.message.contains("older version") == true)
      let copy = folder + "/copy.sqlite"
      try await SQLiteStore(firstReading: older, ofAnyVersion: true).backup(to: copy)
      #expect(try Data(contentsOf: URL(filePath: older)) == before)
      #expect(try await SQLiteStore(path: copy).uids() == [])
    }
  }

  @Test func `a backup replaces a file if that is wanted, but no store in use`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/a.sqlite")
      try await store.add("a")
      let path = folder + "/b.sqlite"
      try Data("old".utf8).write(to: URL(filePath: path))

      #expect(try await store.backup(to: path, replacing: true) == 1)

      let copy = try SQLiteStore(path: path)
      #expect(try await copy.uids() == ["a"])
      await #expect(throws: AuthError.self) {
        try await store.backup(to: folder + "/a.sqlite", replacing: true)
      }
      await #expect(throws: AuthError.self) { try await store.backup(to: path, replacing: true) }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
          $0.hasPrefix("a.") || $0.hasPrefix("b.sqlite") && $0.count <= 12
        })
    }
  }
}
