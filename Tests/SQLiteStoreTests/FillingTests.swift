import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@testable import SQLiteStore

/// A store that is filled in one transaction, with its indexes made last.
@Suite struct FillingTests {
  private struct Interruption: Error {}

  private static let indexes = """
    SELECT group_concat(name || sql) FROM (
      SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name)
    """

  private func key(_ subject: String) -> IdentityKey { IdentityKey(.google, subject: subject) }

  private func account(_ number: Int, subject: String? = nil) throws -> Account {
    let now = Timestamp(milliseconds: 1_750_000_000_123)
    var account = Account(
      id: AccountID("a\(number)"), scope: SQLiteStore.scope, createdAt: now)
    account.email = try EmailAddress("a\(number)@example.com")
    account.emailVerified = true
    account.identities = [
      Identity(key: key(subject ?? "\(number)"), origin: .credential, linkedAt: now)
    ]
    return account
  }

  private func add(_ accounts: [Account], to store: any AccountStore) async throws {
    try await store.write { writer in
      let addresses = accounts.compactMap(\.email).map(AccountKey.email)
      try writer.apply(
        [.requireUnmerged(accounts.map(\.id)), .requireUnknown(addresses), .insert(accounts)],
        in: SQLiteStore.scope)
    }
  }

  private func count(_ store: SQLiteStore) async throws -> Int {
    try await store.read { try $0.accountCount(in: SQLiteStore.scope) }
  }

  @Test(arguments: StoreCheck.all)
  func `keeps the promises of a store`(_ promise: StoreCheck) async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      try await store.filling { try await promise.run($0) }
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test func `has everything and the same indexes afterwards`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      let before = try store.value(Self.indexes)
      let accounts = try (0..<3000).map { try account($0) }

      let during = try await store.filling { filling in
        for start in stride(from: 0, to: 3000, by: 1000) {
          try await add(Array(accounts[start..<start + 1000]), to: filling)
        }
        #expect(try #require(filling as? FillingStore).indexes.areMissing)
        return try await count(store)
      }

      #expect(during == 0, "Other readers see no part.")
      #expect(try await count(store) == 3000)
      #expect(try store.value(Self.indexes) == before)
      #expect(try await store.checkIntegrity() == [])
      let owner = try await store.read {
        try $0.owner(of: key("7"), in: SQLiteStore.scope)
      }
      #expect(owner == AccountID("a7"))
      let search = try TextSearch("a77@example.com")
      let found = try await store.read {
        try $0.accountIDs(found: search, limit: 9, in: SQLiteStore.scope)
      }
      #expect(found == [AccountID("a77")])
      // It behaves like any other store.
      try await add([account(3000)], to: store)
      #expect(try await count(store) == 3001)
    }
  }

  @Test func `finds a conflict with an added account, and within one batch`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      try await store.filling { filling in
        try await add([account(1), account(2)], to: filling)
        await #expect(throws: UniqueKeyConflict.self) {
          try await add([account(3), account(4, subject: "2")], to: filling)
        }
        await #expect(throws: UniqueKeyConflict.self) {
          try await add([account(5), account(1)], to: filling)
        }
        await #expect(throws: UniqueKeyConflict.self) {
          try await add([account(6, subject: "x"), account(7, subject: "x")], to: filling)
        }
        try await add([account(8)], to: filling)
      }
      #expect(try await count(store) == 3)
      #expect(try await store.checkIntegrity() == [])
    }
  }

  @Test(arguments: 0..<3)
  func `finds a conflict with an account that was not looked up`(_ key: Int) async throws {
    let known: AccountKey =
      switch key {
      case 0: .uid(AccountID("a1"))
      case 1: .identity(self.key("1"))
      default: .email(try EmailAddress("A1@example.com"))
      }
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      try await store.filling { filling in
        let some = [try account(1)]
        try await filling.write { writer in
          try writer.apply([.insert(some)], in: SQLiteStore.scope)
        }
        await #expect(throws: UniqueKeyConflict.self) {
          try await filling.write { writer in
            try writer.apply([.requireUnknown([known])], in: SQLiteStore.scope)
          }
        }
      }
      #expect(try await count(store) == 1)
    }
  }

  @Test func `an alias is in the way of its uid`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      try await store.filling { filling in
        try await add([account(1)], to: filling)
        try await filling.write {
          try $0.setAlias(AccountID("a2"), for: AccountID("a1"), in: SQLiteStore.scope)
        }
        await #expect(throws: UniqueKeyConflict.self) { try await add([account(2)], to: filling) }
      }
    }
  }

  @Test func `work that was cancelled before its end leaves nothing`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      let work = Task {
        try await store.filling { filling in
          try await add([account(1)], to: filling)
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await #expect(throws: CancellationError.self) { try await work.value }
      #expect(try await count(store) == 0)
      try store.close()
      await #expect(throws: AuthError.self) { try await store.filling { _ in } }
    }
  }

  @Test func `work that fails or is cancelled leaves nothing`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      let before = try store.value(Self.indexes)

      await #expect(throws: Interruption.self) {
        try await store.filling { filling in
          try await add([account(1)], to: filling)
          throw Interruption()
        }
      }
      let work = Task {
        try await store.filling { filling in
          try await add([account(1)], to: filling)
          try await Task.sleep(for: .seconds(600))
        }
      }
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }

      #expect(try await count(store) == 0)
      #expect(try store.value(Self.indexes) == before)
      try await add([account(1)], to: store)
    }
  }

  @Test func `a store with accounts is refused, and so is one in memory`() async throws {
    try await withTemporaryFolder { folder in
      let store = try SQLiteStore(path: folder + "/accounts.sqlite")
      try await add([account(1)], to: store)
      for store in [store, try SQLiteStore.inMemory()] {
        let error = await #expect(throws: AuthError.self) {
          try await store.filling { try await add([account(2)], to: $0) }
        }
        #expect(error?.code == .operationNotAllowed && error?.remedy != nil)
      }
      #expect(try await count(store) == 1)
    }
  }

  @Test func `others wait to write, and get an error with the reason after their timeout`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/accounts.sqlite"
      let store = try SQLiteStore(path: path)
      let other = try SQLiteStore(path: path, busyTimeout: .milliseconds(50))
      let kept = try await store.filling { filling in
        let error = await #expect(throws: AuthError.self) {
          try await add([account(1)], to: other)
        }
        #expect(error?.code == .storeUnavailable)
        try await add([account(2)], to: filling)
        return filling
      }
      try await add([account(3)], to: other)
      #expect(try await count(store) == 2)
      // The store that was passed to the work has ended.
      await #expect(throws: AuthError.self) { try await add([account(4)], to: kept) }
    }
  }
}
