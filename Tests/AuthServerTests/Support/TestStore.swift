import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import SQLiteStore

@testable import IdentityToolkitService

/// Passes the default store of tests: the one in `AUTHGRAPH_TEST_STORE`, or else one for each mode.
///
/// Most tests run in both modes and so on both stores: `memory`, and `postgres`, which is a schema of its own on the
/// tests' server. The third is `sqlite`, a database in memory.
func withTestStore(
  for mode: ServerMode, isolation: isolated (any Actor)? = #isolation,
  _ body: (any AccountStore) async throws -> Void
) async throws {
  let usual = mode == .production ? "postgres" : "memory"
  switch ProcessInfo.processInfo.environment["AUTHGRAPH_TEST_STORE"] ?? usual {
  case "memory": try await body(MemoryStore())
  case "sqlite": try await body(try SQLiteStore.inMemory())
  case "postgres":
    try await PostgresServer.shared.withSchema("http", options: ["connections=4"]) { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }
      try await body(store)
    }
  case let name: throw UnknownTestStore(name: name)
  }
}

struct UnknownTestStore: Error {
  let name: String
}
