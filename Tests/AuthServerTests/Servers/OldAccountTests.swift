import AuthCore
import AuthTesting
import BuiltInProviders
import IdentityToolkitService
import Synchronization
import TestSupport
import Testing

/// Changes by one server to an account that another server saw before.
@Suite struct `An account that another server changed` {
  /// A change, made at the second server.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (ServerHome, _ uid: AccountID) async throws -> Void

    init(
      _ name: String,
      _ make: @escaping @Sendable (ServerHome, _ uid: AccountID) async throws -> Void
    ) {
      testDescription = name
      self.make = make
    }

    static let all = [
      Change("nothing") { _, _ in },
      Change("a name") { try await $0.change($1) { $0.displayName = .set("Ada Lovelace") } },
      Change("another address") {
        try await $0.change($1) { $0.email = .set(try EmailAddress("else@example.com")) }
      },
      Change("no address any more") { try await $0.change($1) { $0.email = .clear } },
      Change("an identity more") {
        _ = try await $0.graph.assert(
          IdentityKey(ProviderID("github.com"), subject: "1"), profile: IdentityProfile(), on: $1,
          by: $0.admin)
      },
      Change("a revocation") { _ = try await $0.graph.revokeSessions(of: $1, by: $0.admin) },
      Change("disabling") { _ = try await $0.graph.setDisabled(true, $1, by: $0.admin) },
      Change("disabling and enabling") {
        for isDisabled in [true, false] {
          _ = try await $0.graph.setDisabled(isDisabled, $1, by: $0.admin)
        }
      },
      Change("deletion") { _ = try await $0.graph.delete($1, by: $0.admin) },
      Change("deletion and another account of the uid") {
        _ = try await $0.graph.delete($1, by: $0.admin)
        _ = try await $0.graph.create(ProfileChanges(), uid: $1, by: $0.admin)
      },
      Change("a merge into another account") {
        let other = try await $0.graph.create(ProfileChanges(), by: $0.admin).accountID
        let plan = try await $0.graph.planMerge(keep: other, absorb: $1, in: $0.scope)
        _ = try await $0.graph.commit(plan, by: $0.admin)
      },
      Change("a merge of another account into it") {
        let other = try await $0.graph.create(ProfileChanges(), by: $0.admin).accountID
        let plan = try await $0.graph.planMerge(keep: $1, absorb: other, in: $0.scope)
        _ = try await $0.graph.commit(plan, by: $0.admin)
      },
      Change("the identity of the session away and back") {
        let account = try #require(try await $0.graph.account($1, in: $0.scope))
        let key = try #require(account.identities.first?.key)
        guard key.provider != .password else { return }
        _ = try await $0.graph.unlink(key.provider, from: $1, force: true, by: $0.admin)
        _ = try await $0.graph.assert(key, profile: IdentityProfile(), on: $1, by: $0.admin)
      },
    ]
  }

  /// The requests of the account's session.
  static let requests: [(name: String, body: [String: JSONValue])] = [
    ("name", ["displayName": "Ada"]),
    ("own address", ["email": "old@example.com"]),
    ("password", ["password": "another password"]),
    ("address and password", ["email": "next@example.com", "password": "another password"]),
    ("unlink", ["deleteProvider": ["github.com"]]),
    ("unlink password", ["deleteProvider": ["password"]]),
    ("attributes away", ["deleteAttribute": ["DISPLAY_NAME"]]),
    ("nothing", [:]),
  ]

  @Test(arguments: Change.all)
  func `answers requests as a server that never saw it`(_ change: Change) async throws {
    for request in Self.requests {
      let old = try await outcome(of: request.body, after: change, forgetting: false)
      let fresh = try await outcome(of: request.body, after: change, forgetting: true)
      #expect(old == fresh, "\(request.name)")
    }
  }

  /// Returns the outcome of a request at the first server after a change at the second.
  private func outcome(
    of body: [String: JSONValue], after change: Change, forgetting forgets: Bool
  ) async throws -> String {
    let outcome = Mutex("")
    let secrets = EphemeralSealing()
    let store = MemoryStore()
    let configure: @Sendable (inout ServerSetup) -> Void = { setup in
      setup.secrets = secrets
      setup.settings = { $0.rateLimits = .none }
    }
    try await withServer(.production, store: store, configure: configure) { first in
      try await withServer(.production, store: store, configure: configure) { second in
        let token = try await first.post(
          "/v1/accounts:signUp", ["email": "old@example.com", "password": "password"]
        ).text("idToken")
        let people = try await first.graph.accounts(limit: 1, in: first.scope)
        let uid = try #require(people.first).id
        try await change.make(second, uid)
        if forgets { first.graph.forget(.anything) }
        let reply = try await first.post(
          "/v1/accounts:update", .object(body.merging(["idToken": .string(token)]) { $1 }))
        let after = try await second.graph.account(uid, in: second.scope)
        outcome.withLock { $0 = Self.text(of: reply, after) }
      }
    }
    return outcome.withLock { $0 }
  }

  /// Returns an answer and the account afterwards, without tokens and times.
  private static func text(of reply: Reply, _ account: Account?) -> String {
    var lines = ["\(reply.status)"]
    if reply.status == 200 {
      lines.append("session: \(reply.json["idToken"] != nil)")
    } else {
      lines.append(reply.text)
    }
    if let account {
      lines += [
        account.displayName ?? "no name", account.email?.text ?? "no address",
        account.identities.map(\.key.description).sorted().joined(separator: " "),
        "\(account.revision)",
      ]
    }
    return lines.joined(separator: "\n")
  }
}

extension ServerHome {
  fileprivate func change(
    _ id: AccountID, _ change: (inout ProfileChanges) throws -> Void
  ) async throws {
    var changes = ProfileChanges()
    try change(&changes)
    _ = try await graph.update(id, changes, force: true, by: admin)
  }
}
