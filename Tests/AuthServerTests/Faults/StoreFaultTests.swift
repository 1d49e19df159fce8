import Logging
import AuthCore
import AuthTesting
import SQLiteStore
import Testing

@testable import AuthServer

/// The store fails at every point at which an operation writes: the answer says so, and nothing of it is there.
@Suite struct StoreFaultTests {
  /// An operation and what it needs before.
  struct Operation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let prepare: @Sendable (ServerHome) async throws -> JSONValue
    let run: @Sendable (ServerHome, JSONValue) async throws -> Reply
  }

  private static func signUp(_ home: ServerHome, _ email: String) async throws -> JSONValue {
    try await home.post(
      "/v1/accounts:signUp", ["email": .string(email), "password": "secret1"]
    ).json
  }

  private static let assertion =
    "id_token={\"sub\":\"g1\",\"email\":\"ada@example.com\",\"email_verified\":true}"
    + "&providerId=google.com"

  private static func idp(_ more: [String: JSONValue] = [:]) -> JSONValue {
    .object(
      more.merging(
        ["requestUri": "http://localhost", "postBody": .string(assertion)],
        uniquingKeysWith: { first, _ in first }))
  }

  private static func member(_ name: String, _ json: JSONValue) -> JSONValue {
    json[name] ?? .null
  }

  static let operations = [
    Operation(testDescription: "sign-up", prepare: { _ in .null }) { home, _ in
      try await home.post(
        "/v1/accounts:signUp", ["email": "ada@example.com", "password": "secret1"])
    },
    Operation(testDescription: "sign-in with a vendor", prepare: { _ in .null }) { home, _ in
      try await home.post("/v1/accounts:signInWithIdp", idp())
    },
    Operation(
      testDescription: "take-over", prepare: { try await signUp($0, "ada@example.com") }
    ) { home, _ in try await home.post("/v1/accounts:signInWithIdp", idp()) },
    Operation(
      testDescription: "link", prepare: { try await signUp($0, "grace@example.com") }
    ) { home, json in
      try await home.post(
        "/v1/accounts:signInWithIdp", idp(["idToken": member("idToken", json)]))
    },
    Operation(
      testDescription: "change of password", prepare: { try await signUp($0, "ada@example.com") }
    ) { home, json in
      try await home.post(
        "/v1/accounts:update", ["idToken": member("idToken", json), "password": "secret2"])
    },
    Operation(
      testDescription: "unlink",
      prepare: { home in
        let json = try await signUp(home, "ada@example.com")
        _ = try await home.post(
          "/v1/accounts:signInWithIdp", idp(["idToken": member("idToken", json)]))
        return json
      }
    ) { home, json in
      try await home.post(
        "/v1/accounts:update",
        ["idToken": member("idToken", json), "deleteProvider": ["google.com"]])
    },
    Operation(
      testDescription: "deletion", prepare: { try await signUp($0, "ada@example.com") }
    ) { home, json in
      try await home.post("/v1/accounts:delete", ["idToken": member("idToken", json)])
    },
    Operation(
      testDescription: "code by e-mail", prepare: { try await signUp($0, "ada@example.com") }
    ) { home, _ in
      try await home.post(
        "/v1/accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
    },
    Operation(testDescription: "import", prepare: { _ in .null }) { home, _ in
      try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project)/accounts:batchCreate",
        ["users": [["localId": "u1", "email": "a@example.com"], ["localId": "u2"]]])
    },
  ]

  @Test(arguments: operations)
  func `nothing half done is left wherever the store fails`(_ operation: Operation) async throws {
    var point = 0
    var isOver = false
    while !isOver {
      let store = FaultyStore(try SQLiteStore.inMemory())
      let chosen = point
      let reached = try await attempt(operation, store, failingAt: chosen)
      isOver = !reached
      point += 1
      try #require(point < 60, "the operation writes without end")
    }
    // At least the row, its audit event and the commit.
    #expect(point > 3)
  }

  /// Gives whether the point was reached.
  private func attempt(
    _ operation: Operation, _ store: FaultyStore, failingAt point: Int
  ) async throws -> Bool {
    let result = ResultBox()
    try await withServer(.emulator, store: store, configure: { $0.logger.logLevel = .critical }) {
      home in
      // The emulator's project is opened by the first request.
      _ = try await home.post("/v1/accounts:createAuthUri")
      let json = try await operation.prepare(home)
      let before = try await Self.accounts(store)
      store.failAfter(point)
      let reply = try await operation.run(home, json)
      let reached = !store.isArmed
      store.failAfter(nil)
      await result.set(reached)
      guard reached else {
        #expect(reply.status == 200, "\(reply.text)")
        return
      }
      if reply.status >= 500 {
        #expect(reply.json["error"]?["status"] == "INTERNAL")
        #expect(!reply.text.contains("InjectedFault"))
        let after = try await Self.accounts(store)
        // What failed after its commit, such as giving tokens, leaves the whole change; else none of it.
        if after != before { try await Self.checkWhole(after, store) }
      } else {
        #expect(reply.status == 200, "\(reply.text)")
      }
      // The same again works.
      let again = try await operation.run(home, json)
      #expect(again.status < 500, "\(again.text)")
    }
    return await result.value
  }

  private static func accounts(_ store: FaultyStore) async throws -> [Account] {
    try await store.read { (reader: any AccountReader) throws in
      try reader.accounts(
        matching: AccountFilter(), after: nil, limit: 100,
        in: Scope(project: ServerHome.project))
    }
  }

  /// Every identity leads to its account.
  private static func checkWhole(_ accounts: [Account], _ store: FaultyStore) async throws {
    try await store.read { (reader: any AccountReader) throws in
      for account in accounts {
        for identity in account.identities {
          #expect(try reader.owner(of: identity.key, in: account.scope) == account.id)
        }
      }
    }
  }
}

private actor ResultBox {
  private(set) var value = false
  func set(_ value: Bool) { self.value = value }
}
