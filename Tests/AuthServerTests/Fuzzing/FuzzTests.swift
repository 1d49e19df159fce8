import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import Synchronization
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Random and mutated requests over a socket.
///
/// `AUTHGRAPH_FUZZ_REQUESTS` sets their number, and `AUTHGRAPH_SEED` the seed.
@Suite struct FuzzTests {
  @Test(.timeLimit(.minutes(60)), arguments: [ServerMode.production, .emulator])
  func `no request is answered by a fault or breaks an invariant`(
    _ mode: ServerMode
  ) async throws {
    let total = TestBudget.count("AUTHGRAPH_FUZZ_REQUESTS", usual: 3000, soak: 30_000)
    let seed = TestBudget.seed(usual: 20_261_121)
    print("fuzzing \(mode) with \(total) requests of seed \(seed)")
    let store = try SQLiteStore.inMemory()
    try await withServer(mode, store: store, configure: { $0.settings = { $0.rateLimits = .none } })
    {
      home in
      let workers = 8
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<workers {
          group.addTask {
            try await Self.run(home, seed &+ UInt64(worker), total / workers)
          }
        }
        try await group.waitForAll()
      }
      try await Self.checkInvariants(store)
    }
  }

  private static func run(_ home: ServerHome, _ seed: UInt64, _ count: Int) async throws {
    var fuzzer = RequestFuzzer(seed: seed, mode: home.mode, adminToken: ServerHome.adminToken)
    for index in 0..<count {
      let shot = fuzzer.next()
      let reply = try await home.send(shot.method, shot.path, shot.body, headers: shot.headers)
      let isFault = reply.status >= 500 && reply.status != 501
      guard !isFault else {
        Issue.record(
          """
          \(shot.method) \(shot.path) of seed \(seed), number \(index): \(reply.status) \
          \(reply.text) for \(String(decoding: shot.body ?? [], as: UTF8.self)) \(shot.headers)
          """)
        continue
      }
      if reply.status == 200 { fuzzer.take(reply.json) }
    }
  }

  /// Checks that every identity and every verified address has one owner.
  private static func checkInvariants(_ store: any AccountStore) async throws {
    try await store.read { (reader: any AccountReader) throws in
      var scopes = [Scope(project: ServerHome.project)]
      for tenant in try reader.tenants(of: ServerHome.project, after: nil, limit: 10_000) {
        scopes.append(Scope(project: ServerHome.project, tenant: tenant))
      }
      for scope in scopes {
        var after: AccountID?
        var verified: Set<String> = []
        let oneEach = try reader.settings(of: scope).oneAccountPerEmail
        while true {
          let page = try reader.accounts(
            matching: AccountFilter(), after: after, limit: 500, in: scope)
          guard let last = page.last else { break }
          after = last.id
          for account in page {
            #expect(account.scope == scope)
            for identity in account.identities {
              #expect(try reader.owner(of: identity.key, in: scope) == account.id)
            }
            if oneEach, account.emailVerified, let email = account.email {
              #expect(verified.insert(email.canonical).inserted, "two owners of \(email)")
            }
          }
        }
      }
    }
  }
}
