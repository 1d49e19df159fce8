import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

extension ServerHome {
  static let merge = "/v1/accounts:merge"
  static let planMerge = "/v1/accounts:planMerge"

  /// Requests a merge, or its plan, with two ID tokens.
  func merge(
    _ absorbed: String, into survivor: String, _ more: [String: JSONValue] = [:],
    at path: String = ServerHome.merge
  ) async throws -> Reply {
    var body = more
    body["absorbIdToken"] = .string(absorbed)
    body["idToken"] = .string(survivor)
    return try await post(path, .object(body))
  }

  /// Sets a Lua script as the project's merge policy.
  func decideMerges(on triggers: String = "\"credential-already-in-use\"", _ body: String)
    async throws
  {
    let policy = PolicySource(
      name: "house",
      text: """
        return policy {
          name = "house", on = { \(triggers) }, decide = function(c) \(body) end,
        }
        """)
    try await touch()
    try await change { $0.mergePolicy = policy }
  }

  /// Makes two accounts with a password each.
  func twoAccounts() async throws -> (ada: SignedUp, bo: SignedUp) {
    let ada = try await openAccount("ada@example.com", named: "Ada")
    clock.advance(seconds: 1)
    return (ada, try await openAccount("bo@example.com", named: "Bo"))
  }

  /// Sets the custom claims of an account, as an admin.
  func claim(_ uid: String, _ claims: String) async throws {
    let reply = try await admin(
      "POST", "\(accountsPath):update",
      ["localId": .string(uid), "customAttributes": .string(claims)])
    #expect(reply.status == 200, "\(reply.text)")
  }

  func accountCount() async throws -> Int { try await graph.accountCount(in: scope) }
}

extension Reply {
  var localID: String? { json["localId"]?.stringValue }
}
