import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite struct `Merging one's own two accounts` {
  @Test(arguments: ServerMode.allCases)
  func `a plan shows the changes, and writes nothing`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()

      let plan = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)

      #expect(plan.status == 200, "\(plan.text)")
      #expect(plan.json["survivor"] == .string(bo.uid))
      #expect(plan.json["absorbed"] == .string(ada.uid))
      #expect(plan.json["isReversed"] == false)
      #expect(plan.json["movedIdentities"] == [])
      // An account has one password, that of its address.
      #expect(plan.json["droppedIdentities"] == ["password/ada@example.com"])
      #expect(plan.json["cutSessions"] == [.string(ada.uid)])
      #expect(plan.json["decidedBy"] == "the default rules")
      #expect(plan.json["revisions"]?.names == [ada.uid, bo.uid])
      let name = plan.json["fields"]?.items.first { $0["field"] == "displayName" }
      #expect(
        name == [
          "field": "displayName", "kept": "Bo", "other": "Ada", "result": "Bo", "rule": "keep",
          "differs": true,
        ])
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `the survivor keeps its uid and its own password`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let plan = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)

      let merged = try await home.merge(
        ada.idToken, into: bo.idToken, ["revisions": try #require(plan.json["revisions"])])

      #expect(merged.status == 200, "\(merged.text)")
      #expect(
        merged.json.names
          == ["localId", "idToken", "refreshToken", "expiresIn", "mergedFrom", "mergeId"])
      #expect(merged.localID == bo.uid)
      #expect(merged.json["mergedFrom"] == [.string(ada.uid)])
      let token = try merged.text("idToken")
      #expect(try claimsOf(token)["mergedFrom"] == [.string(ada.uid)])
      #expect(try await home.ownRecord(token)["displayName"] == "Bo")
      #expect(try await home.enter("bo@example.com", "opensesame").localID == bo.uid)
      #expect(try await home.enter("ada@example.com", "opensesame").status == 400)
      #expect(try await home.ownRecord(bo.idToken)["localId"] == .string(bo.uid))
      #expect(
        try await home.graph.account(AccountID(ada.uid), in: home.scope)?.id.rawValue == bo.uid)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a password of an absorbed address that is verified is shown, signs in, and can be unlinked`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      let ada = try await home.server.person("ada@example.com")
      var person = FakePerson.bo
      person.email = nil
      let bo = try await home.signIn(.google, person)
      let merged = try await home.server.merge(ada.idToken, into: try bo.text("idToken"))
      #expect(merged.status == 200, "\(merged.text)")

      let entered = try await home.server.enter("ada@example.com", Person.password)
      #expect(entered.localID == bo.localID)
      let token = try entered.text("idToken")
      let entries = try await home.server.ownRecord(token)["providerUserInfo"]?.items ?? []
      let password = entries.first { $0["providerId"] == "password" }
      #expect(password?["email"] == "ada@example.com")
      #expect(entries.contains { $0["providerId"] == "google.com" })

      let unlinked = try await home.server.post(
        "/v1/accounts:update", ["idToken": .string(token), "deleteProvider": ["password"]])
      #expect(unlinked.status == 200, "\(unlinked.text)")
      let uid = AccountID(try #require(bo.localID))
      let left = try #require(try await home.graph.account(uid, in: home.server.scope))
      #expect(left.identities.map(\.provider) == [.google])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `it is audited with both proofs, and an admin can undo it`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let before = try await home.graph.account(AccountID(ada.uid), in: home.scope)
      let merged = try await home.merge(ada.idToken, into: bo.idToken)
      let id = try merged.text("mergeId")

      let event = try #require(
        try await home.graph.store.read { try $0.event(id, in: home.scope) })
      #expect(event.action == .merge)
      #expect(event.actor == "account:\(bo.uid)")
      #expect(
        event.details["proofs"]?.items.map { $0["account"]?.stringValue } == [bo.uid, ada.uid])
      #expect(event.details["proofs"]?.items.map { $0["provider"] } == ["password", "password"])

      _ = try await home.graph.undoMerge(id, by: home.admin)
      let after = try #require(try await home.graph.account(AccountID(ada.uid), in: home.scope))
      #expect(after.identities == before?.identities)
      #expect(try await home.enter("ada@example.com", "opensesame").localID == ada.uid)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an anonymous account goes up in a person's`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let guest = try await home.openAnonymously()
      home.clock.advance(seconds: 1800)
      let ada = try await home.openAccount()

      let merged = try await home.merge(guest.idToken, into: ada.idToken)

      #expect(merged.localID == ada.uid, "\(merged.text)")
      #expect(merged.json["mergedFrom"] == [.string(guest.uid)])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a person's account goes up in an anonymous one, which is anonymous no more`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let guest = try await home.openAnonymously()
      let ada = try await home.openAccount()

      let merged = try await home.merge(ada.idToken, into: guest.idToken)

      #expect(merged.localID == guest.uid, "\(merged.text)")
      let token = try merged.text("idToken")
      #expect(try claimsOf(token)["firebase"]?["sign_in_provider"] == "password")
      #expect(try await home.ownRecord(token)["email"] == "ada@example.com")
      let renewed = try await home.post(
        "/v1/token",
        [
          "grant_type": "refresh_token", "refresh_token": .string(try merged.text("refreshToken")),
        ])
      #expect(renewed.json["user_id"] == .string(guest.uid), "\(renewed.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a plan is outdated when an account changed since`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let plan = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)
      try await home.adminUpdate(ada.uid, ["displayName": "Ada L."])

      let merged = try await home.merge(
        ada.idToken, into: bo.idToken, ["revisions": try #require(plan.json["revisions"])])

      #expect(merged.status == 400)
      #expect(
        merged.message == "PLAN_OUTDATED : An account changed after the plan was made.")
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `missing and malformed fields are named`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (ada, bo) = try await home.twoAccounts()
      let tokens: [String: JSONValue] = [
        "idToken": .string(ada.idToken), "absorbIdToken": .string(bo.idToken),
      ]
      func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        var body = tokens
        body[name] = value
        return .object(body)
      }
      for path in [ServerHome.merge, ServerHome.planMerge] {
        for (body, message) in [
          (with("idToken", nil), "MISSING_ID_TOKEN"),
          (with("absorbIdToken", nil), "MISSING_ID_TOKEN : absorbIdToken"),
          (with("idToken", "x"), "INVALID_ID_TOKEN"),
          (with("absorbIdToken", "x"), "INVALID_ID_TOKEN : absorbIdToken"),
          (with("policy", "mine"), "INVALID_ARGUMENT : policy is project or survivor."),
        ] {
          let reply = try await home.post(path, body)
          #expect(reply.status == 400)
          #expect(reply.message == message, "\(reply.text)")
        }
        let mistyped = try await home.post(path, with("revisions", ["x": "many"]))
        #expect(mistyped.status == 400, "\(mistyped.text)")
      }
      #expect(try await home.accountCount() == 2)
    }
  }
}
