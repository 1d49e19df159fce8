import AuthCore
import AuthTesting
import FakeVendors
import SQLiteStore
import Testing

@testable import IdentityToolkitService

/// An address that mail software may read as another one belongs to no account, and gets no mail.
@Suite struct `S17 An address with special characters outside of quotes` {
  private static let addresses = ["victim(1)@example.com", "a,b@example.com", "\"a\"b@example.com"]

  @Test(arguments: ServerMode.allCases)
  func `is refused in every request`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let session = JSONValue.string(ada.idToken)
      let sent = home.messages.messages.count
      for text in Self.addresses {
        let email = JSONValue.string(text)
        let calls: [(String, JSONValue, String)] = [
          (ServerHome.signUp, ["email": email, "password": "opensesame"], "INVALID_EMAIL"),
          (
            "/v1/accounts:sendOobCode",
            [
              "requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/",
              "canHandleCodeInApp": true,
            ], "INVALID_EMAIL"
          ),
          (
            "/v1/accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": email],
            "INVALID_EMAIL"
          ),
          (
            "/v1/accounts:sendOobCode",
            ["requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": session, "newEmail": email],
            "INVALID_NEW_EMAIL"
          ),
        ]
        for (path, body, message) in calls {
          expectFailure(try await home.post(path, body), message)
        }
        let admins: [(String, JSONValue)] = [
          (home.accountsPath, ["email": email]),
          (home.accountsPath, ["email": email, "password": "opensesame"]),
          ("\(home.accountsPath):update", ["localId": .string(ada.uid), "email": email]),
        ]
        for (path, body) in admins {
          expectFailure(try await home.admin("POST", path, body), "INVALID_EMAIL")
        }
        #expect(try await home.fault(of: ["localId": "u", "email": email]) == "email is invalid")
      }
      #expect(home.messages.messages.count == sent)
      #expect(try await home.graph.accountCount(in: home.scope) == 1)
      let quoted = try await home.post(
        ServerHome.signUp, ["email": "\"a,b\"@example.com", "password": "opensesame"])
      #expect(quoted.status == 200, "\(quoted.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `from a vendor is no address of the account's`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.trust(.google)
      let person = FakePerson(subject: "7", email: "victim(1)@example.com", name: "Mallory")
      let reply = try await home.signIn(.google, person)
      expectTokens(reply)
      let stored = try await home.stored(reply)
      #expect(stored.email == nil && !stored.emailVerified)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `of an old store is read, found and signed in to, and can be left`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode, store: try SQLiteStore.inMemory()) { home in
      let old = try await home.openAccount("old@example.com")
      try await home.graph.store.write { writer in
        let account = try #require(try writer.account(AccountID(old.uid), in: home.scope))
        let email = try EmailAddress("a(c)@example.com")
        var changed = account
        changed.email = email
        changed.identities = account.identities.map { identity in
          Identity(
            key: .password(email), origin: .credential, linkedAt: identity.linkedAt,
            secret: identity.secret)
        }
        try writer.update(changed, replacing: account)
      }
      let entered = try await home.enter("a(c)@example.com", "opensesame")
      #expect(entered.status == 200, "\(entered.text)")
      let found = try await home.admin(
        "POST", "\(home.accountsPath):lookup", ["email": ["a(c)@example.com"]])
      #expect(found.json["users"]?.items.first?["localId"] == .string(old.uid))
      let left = try await home.adminUpdate(old.uid, ["email": "new@example.com"])
      #expect(left.status == 200, "\(left.text)")
      #expect(try await home.enter("new@example.com", "opensesame").status == 200)
    }
  }
}
