import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// A session is committed together with the change that allows it.
@Suite struct `One commit` {
  /// The number of writing transactions, by operation.
  @Test func `has each sign-in, link, sign-up and change with the session that it gives`()
    async throws
  {
    let store = FaultyStore(MemoryStore())
    try await withServer(.production, store: store) { server in
      let home = try await Federation(server)
      let ada = FakePerson(subject: "1", email: "ada@example.com", emailVerified: true)
      var commits: [String: Int] = [:]
      func counting(_ name: String, _ body: () async throws -> Reply) async throws -> Reply {
        _ = store.takeWork()
        let reply = try await body()
        commits[name] = store.takeWork().writes
        #expect(reply.status == 200, "\(name): \(reply.text)")
        return reply
      }
      // The first token makes the keys.
      try await server.post("/v1/accounts:signUp")

      _ = try await counting("sign-up without a credential") {
        try await server.post("/v1/accounts:signUp")
      }
      let signUp = try await counting("sign-up with a password") {
        try await server.post(
          "/v1/accounts:signUp", ["email": "bo@example.com", "password": "opensesame"])
      }
      _ = try await counting("sign-in with a password") {
        try await server.post(
          "/v1/accounts:signInWithPassword", ["email": "bo@example.com", "password": "opensesame"])
      }
      _ = try await counting("first sign-in with a provider") {
        try await home.signIn(.google, ada)
      }
      let signIn = try await counting("sign-in with a provider") {
        try await home.signIn(.google, ada)
      }
      _ = try await counting("link of a provider") {
        try await home.signIn(
          .google, FakePerson(subject: "2"), idToken: try signUp.text("idToken"))
      }
      _ = try await counting("refusal that keeps the credential") {
        try await home.signIn(
          .google, ada, idToken: try signUp.text("idToken"), returning: true)
      }
      _ = try await counting("refresh") {
        try await server.post(
          "/v1/token",
          [
            "grant_type": "refresh_token",
            "refresh_token": .string(try signIn.text("refreshToken")),
          ])
      }
      _ = try await counting("change of the password") {
        try await server.post(
          "/v1/accounts:update",
          [
            "idToken": .string(try signUp.text("idToken")), "password": "opensesame2",
            "returnSecureToken": true,
          ])
      }
      await home.stop()

      #expect(commits.removeValue(forKey: "refresh") == 0)
      #expect(commits.allSatisfy { $0.value == 1 }, "\(commits)")
    }
  }

  @Test func `is undone with its session`() async throws {
    let store = FaultyStore(MemoryStore())
    try await withServer(.production, store: store) { server in
      try await server.post("/v1/accounts:signUp")
      let before = try await store.read { try $0.accountCount(in: server.scope) }
      for point in 0... {
        store.failAfter(point)
        let reply = try await server.post("/v1/accounts:signUp")
        if store.isArmed { break }
        #expect(reply.status != 200 && reply.json["refreshToken"] == nil)
        #expect(try await store.read { try $0.accountCount(in: server.scope) } == before)
      }
    }
  }
}
