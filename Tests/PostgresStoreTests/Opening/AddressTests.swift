import AuthCore
import AuthTesting
import PostgresStore
import Testing
import TestSupport

/// Valid and invalid addresses of stores.
@Suite struct AddressTests {
  @Test(arguments: [
    ("postgres://[::1/db", "cannot be read"),
    ("postgres://127.0.0.1/db?favourite_colour=red", "favourite_colour"),
    ("postgres://127.0.0.1/db?connections=none", "connections"),
    ("postgres://127.0.0.1/db?connections=0", "connections"),
    ("postgres://127.0.0.1/db?statement_timeout=-1", "statement_timeout"),
    ("postgres://127.0.0.1/db?announcements=shout", "announcements"),
    ("postgres://127.0.0.1/db?schema=My-Schema", "My-Schema"),
    ("postgres://127.0.0.1/db?schema=", "schema"),
    ("postgres://127.0.0.1/db?schema=a;drop%20table%20accounts", "schema"),
  ])
  func `a malformed address is refused with its fault`(
    _ url: String, _ words: String
  ) throws {
    let error = try expectRefusal(url, .invalidArgument, saying: words)

    #expect(error.field == "store")
  }

  @Test(arguments: [
    "postgres://ada:very-secret@host:notaport/db", "postgres://ada:very-secret@h/db?colour=red",
    "postgres://ada:very-secret@[::1/db", "postgres://ada:very-secret@127.0.0.1:1/db",
    "postgres://ada@127.0.0.1:1/db?password=very-secret",
    "postgres://ada@127.0.0.1/db?password=very-secret&colour=red",
    "postgres://ada:very%2dsecret@127.0.0.1:1/db?password=%zz-very-secret",
    "postgres://ada@127.0.0.1/db?password=very-secret%zz",
  ])
  func `a password in an address is never shown`(_ url: String) throws {
    let error = try #require(
      #expect(throws: AuthError.self) { _ = try PostgresStore(url: url) })

    for text in ["\(error)", String(reflecting: error), error.message, error.remedy ?? ""] {
      #expect(!text.contains("secret"), "\(text)")
    }
  }

  @Test func `a server that does not answer is an error with its address`() throws {
    let error = try expectRefusal(
      "postgres://postgres@127.0.0.1:1/accounts", .storeUnavailable, saying: "cannot be reached")

    #expect(error.message.contains("postgres://127.0.0.1:1/accounts"))
  }

  @Test func `a missing database is named`() throws {
    let server = try PostgresServer.shared
    let url = server.url().replacing("/postgres", with: "/no_such_place")

    try expectRefusal(url, .storeUnavailable, saying: "does not exist")
  }

  @Test func `options of libpq in the address count`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("options") { url in
      let store = try PostgresStore(url: url + "&application_name=test_of_options")
      defer { store.close() }
      try await store.add("a")

      let seen = try server.run(
        "select count(*) > 0 from pg_stat_activity where application_name = 'test_of_options'")
      #expect(seen == "t")
    }
  }

  @Test func `a store has at most the configured number of connections`() async throws {
    let server = try PostgresServer.shared
    try await server.withSchema("connections", options: ["connections=3"]) { url in
      let store = try PostgresStore(url: url + "&application_name=test_of_connections")
      defer { store.close() }
      try await withThrowingTaskGroup { group in
        for number in 0..<60 { group.addTask { try await store.add("a\(number)") } }
        try await group.waitForAll()
      }

      let seen = try server.run(
        "select count(*) from pg_stat_activity where application_name = 'test_of_connections'")
      #expect(try #require(Int(seen)) <= 3)
      #expect(try await store.uids().count == 60)
    }
  }
}
