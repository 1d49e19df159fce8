import AuthCore
import AuthTesting
import PostgresStore
import Testing

/// The promises of every store, on PostgreSQL.
@Suite(.serialized) struct PromiseTests {
  @Test(arguments: StoreCheck.all)
  func `a store in PostgreSQL keeps its promises`(_ promise: StoreCheck) async throws {
    try await PostgresServer.shared.withSchema("promise", options: ["connections=4"]) { url in
      let store = try PostgresStore(url: url)
      defer { store.close() }

      try await promise.run(store)
    }
  }
}
