import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// Records kept for an owner or a uid, used after both belong to other people.
///
/// The clock stands still, so time cannot distinguish one owner from the next.
@Suite struct `Attacks with codes and sessions of an earlier owner` {
  private static let victim = "victim@corp.example"

  /// The ways in which the owner of an address gets an account that has it unverified.
  enum Coming: CaseIterable { case vendor, emailLink, reset }

  private static var owner: FakePerson {
    var person = FakePerson.ada
    person.subject = "the owner"
    person.email = victim
    person.emailVerified = true
    return person
  }

  /// Returns the uid that the owner of the address signs in to.
  private func come(_ coming: Coming, _ home: Federation) async throws -> String {
    let server = home.server
    switch coming {
    case .vendor:
      return try await home.signIn(Federation.work, Self.owner).text("localId")
    case .emailLink:
      let code = try await server.code("EMAIL_SIGNIN", to: Self.victim)
      return try await server.post(
        "/v1/accounts:signInWithEmailLink",
        ["email": .string(Self.victim), "oobCode": .string(code)]
      ).text("localId")
    case .reset:
      let code = try await server.code("PASSWORD_RESET", to: Self.victim)
      let reset = try await server.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(code), "newPassword": "the owner's own"])
      #expect(reset.status == 200, "\(reset.text)")
      return try await server.signIn(Self.victim, "the owner's own").text("localId")
    }
  }

  private func enter(_ home: ServerHome, as uid: String, _ maker: TokenMaker) async throws -> Reply
  {
    try await home.post(
      "/v1/accounts:signInWithCustomToken",
      ["token": .string(try maker.token(home, ["uid": .string(uid)]))])
  }

  @Test(arguments: Coming.allCases)
  func `F1: a take-back link ends with the owner that it was made for`(
    _ coming: Coming
  ) async throws {
    try await withFederation(.production) { home in
      try await home.trust(Federation.work)
      let server = home.server
      let attacker = try await server.person("attacker@evil.example")
      _ = try await home.signIn(.apple, .bo, idToken: attacker.idToken)
      let dropped = try await server.post(
        "/v1/accounts:update",
        ["idToken": .string(attacker.idToken), "deleteAttribute": ["EMAIL"]])
      #expect(dropped.status == 200, "\(dropped.text)")
      let takeBack = try #require(server.messages.last(to: attacker.email)).proof.reveal()
      let kept = try #require(parameters(of: takeBack)["oobCode"])
      let squatted = try await server.adminUpdate(
        attacker.uid, ["email": .string(Self.victim), "password": "the attacker's"])
      #expect(squatted.status == 200, "\(squatted.text)")

      let uid = try await come(coming, home)
      #expect(uid == attacker.uid)
      let used = try await server.post("/v1/accounts:update", ["oobCode": .string(kept)])

      #expect(used.message == "INVALID_OOB_CODE", "\(used.text)")
      let record = try #require(try await server.adminRecord(uid))
      #expect(record["email"]?.stringValue == Self.victim)
    }
  }

  @Test func `F1: a take-back link still serves the owner whose address a thief changed`()
    async throws
  {
    try await withFederation(.production) { home in
      let server = home.server
      let ada = try await server.person()
      _ = try await server.adminUpdate(ada.uid, ["displayName": "Ada"])
      let code = try await server.code(
        "VERIFY_AND_CHANGE_EMAIL", to: "thief@evil.example",
        ["idToken": .string(ada.idToken), "newEmail": "thief@evil.example"])
      let moved = try await server.post("/v1/accounts:update", ["oobCode": .string(code)])
      #expect(moved.status == 200, "\(moved.text)")
      let link = try #require(server.messages.last(to: ada.email)).proof.reveal()
      let back = try await server.post(
        "/v1/accounts:update", ["oobCode": .string(try #require(parameters(of: link)["oobCode"]))])
      #expect(try back.text("email") == ada.email)
    }
  }

  @Test(arguments: Coming.allCases)
  func `F2: an account that the app names is not taken over`(_ coming: Coming) async throws {
    try await withFederation(.production) { home in
      try await home.trust(Federation.work)
      let server = home.server
      let maker = TokenMaker()
      try await maker.register(in: server)
      let user = try SignedUp(try await enter(server, as: "app-user", maker))
      let squatted = try await server.post(
        "/v1/accounts:signUp",
        [
          "idToken": .string(user.idToken), "email": .string(Self.victim),
          "password": "the app user's",
        ])
      #expect(squatted.status == 200, "\(squatted.text)")

      let uid = try await come(coming, home)

      #expect(uid != "app-user")
      let again = try await enter(server, as: "app-user", maker)
      #expect(again.localID == "app-user" || again.localID == nil, "\(again.text)")
      #expect(try SignedUp(again).uid == "app-user")
      let record = try #require(try await server.adminRecord("app-user"))
      #expect(record["email"] == nil && record["passwordHash"] == nil, "\(record.text)")
      #expect(try await server.signIn(Self.victim, "the app user's").status == 400)
      #expect(try await server.adminRecord(uid)?["emailVerified"] == true)
    }
  }

  @Test(arguments: Coming.allCases)
  func `F2: a name that was merged into an account leads to no other owner's`(
    _ coming: Coming
  ) async throws {
    try await withFederation(.production) { home in
      try await home.trust(Federation.work)
      let server = home.server
      let maker = TokenMaker()
      try await maker.register(in: server)
      let squatter = try await server.openAccount(Self.victim, password: "the squatter's")
      let user = try SignedUp(try await enter(server, as: "app-user", maker))
      let merged = try await server.merge(user.idToken, into: squatter.idToken)
      #expect(merged.status == 200, "\(merged.text)")

      let uid = try await come(coming, home)

      #expect(try SignedUp(try await enter(server, as: "app-user", maker)).uid != uid)
    }
  }

  @Test func `F13: the uids of a merge are free again once its survivor is deleted`() async throws {
    try await withFederation(.production) { home in
      let server = home.server
      let maker = TokenMaker()
      try await maker.register(in: server)
      var tokens: [String] = []
      for uid in ["a", "b", "c"] {
        tokens.append(try SignedUp(try await enter(server, as: uid, maker)).idToken)
      }
      #expect(try await server.merge(tokens[2], into: tokens[1]).status == 200)
      let b = try SignedUp(try await enter(server, as: "c", maker))
      #expect(b.uid == "b")
      #expect(try await server.merge(b.idToken, into: tokens[0]).status == 200)
      let a = try SignedUp(try await enter(server, as: "c", maker))
      #expect(a.uid == "a")

      let deleted = try await server.post("/v1/accounts:delete", a.session)
      #expect(deleted.status == 200, "\(deleted.text)")

      for uid in ["a", "b", "c"] {
        #expect(try SignedUp(try await enter(server, as: uid, maker)).uid == uid)
      }
    }
  }

  @Test func `F13: sessions and codes of a deleted account are none of the next one of its uid`()
    async throws
  {
    try await withFederation(.production) { home in
      let server = home.server
      let maker = TokenMaker()
      try await maker.register(in: server)
      let first = try SignedUp(try await enter(server, as: "seat-7", maker))
      let cookie = try await server.admin(
        "POST", "/v1/projects/\(ServerHome.project):createSessionCookie",
        ["idToken": .string(first.idToken), "validDuration": "86400"])
      #expect(cookie.status == 200, "\(cookie.text)")
      _ = try await server.post("/v1/accounts:delete", first.session)
      for isMadeByApp in [true, false] {
        if isMadeByApp {
          _ = try await enter(server, as: "seat-7", maker)
        } else {
          _ = try await server.graph.delete(AccountID("seat-7"), by: server.admin)
          try await server.makeAccount("seat-7")
        }
        let looked = try await server.post("/v1/accounts:lookup", first.session)
        #expect(looked.message == "TOKEN_EXPIRED", "\(looked.text)")
        let renewed = try await server.post(
          "/v1/token",
          ["grant_type": "refresh_token", "refresh_token": .string(first.refreshToken)])
        #expect(renewed.message == "USER_NOT_FOUND", "\(renewed.text)")
        let changed = try await server.post(
          "/v1/accounts:update", ["idToken": .string(first.idToken), "displayName": "Before"])
        #expect(changed.message == "TOKEN_EXPIRED", "\(changed.text)")
      }
    }
  }

  /// Makes two accounts with a password each, and merges them into the first.
  private func merged(_ server: ServerHome) async throws -> (ada: SignedUp, merge: String) {
    let (ada, bo) = try await server.twoAccounts()
    #expect(try await server.merge(bo.idToken, into: ada.idToken).status == 200)
    let merge = try #require(try await server.graph.merges(limit: 1, in: server.scope).first)
    return (ada, merge.id)
  }

  @Test func `F21: an undo revives no deleted account unless it is asked to`() async throws {
    try await withServer(.production) { server in
      let (ada, merge) = try await merged(server)
      _ = try await server.post("/v1/accounts:delete", ada.session)
      for force in [false, true] {
        let refused = try await server.admin(
          "POST", "/admin/v1/projects/\(ServerHome.project)/merges/\(merge):undo",
          ["force": .bool(force), "reason": "a test"])
        #expect(refused.status == 409, "\(refused.text)")
      }
      #expect(try await server.accountCount() == 0)
      let revived = try await server.admin(
        "POST", "/admin/v1/projects/\(ServerHome.project)/merges/\(merge):undo",
        ["revive": true, "reason": "the person asked"])
      #expect(revived.status == 200, "\(revived.text)")
      #expect(try await server.accountCount() == 2)
    }
  }

  @Test func `F21: a deleted account is not revived if its address is an account's again`()
    async throws
  {
    try await withServer(.production) { server in
      let (ada, merge) = try await merged(server)
      _ = try await server.post("/v1/accounts:delete", ada.session)
      _ = try await server.openAccount("bo@example.com", password: "a new life")
      await #expect(throws: AuthError.self) {
        try await server.graph.undoMerge(merge, force: true, revive: true, by: server.admin)
      }
    }
  }

  @Test func `F10: a password of an unproven address yields, also if accounts may share addresses`()
    async throws
  {
    try await withServer(.production) { server in
      try await server.touch()
      try await server.setSettings { $0.oneAccountPerEmail = false }
      _ = try await server.openAccount(Self.victim, password: "the squatter's")
      let code = try await server.code("EMAIL_SIGNIN", to: Self.victim)
      let owner = try SignedUp(
        try await server.post(
          "/v1/accounts:signInWithEmailLink",
          ["email": .string(Self.victim), "oobCode": .string(code)]))
      let chosen = try await server.post(
        "/v1/accounts:update",
        ["idToken": .string(owner.idToken), "password": "the owner's own"])
      #expect(chosen.status == 200, "\(chosen.text)")
      #expect(try await server.signIn(Self.victim, "the squatter's").status == 400)
      #expect(try await server.signIn(Self.victim, "the owner's own").localID == owner.uid)
    }
  }

  @Test func `F10: an undone merge takes a verified address back from an unverified holder`()
    async throws
  {
    try await withServer(.production) { server in
      let ada = try await server.person()
      let victim = try await server.person(Self.victim)
      #expect(try await server.merge(victim.idToken, into: ada.idToken).status == 200)
      let merge = try #require(try await server.graph.merges(limit: 1, in: server.scope).first)
      // The address does not belong to the merged account any more, and a stranger takes it.
      let stranger = try await server.post(
        ServerHome.signUp, ["email": .string(Self.victim), "password": "the squatter's"])
      #expect(stranger.status == 200, "\(stranger.text)")

      _ = try await server.graph.undoMerge(merge.id, by: server.admin)

      #expect(try await server.signIn(Self.victim, "the squatter's").status == 400)
      let code = try await server.code("PASSWORD_RESET", to: Self.victim)
      let reset = try await server.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(code), "newPassword": "the owner's own"])
      #expect(reset.status == 200, "\(reset.text)")
      #expect(try await server.signIn(Self.victim, "the owner's own").localID == victim.uid)
    }
  }

  @Test func `F3: a take-back link beats an account that has the address unverified`()
    async throws
  {
    try await withServer(.production) { server in
      let ada = try await server.person()
      let code = try await server.code(
        "VERIFY_AND_CHANGE_EMAIL", to: "thief@evil.example",
        ["idToken": .string(ada.idToken), "newEmail": "thief@evil.example"])
      _ = try await server.post("/v1/accounts:update", ["oobCode": .string(code)])
      let link = try #require(server.messages.last(to: ada.email)).proof.reveal()
      let holder = try await server.openAccount(ada.email, password: "a throw-away")

      let back = try await server.post(
        "/v1/accounts:update", ["oobCode": .string(try #require(parameters(of: link)["oobCode"]))])

      #expect(back.status == 200, "\(back.text)")
      #expect(try await server.adminRecord(ada.uid)?["email"]?.stringValue == ada.email)
      #expect(try await server.adminRecord(holder.uid)?["email"] == nil)
      #expect(try await server.signIn(ada.email, "a throw-away").status == 400)
      #expect(try await server.signIn(ada.email).localID == ada.uid)
    }
  }

  @Test func `F3: a verified change of address beats an account that has it unverified`()
    async throws
  {
    try await withServer(.production) { server in
      let ada = try await server.person()
      let holder = try await server.openAccount("new@example.com", password: "a throw-away")
      let code = try await server.code(
        "VERIFY_AND_CHANGE_EMAIL", to: "new@example.com",
        ["idToken": .string(ada.idToken), "newEmail": "new@example.com"])
      let moved = try await server.post("/v1/accounts:update", ["oobCode": .string(code)])
      #expect(moved.status == 200, "\(moved.text)")
      #expect(try await server.adminRecord(ada.uid)?["email"]?.stringValue == "new@example.com")
      #expect(try await server.adminRecord(holder.uid)?["email"] == nil)
      #expect(try await server.signIn("new@example.com", "a throw-away").status == 400)
    }
  }
}
