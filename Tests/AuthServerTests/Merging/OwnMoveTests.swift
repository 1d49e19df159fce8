import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// `accounts:move`, by a person who is signed in to two accounts.
@Suite struct `Moving an identity over HTTP` {
  private static let path = "/v1/accounts:move"

  /// Two accounts: `ada`, and `bo` with an identity of Google.
  private func pair(_ home: Federation) async throws -> (ada: SignedUp, bo: SignedUp) {
    let (ada, bo) = try await home.server.twoAccounts()
    var person = FakePerson.bo
    person.email = nil
    let linked = try await home.signIn(.google, person, idToken: bo.idToken)
    #expect(linked.status == 200, "\(linked.text)")
    return (ada, bo)
  }

  private func move(
    _ home: Federation, from source: String, to target: String, _ person: FakePerson
  ) async throws -> Reply {
    try await home.server.post(
      Self.path,
      [
        "idToken": .string(target), "sourceIdToken": .string(source),
        "requestUri": "http://localhost",
        "postBody": .string(try home.postBody(.google, person)),
      ])
  }

  private var person: FakePerson {
    var person = FakePerson.bo
    person.email = nil
    return person
  }

  @Test(arguments: ServerMode.allCases)
  func `it needs both tokens and the credential, and an admin can undo it`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      let (ada, bo) = try await pair(home)

      let moved = try await move(home, from: bo.idToken, to: ada.idToken, person)

      #expect(moved.status == 200, "\(moved.text)")
      #expect(moved.json.names == ["localId", "moveId", "moved"])
      #expect(moved.localID == ada.uid)
      let entered = try await home.signIn(.google, person)
      #expect(entered.localID == ada.uid, "\(entered.text)")
      // Both sessions continue, because neither began with the identity.
      for token in [ada.idToken, bo.idToken] {
        #expect(
          try await home.server.post("/v1/accounts:lookup", ["idToken": .string(token)]).status
            == 200)
      }
      _ = try await home.graph.undo(moved.text("moveId"), force: true, by: home.server.admin)
      #expect(try await home.signIn(.google, person).localID == bo.uid)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a missing or malformed proof is named, and nothing changes`(_ mode: ServerMode) async throws
  {
    try await withFederation(mode) { home in
      let (ada, bo) = try await pair(home)
      let before = try await home.graph.accounts(limit: 10, in: home.server.scope)
      let body: [String: JSONValue] = [
        "idToken": .string(ada.idToken), "sourceIdToken": .string(bo.idToken),
        "email": "nobody@example.com", "password": "wrong-secret",
      ]
      func reply(_ name: String, _ value: JSONValue?) async throws -> Reply {
        var body = body
        body[name] = value
        return try await home.server.post(Self.path, .object(body))
      }
      for (name, value, message) in [
        ("idToken", nil, "MISSING_ID_TOKEN"),
        ("sourceIdToken", nil, "MISSING_ID_TOKEN : sourceIdToken"),
        ("idToken", "x", "INVALID_ID_TOKEN"),
        ("sourceIdToken", "x", "INVALID_ID_TOKEN : sourceIdToken"),
        ("email", nil, "MISSING_EMAIL"), ("password", "wrong-one", "INVALID_LOGIN_CREDENTIALS"),
      ] as [(String, JSONValue?, String)] {
        let reply = try await reply(name, value)
        #expect(reply.status == 400 && reply.message == message, "\(name): \(reply.text)")
      }
      var stranger = person
      stranger.subject = "another-subject"
      let refused = try await move(home, from: bo.idToken, to: ada.idToken, stranger)
      #expect(
        refused.message?.hasPrefix("OPERATION_NOT_ALLOWED : The credential is not one") == true)
      let own = try await move(home, from: ada.idToken, to: ada.idToken, person)
      #expect(own.message?.hasPrefix("OPERATION_NOT_ALLOWED : Both sessions") == true)
      let after = try await home.graph.accounts(limit: 10, in: home.server.scope)
      #expect(after.map(\.identities) == before.map(\.identities))
    }
  }

  @Test func `attack 18: the same ID token moves nothing twice`() async throws {
    try await withFederation(.production) { home in
      let (ada, bo) = try await pair(home)
      let postBody = try home.postBody(.google, person)
      var body: [String: JSONValue] = [
        "idToken": .string(ada.idToken), "sourceIdToken": .string(bo.idToken),
        "requestUri": "http://localhost", "postBody": .string(postBody),
      ]
      let moved = try await home.server.post(Self.path, .object(body))
      #expect(moved.status == 200, "\(moved.text)")
      (body["idToken"], body["sourceIdToken"]) = (body["sourceIdToken"], body["idToken"])
      let again = try await home.server.post(Self.path, .object(body))
      #expect(again.status == 400, "\(again.text)")
      #expect(try await home.signIn(.google, person).localID == ada.uid)
    }
  }

  @Test func `attack 25: an old session brings nothing, and gives nothing away`() async throws {
    try await withFederation(.production) { home in
      let (_, bo) = try await pair(home)
      home.server.clock.advance(seconds: 1800)
      let recent = try await home.server.enter("ada@example.com", "opensesame").text("idToken")
      let code = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
      for (source, target) in [(bo.idToken, recent), (recent, bo.idToken)] {
        let reply = try await move(home, from: source, to: target, person)
        #expect(reply.message?.hasPrefix(code) == true, "\(reply.text)")
      }
      #expect(try await home.signIn(.google, person).localID == bo.uid)
    }
  }
}
