import AuthCore
import AuthTesting
import Logging
import SQLiteStore
import SessionTokens
import Synchronization
import Testing

@testable import IdentityToolkitService

/// Failures of the store at every write of an operation: the answer reports them, and nothing was changed.
@Suite struct StoreFaultTests {
  @Test(arguments: FaultOperation.cases)
  func `nothing half done is left wherever the store fails`(
    _ row: (operation: FaultOperation, mode: ServerMode)
  ) async throws {
    var point = 0
    while try await attempt(row.operation, row.mode, failingAt: point) {
      point += 1
      try #require(point < 60, "the operation writes without end")
    }
    // At least one row, and the commit.
    #expect(point > 0, "it writes nothing")
  }

  /// Returns true if the point was reached.
  private func attempt(
    _ operation: FaultOperation, _ mode: ServerMode, failingAt point: Int
  ) async throws -> Bool {
    let store = FaultyStore(try SQLiteStore.inMemory())
    let wasReached = Mutex(false)
    try await withServer(mode, store: store, configure: Self.configure) { home in
      // The project exists, and so does a signing key.
      try await home.touch()
      try await home.change { $0.trust[.google] = .always }
      _ = try await home.post(ServerHome.signUp)
      let input = try await operation.prepare(home)
      let before = try await Self.accounts(store)

      store.failAfter(point)
      let reply = try await operation.run(home, input)
      let reached = !store.isArmed
      store.failAfter(nil)
      wasReached.withLock { $0 = reached }

      guard reached else {
        #expect(reply.status == 200, "\(reply.text)")
        return
      }
      #expect(!reply.text.contains("InjectedFault"))
      if reply.status >= 500 {
        #expect(reply.json["error"]?["status"] == "INTERNAL", "\(reply.text)")
      } else {
        #expect(reply.status == 200, "point \(point): \(reply.text)")
      }
      // A failure after the commit, such as in issuing tokens, leaves the whole change; any other leaves none of it.
      let after = try await Self.accounts(store)
      try await Self.checkWhole(after, store)
      let again = try await operation.run(home, input)
      if reply.status == 500, after == before, !operation.isOnce {
        #expect(again.status == 200, "point \(point): \(again.text)")
      } else {
        #expect(again.status < 500, "point \(point): \(again.text)")
      }
    }
    return wasReached.withLock { $0 }
  }

  /// Believes vendors in both modes, because the store is under test.
  private static func configure(_ setup: inout ServerSetup) {
    setup.logger.logLevel = .critical
    setup.providers = { registry, _ in .emulator(over: registry) }
  }

  private static func accounts(_ store: FaultyStore) async throws -> [Account] {
    try await store.read { reader in
      try reader.accounts(
        matching: AccountFilter(), after: nil, limit: 100,
        in: Scope(project: ServerHome.project))
    }
  }

  /// Checks that every identity leads to its account, and that every account has an event that explains its state.
  private static func checkWhole(_ accounts: [Account], _ store: FaultyStore) async throws {
    try await store.read { reader in
      for account in accounts {
        for identity in account.identities {
          #expect(try reader.owner(of: identity.key, in: account.scope) == account.id)
        }
        let events = try reader.events(
          about: [account.id], before: nil, limit: 10, in: account.scope)
        #expect(!events.isEmpty, "no event of \(account.id)")
      }
    }
  }
}
