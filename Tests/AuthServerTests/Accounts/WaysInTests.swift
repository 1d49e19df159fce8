import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// The ways into an account: shown to the person, as far as it is proven, and ended in one request.
@Suite struct `Ways into one's own account` {
  private static let list = "/v1/accounts:waysIn"
  private static let end = "/v1/accounts:endWaysIn"

  private func kinds(_ ways: JSONValue?) -> [String] {
    ways?.items.compactMap { $0["kind"]?.stringValue } ?? []
  }

  /// Opens an account with a password and another identity.
  private func ada(_ home: ServerHome) async throws -> SignedUp {
    let ada = try await home.openAccount()
    _ = try await home.graph.assert(
      IdentityKey(ProviderID("github.com"), subject: "1"), profile: IdentityProfile(),
      on: AccountID(ada.uid), by: home.admin)
    home.clock.advance(seconds: 2)
    return ada
  }

  @Test(arguments: ServerMode.allCases)
  func `are listed, and ended together`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await ada(home)
      let list = try await home.post(Self.list, ada.session)
      #expect(list.status == 200, "\(list.text)")
      #expect(list.json["localId"] == .string(ada.uid))
      #expect(kinds(list.json["waysIn"]) == ["password", "provider", "sessions", "mailbox"])
      let github = try #require(list.json["waysIn"]?.items[1]["id"])

      let ended = try await home.post(
        Self.end, ["idToken": .string(ada.idToken), "waysIn": [github, "sessions"]])

      #expect(ended.status == 200, "\(ended.text)")
      #expect(kinds(ended.json["waysIn"]) == ["password", "sessions", "mailbox"])
      let account = try await home.graph.account(AccountID(ada.uid), in: home.scope)
      #expect(account?.identities.map(\.provider) == [.password])
      let token = try ended.text("idToken")
      #expect(try await home.ownRecord(token)["localId"] == .string(ada.uid))
    }
  }

  @Test func `end other sessions, and leave the one that asked`() async throws {
    try await withServer(.production) { home in
      let ada = try await ada(home)
      let other = try SignedUp(try await home.enter("ada@example.com", "opensesame"))
      home.clock.advance(seconds: 2)
      let ended = try await home.post(
        Self.end, ["idToken": .string(ada.idToken), "waysIn": ["sessions"]])
      #expect(ended.status == 200, "\(ended.text)")
      for token in [ada.idToken, other.idToken] {
        let reply = try await home.post(Self.list, ["idToken": .string(token)])
        #expect(reply.message == "TOKEN_EXPIRED")
      }
      let mine = try await home.post(Self.list, ["idToken": .string(try ended.text("idToken"))])
      #expect(mine.status == 200)
    }
  }

  @Test(arguments: [
    (["github.com", "nothing"], "OPERATION_NOT_ALLOWED : The account has no way in \"nothing\"."),
    ([], "OPERATION_NOT_ALLOWED : Nothing is named to end."),
    (
      ["github.com", "mailbox"],
      "OPERATION_NOT_ALLOWED : mailbox (ada@example.com) cannot be ended here."
    ),
    (["github.com", "password"], "OPERATION_NOT_ALLOWED"),
  ])
  func `stay if one of them cannot be ended`(_ names: [String], _ message: String) async throws {
    try await withServer(.production) { home in
      let ada = try await ada(home)
      let before = try await home.graph.account(AccountID(ada.uid), in: home.scope)
      let reply = try await home.post(
        Self.end,
        ["idToken": .string(ada.idToken), "waysIn": .array(names.map(JSONValue.string))])
      expectFailure(reply, message)
      #expect(try await home.graph.account(AccountID(ada.uid), in: home.scope) == before)
    }
  }

  @Test func `attack 4: an old session ends nothing but sessions`() async throws {
    try await withServer(.production) { home in
      let ada = try await ada(home)
      expectFailure(try await home.post(Self.end, ["waysIn": ["sessions"]]), "MISSING_ID_TOKEN")
      expectFailure(try await home.post(Self.list), "MISSING_ID_TOKEN")
      home.clock.advance(seconds: 1800)
      let reply = try await home.post(
        Self.end, ["idToken": .string(ada.idToken), "waysIn": ["github.com"]])
      expectFailure(reply, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }

  @Test func `that stay are in the answer to a new password, but not to a new name`() async throws {
    for mode in ServerMode.allCases {
      try await withServer(mode) { home in
        let ada = try await ada(home)
        let named = try await home.post(
          ServerHome.update, ["idToken": .string(ada.idToken), "displayName": "Ada"])
        #expect(named.status == 200 && named.json["waysIn"] == nil)
        let changed = try await home.post(
          ServerHome.update,
          [
            "idToken": .string(ada.idToken), "password": "another one",
            "returnSecureToken": true,
          ])
        #expect(changed.status == 200, "\(changed.text)")
        let ways = changed.json["waysIn"]
        guard mode == .production else {
          #expect(ways == nil)
          return
        }
        #expect(kinds(ways) == ["password", "provider", "sessions", "mailbox"])
        #expect(ways?.items.allSatisfy { $0["id"] != nil } == true)
      }
    }
  }

  @Test func `show a mailbox's reader no more than a mailbox proves`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      try await home.enroll("+15555550100", ada.idToken, name: "My phone")
      let code = try await home.code("PASSWORD_RESET", to: ada.email)
      let reset = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(code), "newPassword": "a new password"])
      let ways = try #require(reset.json["waysIn"], "\(reset.text)")
      #expect(kinds(ways) == ["password", "secondFactor", "sessions", "mailbox"])
      #expect(!ways.text.contains("My phone") && !ways.text.contains("ada@"), "\(ways.text)")
      #expect(ways.items.allSatisfy { $0["id"] == nil && $0["linkedAt"] == nil })
    }
  }

  @Test func `show all of them to a code that comes with the account's own session`() async throws {
    try await withServer(.production) { home in
      for (email, isSignedIn) in [("ada@example.com", false), ("bo@example.com", true)] {
        let person = try await home.person(email, verified: false)
        let code = try await home.code(
          "VERIFY_EMAIL", to: email, ["idToken": .string(person.idToken)])
        var body: [String: JSONValue] = ["oobCode": .string(code)]
        if isSignedIn { body["idToken"] = .string(person.idToken) }
        let reply = try await home.post(ServerHome.update, .object(body))
        let ways = try #require(reply.json["waysIn"]?.items, "\(reply.text)")
        #expect(ways.first?["kind"] == "password")
        #expect((ways.first?["id"] != nil) == isSignedIn)
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `are listed and ended by an admin`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await ada(home)
      let account = "\(home.adminRoot)/accounts/\(ada.uid)"
      let list = try await home.admin("GET", "\(account)/waysIn")
      #expect(kinds(list.json["waysIn"]) == ["password", "provider", "sessions", "mailbox"])
      let body: [String: JSONValue] = ["waysIn": ["github.com", "sessions"], "reason": "asked"]
      let rehearsed = try await home.admin(
        "POST", "\(account):endWaysIn", .object(body.merging(["dryRun": true]) { $1 }))
      #expect(rehearsed.json["losses"]?["identities"] == ["github.com/1"], "\(rehearsed.text)")
      let ended = try await home.admin("POST", "\(account):endWaysIn", .object(body))
      #expect(ended.status == 200, "\(ended.text)")
      let entry = ended.json["waysIn"]?.items.first
      #expect(entry?["account"] == .string(ada.uid))
      #expect(kinds(entry?["ways"]) == ["password", "sessions", "mailbox"])
      let missing = try await home.admin("GET", "\(home.adminRoot)/accounts/nobody/waysIn")
      #expect(missing.status == 404)
    }
  }
}
