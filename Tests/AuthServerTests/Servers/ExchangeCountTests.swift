import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import PostgresStore
import Testing

@testable import IdentityToolkitService

/// The cost of a request with a remote store: exchanges with PostgreSQL, counted by a proxy.
@Suite(.serialized) struct `Exchanges with PostgreSQL` {
  /// The maximum for each request.
  private static let most = [
    "anonymous sign-up": 2, "link": 2, "merge": 3, "password sign-in": 3, "refresh": 2,
    "rename": 2, "sign-in": 2, "unlink": 2,
  ]

  @Test func `are two for most requests, and three for a merge`() async throws {
    let database = try PostgresServer()
    let proxy = try DatabaseProxy(to: try #require(database.port))
    defer { proxy.end() }
    let store = try PostgresStore(
      url: "postgres://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable&connections=1")
    defer { store.close() }
    try await withServer(.production, store: store) { server in
      let home = try await Federation(server)
      var counts: [String: [Int]] = [:]
      func counting(_ name: String, _ body: () async throws -> Reply) async throws -> Reply {
        try await Task.sleep(for: .milliseconds(50))
        let before = proxy.exchanges
        let reply = try await body()
        try await Task.sleep(for: .milliseconds(50))
        counts[name, default: []].append(proxy.exchanges - before)
        #expect(reply.status == 200, "\(name): \(reply.text)")
        return reply
      }
      for round in 0..<3 {
        let person = FakePerson(
          subject: "person-\(round)", email: "person-\(round)@example.com", emailVerified: true)
        _ = try await home.signIn(.google, person)
        let signIn = try await counting("sign-in") { try await home.signIn(.google, person) }
        let anonymous = try await counting("anonymous sign-up") {
          try await server.post("/v1/accounts:signUp")
        }
        _ = try await counting("link") {
          try await home.signIn(
            .google, FakePerson(subject: "other-\(round)"),
            idToken: try anonymous.text("idToken"))
        }
        _ = try await counting("refresh") {
          try await server.post(
            "/v1/token",
            [
              "grant_type": "refresh_token",
              "refresh_token": .string(try signIn.text("refreshToken")),
            ])
        }
        _ = try await home.signIn(
          Federation.work, person, idToken: try signIn.text("idToken"))
        _ = try await counting("unlink") {
          try await server.post(
            "/v1/accounts:update",
            [
              "idToken": .string(try signIn.text("idToken")), "deleteProvider": ["oidc.work"],
            ])
        }
        _ = try await counting("rename") {
          try await server.post(
            "/v1/accounts:update",
            ["idToken": .string(try signIn.text("idToken")), "displayName": "Ada"])
        }
        let form: JSONValue = .object([
          "email": .string("ada-\(round)@example.com"), "password": "a good password",
        ])
        let byPassword = try await server.post("/v1/accounts:signUp", form)
        _ = try await counting("password sign-in") {
          try await server.post("/v1/accounts:signInWithPassword", form)
        }
        let uids = [try signIn.text("localId"), try byPassword.text("localId")].map {
          AccountID($0)
        }
        try await Task.sleep(for: .milliseconds(50))
        let before = proxy.exchanges
        let plan = try await server.graph.planMerge(
          keep: uids[0], absorb: uids[1], in: server.scope)
        let planned = proxy.exchanges
        _ = try await server.graph.commit(plan, by: server.admin)
        try await Task.sleep(for: .milliseconds(50))
        counts["plan", default: []].append(planned - before)
        counts["merge", default: []].append(proxy.exchanges - planned)
      }
      await home.stop()
      for (name, most) in Self.most {
        let found = try #require(counts[name], "\(name)")
        // A server's regular upkeep adds to a round or two.
        #expect(found.contains { $0 <= most }, "\(name): \(found)")
      }
    }
  }
}
