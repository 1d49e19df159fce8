import AuthCore
import FakeVendors
import IdentityToolkit
import SQLiteStore
import Synchronization
import Testing

@testable import IdentityToolkitService

/// A commit whose answer was lost: the change is there, but the outcome is unknown.
@Suite struct `D10 an unsure commit` {
  /// A store that loses the answers to its next commits.
  private final class UnsureStore: AccountStore {
    private let store: SQLiteStore
    private let isUnsure = Mutex(false)

    init() throws { store = try SQLiteStore.inMemory() }

    func beUnsure(_ isUnsure: Bool) { self.isUnsure.withLock { $0 = isUnsure } }

    func read<Result: Sendable>(
      from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
    ) async throws -> Result { try await store.read(from: source, body) }

    func transact<Result: Sendable>(
      _ purpose: TransactionPurpose,
      _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
    ) async throws -> Result {
      let result = try await store.transact(purpose, body)
      guard purpose == .change, isUnsure.withLock(\.self) else { return result }
      throw AuthError(
        .unsureCommit, "The connection to the store db was lost in a commit.",
        remedy: "Look for the change before you try again.", step: .commit)
    }
  }

  @Test func `D10: clients are told that the change may have been made`() async throws {
    let store = try UnsureStore()
    try await withServer(.production, store: store) { home in
      store.beUnsure(true)
      let reply = try await home.post("/v1/accounts:signUp", ["returnSecureToken": true])
      store.beUnsure(false)
      #expect(reply.status == 503)
      let message = try #require(reply.message)
      #expect(message.hasPrefix("UNSURE_COMMIT : It is not known whether the change was made"))
      #expect(reply.json["error"]?["status"] == "UNAVAILABLE")
      #expect(!reply.text.contains("db"), "nothing of the store")
      // The answer differs from that of other faults.
      #expect(reply.message != WireError.unavailable.message)
    }
  }

  @Test func `D10: a change that ends its own session is reported as unsure, and made once`()
    async throws
  {
    let store = try UnsureStore()
    try await withServer(.production, store: store) { home in
      let form: JSONValue = ["email": "ada@example.com", "password": "a good password"]
      let token = try await home.post("/v1/accounts:signUp", form).text("idToken")
      // The server has seen the account before the change.
      _ = try await home.post(
        "/v1/accounts:update", ["idToken": .string(token), "displayName": "Ada"])
      store.beUnsure(true)
      let reply = try await home.post(
        "/v1/accounts:update", ["idToken": .string(token), "password": "another password"])
      store.beUnsure(false)
      #expect(reply.message?.hasPrefix("UNSURE_COMMIT") == true, "\(reply.text)")
      let account = try #require(
        await home.graph.account(matching: "ada@example.com", in: home.scope))
      let changes = try await home.graph.history(of: account.id, limit: 10, in: home.scope)
      #expect(changes.count == 3, "a sign-up, a name and one password")
    }
  }

  @Test func `D10: a link is reported as unsure`() async throws {
    let store = try UnsureStore()
    try await withServer(.production, store: store) { home in
      let vendors = try await Federation(home)
      let anonymous = try await home.post("/v1/accounts:signUp", ["returnSecureToken": true])
      store.beUnsure(true)
      let reply = try await vendors.signIn(
        .google, FakePerson(subject: "ada"), idToken: try anonymous.text("idToken"))
      store.beUnsure(false)
      #expect(reply.message?.hasPrefix("UNSURE_COMMIT") == true, "\(reply.text)")
      let account = try #require(
        await home.graph.account(AccountID(try anonymous.text("localId")), in: home.scope))
      #expect(account.identities.map(\.provider) == [.google])
      await vendors.stop()
    }
  }

  @Test func `D10: admins get a code of its own`() async throws {
    let store = try UnsureStore()
    try await withServer(.production, store: store) { home in
      let a = try await home.seed("a")
      let b = try await home.seed("b")
      store.beUnsure(true)
      let reply = try await home.admin(
        "POST", "\(home.adminRoot)/merges",
        ["keep": .string(a.id.rawValue), "absorb": .string(b.id.rawValue)])
      store.beUnsure(false)
      #expect(reply.status == 503, "\(reply.text)")
      #expect(reply.json["error"]?["reason"] == "unsure-commit")
      #expect(reply.json["error"]?["remedy"] == "Look for the change before you try again.")
    }
  }
}
