import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import IdentityToolkitService

@Suite struct `A password without an address` {
  private func create(
    _ home: ServerHome, _ fields: [String: JSONValue] = [:]
  ) async throws -> String {
    var body: [String: JSONValue] = ["password": "opensesame"]
    body.merge(fields) { $1 }
    return try await home.admin("POST", home.accountsPath, .object(body)).text("localId")
  }

  @Test(arguments: ServerMode.allCases)
  func `waits in the account, and is no provider`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let uid = try await create(home, ["displayName": "Ada"])

      let record = try #require(try await home.adminRecord(uid))
      #expect(record["email"] == nil && record["providerUserInfo"] == nil, "\(record)")
      #expect(record["passwordHash"]?.stringValue?.isEmpty == false)
      #expect(record["passwordUpdatedAt"] != nil)
      let account = try #require(try await home.graph.account(AccountID(uid), in: home.scope))
      #expect(account.identities.isEmpty && !account.isAnonymous)
      #expect(account.details.waitingPassword != nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `signs in with the address that is added later`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let uid = try await create(home)
      let reply = try await home.adminUpdate(uid, ["email": "ada@example.com"])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["providerUserInfo"]?.items.first?["providerId"] == "password")

      let entered = try await home.enter("ada@example.com", "opensesame")
      #expect(entered.json["localId"] == .string(uid), "\(entered.text)")
      let record = try #require(try await home.adminRecord(uid))
      #expect(record["providerUserInfo"]?.items.first?["providerId"] == "password")
      let account = try #require(try await home.graph.account(AccountID(uid), in: home.scope))
      #expect(account.details.waitingPassword == nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `is set and removed by an update`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.makeAccount("ada", phone: "+15555550100")
      let set = try await home.adminUpdate("ada", ["password": "opensesame"])
      #expect(set.status == 200, "\(set.text)")
      #expect(try await home.adminRecord("ada")?["passwordHash"] != nil)
      for removal in [
        ["deleteAttribute": ["PASSWORD"]], ["deleteProvider": ["password"]],
      ] as [[String: JSONValue]] {
        _ = try await home.adminUpdate("ada", ["password": "opensesame"])
        let removed = try await home.adminUpdate("ada", removal)
        #expect(removed.status == 200, "\(removed.text)")
        #expect(try await home.adminRecord("ada")?["passwordHash"] == nil)
      }
      let weak = try await home.adminUpdate("ada", ["password": "short"])
      #expect(weak.code == "WEAK_PASSWORD")
    }
  }

  @Test func `attack: it opens no account by a text that is no address`() async throws {
    try await withServer(.production) { home in
      let uid = try await create(home)
      for name in [uid, "", "nobody@address.invalid", "@"] {
        let reply = try await home.enter(name, "opensesame")
        #expect(reply.status == 400 && reply.json["idToken"] == nil, "\(name): \(reply.text)")
      }
    }
  }

  @Test func `attack: a client gives its own account none`() async throws {
    try await withServer(.production) { home in
      let guest = try await home.openAnonymously()
      expectFailure(
        try await home.post(
          ServerHome.update, ["idToken": .string(guest.idToken), "password": "opensesame"]),
        "MISSING_EMAIL")
    }
  }

  @Test func `attack: a session that removes its address leaves no password behind`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      let linked = try await home.adminUpdate(
        ada.uid, ["linkProviderUserInfo": ["providerId": "google.com", "rawId": "1234"]])
      #expect(linked.status == 200, "\(linked.text)")
      let refused = try await home.post(
        ServerHome.update,
        [
          "idToken": .string(ada.idToken), "deleteAttribute": ["EMAIL"], "password": "left behind",
        ])
      expectFailure(refused, "MISSING_EMAIL")
      let account = try #require(try await home.graph.account(AccountID(ada.uid), in: home.scope))
      #expect(account.email != nil && account.details.waitingPassword == nil)

      var update = AccountUpdate()
      update.profile.email = .clear
      update.profile.password = Secret("left behind")
      let caller = Caller(
        scope: home.scope,
        authority: .session(account.id, signedInAt: home.clock.now, secondFactor: false))
      await expectError(.invalidArgument) { [update] in
        try await home.graph.update(account.id, update, by: caller)
      }
    }
  }

  @Test func `attack: it takes no address whose password another account has`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      let uid = try await create(home)
      let reply = try await home.adminUpdate(uid, ["email": "ada@example.com"])
      #expect(reply.code == "EMAIL_EXISTS", "\(reply.text)")
      let entered = try await home.enter("ada@example.com", "opensesame")
      #expect(entered.json["localId"] == .string(ada.uid))
    }
  }

  @Test func `attack: a merge does not give it to the person who reads the mail`() async throws {
    try await withServer(.production) { home in
      let uid = try await create(home, ["phoneNumber": "+15555550100"])
      try await home.makeAccount("grace", email: "grace@example.com")
      let plan = try await home.graph.planMerge(
        keep: AccountID("grace"), absorb: AccountID(uid), in: home.scope)
      #expect(plan.result.details.waitingPassword == nil)
      let kept = try await home.graph.planMerge(
        keep: AccountID(uid), absorb: AccountID("grace"), in: home.scope)
      #expect(kept.result.details.waitingPassword == nil)
      #expect(kept.result.passwordIdentity == nil)
    }
  }

  @Test func `attack: no undo of a merge drops a later one unsaid`() async throws {
    try await withServer(.production) { home in
      let admin = Caller(scope: home.scope, authority: .admin("ada"), reason: "test")
      let keep = try await create(home, ["phoneNumber": "+15555550100"])
      let absorb = try await create(home)
      let merged = try await home.graph.commit(
        home.graph.planMerge(keep: AccountID(keep), absorb: AccountID(absorb), in: home.scope),
        by: admin)
      home.clock.advance(seconds: 60)
      let set = try await home.adminUpdate(
        keep, ["password": "another sesame", "displayName": "Ada"])
      #expect(set.status == 200, "\(set.text)")
      let error = await expectError(.undoRefused) {
        try await home.graph.undoMerge(merged.id, keep: [.displayName], by: admin)
      }
      #expect(error?.message.contains("the password that waits for an address") == true)
    }
  }

  @Test func `stays through a download and an upload`() async throws {
    try await withServer(.production) { home in
      let uid = try await create(home)
      let page = try await home.admin("GET", "\(home.accountsPath):batchGet")
      let record = try #require(page.json["users"]?.items.first)
      #expect(record["passwordHash"]?.stringValue?.isEmpty == false)
      var user: [String: JSONValue] = ["localId": "copy"]
      user["passwordHash"] = record["passwordHash"]
      user["salt"] = record["salt"]
      #expect(record["salt"]?.stringValue?.isEmpty == false)
      let upload = try await home.upload([.object(user)])
      #expect(upload.status == 200, "\(uid): \(upload.text)")
      let copy = try await home.graph.account(AccountID("copy"), in: home.scope)
      #expect(copy?.details.waitingPassword != nil, "\(upload.text)")
    }
  }
}
