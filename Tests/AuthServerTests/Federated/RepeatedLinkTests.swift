import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// A client that did not get the answer sends its request again.
@Suite(.serialized) struct `A link over HTTP that is sent twice` {
  private static let phone = "/v1/accounts:signInWithPhoneNumber"

  @Test func `a vendor's ID token links twice, and to no other account`() async throws {
    try await withFederation(.production) { home in
      _ = try await home.account(email: "ada@example.com", verified: true)
      _ = try await home.account(email: "eve@example.com", verified: true)
      let session = try await home.session(email: "ada@example.com")
      let form = try home.postBody(.google, .ada)
      let body: [String: JSONValue] = ["idToken": .string(session), "returnSecureToken": true]
      let first = try await home.signIn(postBody: form, body)
      expectTokens(first)
      let linked = try await home.stored(first)

      let second = try await home.signIn(postBody: form, body)

      expectTokens(second)
      #expect(second.json["localId"] == first.json["localId"])
      #expect(try await home.stored(second).identities == linked.identities)
      let eve = try await home.session(email: "eve@example.com")
      let replayed = try await home.signIn(postBody: form, ["idToken": .string(eve)])
      #expect(replayed.status == 400 && replayed.json["idToken"] == nil, "\(replayed.text)")
      #expect(replayed.message == "FEDERATED_USER_ID_ALREADY_LINKED")
      let alone = try await home.signIn(postBody: form)
      expectTokens(alone)
      #expect(alone.json["localId"] == first.json["localId"])
    }
  }

  @Test func `a phone's code links twice, for the session that used it alone`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      let eve = try await home.openAccount("eve@example.com")
      let sent = try await home.phoneCode("+15555550100")
      let body: [String: JSONValue] = [
        "sessionInfo": .string(sent.session), "code": .string(sent.code), "operation": "LINK",
      ]
      func link(_ idToken: String) async throws -> Reply {
        try await home.post(
          Self.phone, .object(body.merging(["idToken": .string(idToken)]) { $1 }))
      }
      let first = try await link(ada.idToken)
      #expect(first.status == 200, "\(first.text)")
      let second = try await link(ada.idToken)
      #expect(second.status == 200 && second.json["localId"] == first.json["localId"])
      #expect(second.json["phoneNumber"] == "+15555550100", "\(second.text)")
      let replayed = try await link(eve.idToken)
      #expect(replayed.status == 400 && replayed.json["idToken"] == nil, "\(replayed.text)")
    }
  }

  @Test func `a password that is linked twice opens the session of its account`() async throws {
    try await withServer(.production) { home in
      let sent = try await home.phoneCode("+15555550100")
      let entered = try await home.post(
        Self.phone, ["sessionInfo": .string(sent.session), "code": .string(sent.code)])
      var body: [String: JSONValue] = [
        "idToken": .string(try entered.text("idToken")), "email": "ada@example.com",
        "password": "opensesame", "returnSecureToken": true,
      ]
      let first = try await home.post(ServerHome.signUp, .object(body))
      #expect(first.status == 200, "\(first.text)")

      let second = try await home.post(ServerHome.signUp, .object(body))

      #expect(second.status == 200, "\(second.text)")
      #expect(second.json["localId"] == entered.json["localId"])
      #expect(try await home.lookup(second.text("idToken")).status == 200)
      body["password"] = "another one"
      let wrong = try await home.post(ServerHome.signUp, .object(body))
      #expect(wrong.message == "TOKEN_EXPIRED", "\(wrong.text)")
      body["password"] = "opensesame"
      home.clock.advance(seconds: 601)
      let late = try await home.post(ServerHome.signUp, .object(body))
      #expect(late.message == "TOKEN_EXPIRED", "\(late.text)")
    }
  }

  @Test func `a password that is changed twice opens the session, and nothing else changes`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      var body: [String: JSONValue] = [
        "idToken": .string(ada.idToken), "password": "opensesame2", "returnSecureToken": true,
      ]
      let first = try await home.post(ServerHome.update, .object(body))
      #expect(first.status == 200, "\(first.text)")
      let second = try await home.post(ServerHome.update, .object(body))
      #expect(second.status == 200, "\(second.text)")
      #expect(try await home.lookup(second.text("idToken")).status == 200)
      body["displayName"] = "Mallory"
      let more = try await home.post(ServerHome.update, .object(body))
      #expect(more.message == "TOKEN_EXPIRED", "\(more.text)")
    }
  }

  @Test func `attack: an ended session with another account's password opens nothing`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      let eve = try await home.openAccount("eve@example.com", password: "eve's own 1")
      for (token, password) in [(ada.idToken, "opensesame2"), (eve.idToken, "eve's own 2")] {
        let changed = try await home.post(
          ServerHome.update, ["idToken": .string(token), "password": .string(password)])
        #expect(changed.status == 200, "\(changed.text)")
      }
      let crossed = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(ada.idToken), "email": "eve@example.com",
          "password": "eve's own 2", "returnSecureToken": true,
        ])
      #expect(crossed.message == "TOKEN_EXPIRED" && crossed.json["idToken"] == nil)
    }
  }
}

extension ServerHome {
  fileprivate func lookup(_ idToken: String) async throws -> Reply {
    try await post("/v1/accounts:lookup", ["idToken": .string(idToken)])
  }
}
