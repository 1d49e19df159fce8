import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Deletions by an admin` {
  private func path(_ home: ServerHome, _ uid: String, _ verb: String) -> String {
    "\(home.adminRoot)/accounts/\(uid):\(verb)"
  }

  private func isGone(_ home: ServerHome, _ uid: String) async throws -> Bool {
    try await home.graph.account(AccountID(uid), in: home.scope) == nil
  }

  @Test(arguments: ServerHome.both)
  func `a deletion needs a reason, shows its losses, and is undone`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.seed("ada", email: "ada@example.com", name: "Ada")
      let unreasoned = try await home.admin("POST", path(home, "ada", "delete"), [:])
      #expect(unreasoned.status == 400, "\(unreasoned.text)")
      #expect(unreasoned.json["error"]?["field"] == "reason")
      let rehearsed = try await home.admin("POST", path(home, "ada", "delete"), ["dryRun": true])
      #expect(rehearsed.json["losses"]?["email"] == "ada@example.com", "\(rehearsed.text)")
      #expect(rehearsed.json["losses"]?["waysIn"] == 0)
      #expect(try await !isGone(home, "ada"))

      let deleted = try await home.admin(
        "POST", path(home, "ada", "delete"), ["reason": "ticket 7"])
      #expect(deleted.status == 200 && deleted.json["action"] == "delete", "\(deleted.text)")
      #expect(try await isGone(home, "ada"))
      let event = try await home.graph.event(try deleted.text("id"), in: home.scope)
      #expect(event.reason == "ticket 7")
      let restored = try await home.admin(
        "POST", path(home, "ada", "restore"), ["reason": "a mistake"])
      #expect(restored.status == 200 && restored.json["action"] == "restore", "\(restored.text)")
      #expect(try await home.stored("ada").email?.text == "ada@example.com")
      let again = try await home.admin("POST", path(home, "ada", "restore"), [:])
      #expect(again.status == 400 && again.json["error"]?["reason"] == "uid-already-exists")
    }
  }

  @Test func `what others have now is named, and left out if forced`() async throws {
    try await withServer(.production) { home in
      try await home.seed("ada", email: "ada@example.com", name: "Ada")
      _ = try await home.admin("POST", path(home, "ada", "delete"), ["reason": "x"])
      try await home.seed("bo", email: "ada@example.com")
      let refused = try await home.admin("POST", path(home, "ada", "restore"), [:])
      #expect(refused.status == 409, "\(refused.text)")
      #expect(refused.json["error"]?["message"]?.stringValue?.contains("ada@example.com") == true)
      let forced = try await home.admin("POST", path(home, "ada", "restore"), ["force": true])
      #expect(forced.status == 200, "\(forced.text)")
      #expect(try await home.stored("ada").email == nil)
      #expect(try await home.stored("bo").email?.text == "ada@example.com")
    }
  }

  @Test func `a deletion for ever, a purge and Firebase's own keep nothing`() async throws {
    try await withServer(.production) { home in
      for way in ["forever", "purge", "firebase", "batch"] {
        try await home.seed(way, email: "\(way)@example.com")
        switch way {
        case "firebase":
          _ = try await home.admin(
            "POST", "\(home.accountsPath):delete", ["localId": .string(way)])
        case "batch":
          _ = try await home.admin(
            "POST", "\(home.accountsPath):batchDelete",
            ["localIds": [.string(way)], "force": true])
        default:
          let gone = try await home.admin(
            "POST", path(home, way, "delete"),
            ["reason": "x", "forever": .bool(way == "forever")])
          #expect(gone.status == 200, "\(gone.text)")
        }
        if way == "purge" {
          let purged = try await home.admin("POST", path(home, way, "purge"), [:])
          #expect(purged.status == 200 && purged.json["action"] == "purge", "\(purged.text)")
        }
        let refused = try await home.admin("POST", path(home, way, "restore"), ["force": true])
        #expect(refused.status == 404, "\(way): \(refused.text)")
        try await home.seed(way)
      }
    }
  }

  @Test func `a custom token opens no deleted account, and does again when it is restored`()
    async throws
  {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let signIn = `Signing in with a custom token`.path
      let token = try maker.token(home)
      let first = try SignedUp(try await home.post(signIn, ["token": .string(token)]))
      _ = try await home.admin("POST", path(home, first.uid, "delete"), ["reason": "abuse"])
      let refused = try await home.post(signIn, ["token": .string(try maker.token(home))])
      expectFailure(refused, "USER_DISABLED")
      #expect(try await isGone(home, first.uid))

      _ = try await home.admin("POST", path(home, first.uid, "restore"), [:])
      let lookup = try await home.post("/v1/accounts:lookup", first.session)
      expectFailure(lookup, "TOKEN_EXPIRED")
      let renewed = try await home.post(
        "/v1/token",
        ["grantType": "refresh_token", "refreshToken": .string(first.refreshToken)])
      #expect(renewed.status == 400, "\(renewed.text)")
      let back = try await home.post(signIn, ["token": .string(try maker.token(home))])
      #expect(try SignedUp(back).uid == first.uid, "\(back.text)")
    }
  }

  @Test func `values in events are for readers of accounts alone`() async throws {
    let admins: ServerServices.AdminLookup = { token, _ in
      AdminRight(
        name: token, scopes: token == ServerHome.adminToken ? ["all"] : ["audit"],
        project: ServerHome.project)
    }
    try await withServer(.production, configure: { $0.admins = admins }) { home in
      try await home.seed("ada", email: "ada@example.com", name: "Ada")
      _ = try await home.adminUpdate("ada", ["displayName": "Countess"])
      let events = "\(home.adminRoot)/accounts/ada/events"
      let whole = try await home.admin("GET", events)
      let first = whole.json["events"]?.items.first
      #expect(first?["details"]?["changes"]?["displayName"]?["to"] == "Countess", "\(whole.text)")

      let id = try #require(first?["id"]?.stringValue)
      let root = "\(home.adminRoot)/events"
      for path in [events, root, "\(root)/\(id)", "\(root)/\(id):why"] {
        let reply = try await home.call(
          "GET", path, headers: ["Authorization": "Bearer auditor"])
        #expect(reply.status == 200 && reply.text.contains(id), "\(reply.text)")
        #expect(!reply.text.contains("Countess"), "\(path): \(reply.text)")
      }
    }
  }
}
