import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// The credentials that a former owner keeps of an account that belongs to another person by now.
@Suite(.serialized) struct `Attacks by former owners of an account` {
  private static let victim = "victim@corp.example"
  private static let thief = "attacker@evil.example"
  private static let password = "the victim's own"

  /// The ways in which the owner of an address gets the account that a squatter opened with it.
  enum Arrival: String, CaseIterable, CustomTestStringConvertible {
    case vendor, link, reset
    var testDescription: String { rawValue }
  }

  private func arrive(_ way: Arrival, _ home: Federation) async throws -> Reply {
    let server = home.server
    switch way {
    case .vendor:
      try await home.trust(.google)
      return try await home.signIn(
        .google, FakePerson(subject: "victim", email: Self.victim, name: "Victim"))
    case .link:
      let code = try await server.code("EMAIL_SIGNIN", to: Self.victim)
      return try await server.post(
        "/v1/accounts:signInWithEmailLink",
        ["oobCode": .string(code), "email": .string(Self.victim)])
    case .reset:
      let code = try await server.code("PASSWORD_RESET", to: Self.victim)
      let reset = try await server.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(code), "newPassword": .string(Self.password)])
      #expect(reset.status == 200, "\(reset.text)")
      return try await server.enter(Self.victim, Self.password)
    }
  }

  @Test(arguments: Arrival.allCases)
  func `F1: a take-back code ends with the owner that it was made for`(
    _ way: Arrival
  ) async throws {
    try await withFederation(.production) { home in
      let server = home.server
      let thief = try await server.person(Self.thief)
      var vendor = FakePerson.mallory
      vendor.email = nil
      let linked = try await home.signIn(.google, vendor, idToken: thief.idToken)
      let dropped = try await server.post(
        ServerHome.update,
        ["idToken": .string(try linked.text("idToken")), "deleteAttribute": ["EMAIL"]])
      #expect(dropped.status == 200, "\(dropped.text)")
      let code = try #require(
        parameters(of: server.messages.last(to: Self.thief)?.proof.reveal() ?? "")["oobCode"])
      let again = try await home.signIn(.google, vendor)
      let squatted = try await server.post(
        ServerHome.signUp,
        [
          "idToken": .string(try again.text("idToken")), "email": .string(Self.victim),
          "password": "thief's secret",
        ])
      #expect(squatted.status == 200, "\(squatted.text)")

      let owner = try await arrive(way, home)
      #expect(owner.localID == thief.uid, "\(owner.text)")
      let before = try await server.stored(thief.uid)
      let used = try await server.post(ServerHome.update, ["oobCode": .string(code)])

      expectFailure(used, "INVALID_OOB_CODE")
      #expect(try await server.stored(thief.uid) == before)
      #expect(before.displayName == (way == .vendor ? "Victim" : nil))
    }
  }

  @Test func `F1: nothing of a deleted uid is good for the uid's next account`() async throws {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let path = `Signing in with a custom token`.path
      let token = try maker.token(home)
      let before = try SignedUp(try await home.post(path, ["token": .string(token)]))
      _ = try await home.adminUpdate(
        before.uid, ["email": .string(Self.thief), "emailVerified": true])
      let again = try SignedUp(try await home.post(path, ["token": .string(token)]))
      let dropped = try await home.post(
        ServerHome.update,
        ["idToken": .string(again.idToken), "deleteAttribute": ["EMAIL"]])
      #expect(dropped.status == 200, "\(dropped.text)")
      let code = try #require(
        parameters(of: home.messages.last(to: Self.thief)?.proof.reveal() ?? "")["oobCode"])

      // The clock stands still, so all of it is within one millisecond.
      _ = try await home.admin("POST", "\(home.accountsPath):delete", ["localId": "ada"])
      try await home.makeAccount("ada", email: Self.victim)

      for session in [before, again] {
        let lookup = try await home.post("/v1/accounts:lookup", session.session)
        expectFailure(lookup, "TOKEN_EXPIRED")
        let renewed = try await home.post(
          "/v1/token",
          ["grantType": "refresh_token", "refreshToken": .string(session.refreshToken)])
        expectFailure(renewed, "USER_NOT_FOUND")
      }
      let used = try await home.post(ServerHome.update, ["oobCode": .string(code)])
      expectFailure(used, "INVALID_OOB_CODE")
      #expect(try await home.stored("ada").email?.text == Self.victim)
    }
  }

  @Test(arguments: Arrival.allCases, [true, false])
  func `F2: an account that the app names is not taken over`(
    _ way: Arrival, _ isAlias: Bool
  ) async throws {
    try await withFederation(.production) { home in
      let server = home.server
      let maker = TokenMaker()
      try await maker.register(in: server)
      let path = `Signing in with a custom token`.path
      let token = try maker.token(server)
      let app = try SignedUp(try await server.post(path, ["token": .string(token)]))
      var holder = app.uid
      if isAlias {
        let squatter = try await server.openAccount(Self.victim, password: "thief's secret")
        let merged = try await server.merge(app.idToken, into: squatter.idToken)
        #expect(merged.status == 200, "\(merged.text)")
        holder = squatter.uid
      } else {
        let given = try await server.post(
          ServerHome.signUp,
          [
            "idToken": .string(app.idToken), "email": .string(Self.victim),
            "password": "thief's secret",
          ])
        #expect(given.status == 200, "\(given.text)")
      }

      let owner = try await arrive(way, home)
      #expect(owner.status == 200, "\(owner.text)")
      let back = try await server.post(path, ["token": .string(token)])

      #expect(back.status == 200, "\(back.text)")
      let user = try SignedUp(back)
      #expect(user.uid == holder)
      #expect(owner.localID != user.uid)
      #expect(try await server.enter(Self.victim, "thief's secret").status == 400)
      let (mine, theirs) = (
        try await server.stored(owner.localID ?? ""), try await server.stored(user.uid)
      )
      #expect(mine.email?.text == Self.victim && mine.emailVerified)
      #expect(theirs.email == nil && theirs.identities.isEmpty)
    }
  }

  @Test func `F2: a reset opens no account if sign-ups are closed`() async throws {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let path = `Signing in with a custom token`.path
      let app = try SignedUp(
        try await home.post(path, ["token": .string(try maker.token(home))]))
      _ = try await home.post(
        ServerHome.signUp,
        [
          "idToken": .string(app.idToken), "email": .string(Self.victim),
          "password": "thief's secret",
        ])
      let code = try await home.code("PASSWORD_RESET", to: Self.victim)
      try await home.setSettings { $0.signIn.allowsSignUp = false }
      let reset = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(code), "newPassword": .string(Self.password)])
      #expect(reset.status == 400, "\(reset.text)")
      #expect(try await home.stored(app.uid).email?.text == Self.victim)
      #expect(try await home.graph.accountCount(in: home.scope) == 1)
    }
  }

  @Test func `F2: aliases into an account end when its address's owner takes it over`()
    async throws
  {
    try await withFederation(.production) { home in
      let server = home.server
      let maker = TokenMaker()
      try await maker.register(in: server)
      let squatter = try await server.openAccount(Self.victim, password: "thief's secret")
      // No custom token has named the uid yet, so the app does not control it.
      _ = try await server.admin(
        "POST", server.accountsPath,
        ["localId": "ada", "email": .string(Self.thief), "password": "thief's secret"])
      let ada = try SignedUp(try await server.enter(Self.thief, "thief's secret"))
      let merged = try await server.merge(ada.idToken, into: squatter.idToken)
      #expect(merged.status == 200, "\(merged.text)")
      let merge = try #require(try await server.graph.merges(limit: 1, in: server.scope).first)

      let owner = try await arrive(.vendor, home)
      #expect(owner.localID == squatter.uid)
      let user = try SignedUp(
        try await server.post(
          `Signing in with a custom token`.path,
          ["token": .string(try maker.token(server))]))

      #expect(user.uid == "ada")
      let error = await #expect(throws: AuthError.self) {
        try await server.graph.undoMerge(merge.id, force: true, revive: true, by: server.admin)
      }
      #expect(error?.code == .undoRefused, "\(String(describing: error))")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `F10 (a): the password and the link of a shared address are one account's`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      try await home.setSettings { $0.oneAccountPerEmail = false }
      let squatter = try await home.openAccount(Self.victim, password: "thief's secret")
      let code = try await home.code("EMAIL_SIGNIN", to: Self.victim)
      let owner = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["oobCode": .string(code), "email": .string(Self.victim)])
      #expect(owner.localID == squatter.uid, "\(owner.text)")
      guard mode == .production else { return }
      #expect(try await home.enter(Self.victim, "thief's secret").status == 400)

      let set = try await home.post(
        ServerHome.update,
        ["idToken": .string(try owner.text("idToken")), "password": .string(Self.password)])
      #expect(set.status == 200, "\(set.text)")
      #expect(try await home.enter(Self.victim, Self.password).localID == squatter.uid)
    }
  }

  @Test func `F10 (a): a link's account keeps others from a password of its address`() async throws
  {
    try await withServer(.production) { home in
      try await home.touch()
      try await home.setSettings { $0.oneAccountPerEmail = false }
      let code = try await home.code("EMAIL_SIGNIN", to: Self.victim)
      _ = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["oobCode": .string(code), "email": .string(Self.victim)])
      let password: [String: JSONValue] = [
        "email": .string(Self.victim), "password": "thief's secret",
      ]
      expectFailure(try await home.post(ServerHome.signUp, .object(password)), "EMAIL_EXISTS")
      let thief = try await home.openAnonymously()
      var linking = password
      linking["idToken"] = .string(thief.idToken)
      expectFailure(try await home.post(ServerHome.signUp, .object(linking)), "EMAIL_EXISTS")
    }
  }

  @Test func `F10 (b): an undo gives a verified address back to one account`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person("ada@example.com")
      let owner = try await home.person(Self.victim)
      let merged = try await home.merge(owner.idToken, into: ada.idToken)
      #expect(merged.status == 200, "\(merged.text)")
      let merge = try #require(try await home.graph.merges(limit: 1, in: home.scope).first)
      let stranger = try await home.openAccount(Self.victim, password: "thief's secret")

      _ = try await home.graph.undoMerge(merge.id, by: home.admin)

      #expect(try await home.stored(stranger.uid).email == nil)
      #expect(try await home.enter(Self.victim, "thief's secret").status == 400)
      #expect(try await home.enter(Self.victim, Person.password).localID == owner.uid)
      let session = try await home.signedIn(Self.victim)
      let set = try await home.post(
        ServerHome.update,
        ["idToken": .string(session.idToken), "password": .string(Self.password)])
      #expect(set.status == 200, "\(set.text)")
    }
  }

  @Test func `F13: every uid of a merge is free once its account is deleted`() async throws {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let path = `Signing in with a custom token`.path
      func token(_ uid: String) async throws -> Reply {
        try await home.post(
          path, ["token": .string(try maker.token(home, ["uid": .string(uid)]))])
      }
      let a = try SignedUp(try await token("a"))
      let b = try SignedUp(try await token("b"))
      #expect(try await home.merge(b.idToken, into: a.idToken).status == 200)
      let deleted = try await home.admin(
        "POST", "\(home.accountsPath):delete", ["localId": "a"])
      #expect(deleted.status == 200, "\(deleted.text)")

      let made = try await home.admin("POST", home.accountsPath, ["localId": "a"])
      #expect(made.status == 200, "\(made.text)")
      #expect(try SignedUp(try await token("b")).uid == "b")
      #expect(try SignedUp(try await token("a")).uid == "a")
      _ = try await home.admin("POST", "\(home.accountsPath):delete", ["localId": "a"])
      let brought = try await home.admin(
        "POST", "\(home.accountsPath):batchCreate", ["users": [["localId": "a"]]])
      #expect(brought.status == 200 && brought.json["error"] == nil, "\(brought.text)")
    }
  }

  @Test func `F21: an undo over the admin API revives no account unless it is told to`()
    async throws
  {
    try await withServer(.production) { home in
      let (ada, bo) = try await home.twoAccounts()
      #expect(try await home.merge(bo.idToken, into: ada.idToken).status == 200)
      let merge = try #require(try await home.graph.merges(limit: 1, in: home.scope).first)
      _ = try await home.post("/v1/accounts:delete", ada.session)
      let path = "/admin/v1/projects/\(ServerHome.project)/merges"
      let list = try await home.admin("GET", path)
      #expect(list.json["merges"]?.items.first?["endedAt"]?.stringValue != nil, "\(list.text)")

      let forced = try await home.admin("POST", "\(path)/\(merge.id):undo", ["force": true])
      #expect(forced.status == 409, "\(forced.text)")
      #expect(try await home.accountCount() == 0)
      let revived = try await home.admin("POST", "\(path)/\(merge.id):undo", ["revive": true])
      #expect(revived.status == 200, "\(revived.text)")
      #expect(try await home.enter("bo@example.com", "opensesame").localID == bo.uid)
      expectFailure(try await home.post("/v1/accounts:lookup", ada.session), "TOKEN_EXPIRED")
    }
  }
}
