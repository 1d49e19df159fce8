import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Merges by an admin` {
  @Test(arguments: ServerHome.both)
  func `a plan shows every field and writes nothing`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (keep, absorb) = try await home.pair()
      let reply = try await home.admin(
        "POST", "\(home.adminRoot)/merges:plan",
        [
          "keep": .string(keep), "absorb": .string(absorb), "fields": ["displayName": "theirs"],
        ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["survivor"]?["uid"] == "old")
      #expect(reply.json["absorbed"]?["uid"] == "new")
      #expect(reply.json["result"]?["displayName"] == "Ada L.")
      #expect(reply.json["result"]?["phoneNumber"] == "+15555550100")
      #expect(reply.json["movedIdentities"] == ["phone/+15555550100"])
      let name = reply.json["fields"]?.items.first { $0["field"] == "displayName" }
      #expect(name?["rule"] == "theirs")
      #expect(name?["differs"] == true)
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
    }
  }

  @Test(arguments: ServerHome.both)
  func `a merge is committed, listed, explained and undone`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let id = try await home.merged()
      #expect(try await home.graph.accountCount(in: home.scope) == 1)
      let list = try await home.admin("GET", "\(home.adminRoot)/merges")
      let entry = try #require(list.json["merges"]?.items.first)
      #expect(entry["id"] == .string(id))
      #expect(entry["survivor"] == "old")
      #expect(entry["absorbed"] == "new")
      #expect(entry["reason"] == "ticket 12")
      let why = try await home.admin("GET", "\(home.adminRoot)/events/\(id):why")
      #expect(why.json["event"]?["action"] == "merge")
      #expect(why.json["trace"]?.items.isEmpty == false)
      let alias = try await home.admin("GET", "\(home.adminRoot)/accounts/new")
      #expect(alias.json["uid"] == "old")

      let rehearsed = try await home.admin(
        "POST", "\(home.adminRoot)/merges/\(id):undo", ["dryRun": true])
      #expect(rehearsed.json["dryRun"] == true)
      #expect(try await home.graph.accountCount(in: home.scope) == 1)
      let undone = try await home.admin("POST", "\(home.adminRoot)/merges/\(id):undo", [:])
      #expect(undone.status == 200, "\(undone.text)")
      #expect(undone.json["action"] == "undo-merge")
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
      let again = try await home.admin("POST", "\(home.adminRoot)/merges/\(id):undo", [:])
      #expect(again.status == 409)
      #expect(again.json["error"]?["reason"] == "undo-refused")
    }
  }

  @Test(arguments: ServerHome.both)
  func `an undo after a later change is shown, and keeps what is named`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let path = "\(home.adminRoot)/merges/\(try await home.merged()):undo"
      var changes = ProfileChanges()
      changes.displayName = .set("Countess")
      _ = try await home.graph.update(AccountID("old"), changes, by: home.admin)

      let rehearsed = try await home.admin("POST", path, ["dryRun": true])
      #expect(rehearsed.status == 200, "\(rehearsed.text)")
      let undo = rehearsed.json["undo"]
      #expect(undo?["needsForce"] == true)
      #expect(
        undo?["changes"] == [
          [
            "name": "displayName", "merged": "Ada", "now": "Countess", "kept": false,
            "keepable": true,
          ]
        ])
      let row = undo?["rows"]?.items.first { $0["name"] == "displayName" }
      #expect(
        row == [
          "name": "displayName", "now": "Countess", "survivor": "Ada", "absorbed": "Ada L.",
        ])
      let refused = try await home.admin("POST", path, [:])
      #expect(refused.status == 409 && refused.json["error"]?["reason"] == "undo-refused")
      let wrong = try await home.admin("POST", path, ["keep": ["email"]])
      #expect(wrong.status == 400 && wrong.json["error"]?["field"] == "keep", "\(wrong.text)")
      let undone = try await home.admin("POST", path, ["keep": ["displayName"]])
      #expect(undone.status == 200, "\(undone.text)")
      #expect(undone.json["waysIn"]?.items.map { $0["account"] } == ["old", "new"])
      #expect(
        try await home.graph.account(AccountID("old"), in: home.scope)?.displayName == "Countess")
    }
  }

  @Test func `merges come in pages`() async throws {
    try await withServer(.production) { home in
      var ids: [String] = []
      for number in 0..<3 {
        try await home.seed("k\(number)")
        try await home.seed("a\(number)")
        home.clock.advance(seconds: 1)
        ids.append(
          try await home.admin(
            "POST", "\(home.adminRoot)/merges",
            ["keep": .string("k\(number)"), "absorb": .string("a\(number)")]
          ).text("id"))
      }
      let first = try await home.admin("GET", "\(home.adminRoot)/merges?limit=2")
      #expect(first.json["merges"]?.items.map { $0["id"]?.stringValue } == [ids[2], ids[1]])
      let token = try first.text("nextPageToken")
      let rest = try await home.admin("GET", "\(home.adminRoot)/merges?limit=2&pageToken=\(token)")
      #expect(rest.json["merges"]?.items.map { $0["id"]?.stringValue } == [ids[0]])
      let one = try await home.admin("GET", "\(home.adminRoot)/merges?account=a1")
      #expect(one.json["merges"]?.items.map { $0["id"]?.stringValue } == [ids[1]])
    }
  }

  @Test func `each fault is reported with its remedy`() async throws {
    try await withServer(.production) { home in
      let (keep, absorb) = try await home.pair()
      let pair: [String: JSONValue] = ["keep": .string(keep), "absorb": .string(absorb)]
      let cases: [([String: JSONValue], Int, String, String?)] = [
        ([:], 400, "invalid-argument", "keep"),
        (["keep": "old"], 400, "invalid-argument", "absorb"),
        (["keep": "old", "absorb": "nobody"], 404, "user-not-found", nil),
        (["keep": "old", "absorb": "old"], 409, "merge-refused", nil),
        (
          pair.merging(["fields": ["colour": "keep"]]) { $1 }, 400, "invalid-argument", "colour"
        ),
        (
          pair.merging(["fields": ["email": "union"]]) { $1 }, 400, "invalid-argument", "email"
        ),
        (
          pair.merging(["revisions": ["keep": 99]]) { $1 }, 409, "plan-outdated", "revisions"
        ),
      ]
      for (body, status, reason, field) in cases {
        let reply = try await home.admin("POST", "\(home.adminRoot)/merges", .object(body))
        #expect(reply.status == status, "\(reply.text)")
        #expect(reply.json["error"]?["reason"] == .string(reason))
        if let field { #expect(reply.json["error"]?["field"] == .string(field)) }
        #expect(reply.json["error"]?["message"]?.stringValue?.isEmpty == false)
      }
      let unknown = try await home.admin(
        "POST", "\(home.adminRoot)/merges", .object(pair.merging(["keeep": "x"]) { $1 }))
      #expect(unknown.message?.contains("keeep") == true)
      let missing = try await home.admin("POST", "\(home.adminRoot)/merges/none:undo", [:])
      #expect(missing.status == 404)
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
    }
  }

  @Test func `attack 26: the account in the way is named to admins alone`() async throws {
    try await withServer(.production) { home in
      try await home.seed("victim", email: "victim@example.com")
      let client = try await home.post(
        "/v1/accounts:signUp", ["email": "victim@example.com", "password": "correct horse"])
      #expect(client.status == 400)
      #expect(client.text.contains("\"victim\"") == false && client.text.contains("uid") == false)
      // The audit log has the same refusal with all accounts involved, and requires an admin's token.
      let events = try await home.admin(
        "GET", "\(home.adminRoot)/events?errorCode=email-already-in-use")
      #expect(events.status == 200)
      for headers: [String: String] in [[:], ["Authorization": "Bearer guess"]] {
        for path in ["events", "accounts", "merges", "duplicates?by=email"] {
          let reply = try await home.call("GET", "\(home.adminRoot)/\(path)", nil, headers: headers)
          #expect(reply.status == 401)
          #expect(reply.text.contains("victim") == false)
        }
      }
      let byKey = try await home.call("GET", "\(home.adminRoot)/events?key=k")
      #expect(byKey.status == 401)
    }
  }

  @Test(arguments: ServerHome.both)
  func `attack 34: accounts of two tenants cannot be merged, nor seen across`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let tenant = String(try #require(name.split(separator: "/").last))
      try await home.seed("here")
      try await home.seed(
        "there", in: Scope(project: ServerHome.project, tenant: tenant))
      let body: JSONValue = ["keep": "here", "absorb": "there"]
      for query in ["", "?tenantId=\(tenant)"] {
        let reply = try await home.admin("POST", "\(home.adminRoot)/merges\(query)", body)
        #expect(reply.status == 404, "\(reply.text)")
      }
      let seen = try await home.admin("GET", "\(home.adminRoot)/accounts?tenantId=\(tenant)")
      #expect(seen.json["accounts"]?.items.map { $0["uid"]?.stringValue } == ["there"])
      let notSeen = try await home.admin("GET", "\(home.adminRoot)/accounts/there")
      #expect(notSeen.status == 404)
    }
  }
}
