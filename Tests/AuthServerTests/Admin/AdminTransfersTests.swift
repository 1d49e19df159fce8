import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Splits and moves by an admin, over a socket like merges.
@Suite struct `Splits and moves by an admin` {
  private static let key = IdentityKey(ProviderID("google.com"), subject: "1")
  private static let named: JSONValue = ["providerID": "google.com", "uid": "1"]

  /// Makes an account with a phone number and an identity of google.com, and another account.
  private func accounts(_ home: ServerHome) async throws {
    try await home.seed("both", phone: "+15555550100", name: "Ada")
    _ = try await home.graph.assert(
      Self.key, profile: IdentityProfile(), on: AccountID("both"), by: home.admin)
    try await home.seed("other", email: "bo@example.com", name: "Bo")
  }

  private func providers(_ uid: String, _ home: ServerHome) async throws -> [String] {
    let account = try await home.graph.account(AccountID(uid), in: home.scope)
    return try #require(account).identities.map(\.key.description).sorted()
  }

  @Test(arguments: ServerHome.both)
  func `a split is planned, made, explained and undone`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await accounts(home)
      let split: [String: JSONValue] = [
        "account": "both", "identities": [Self.named], "uid": "new",
        "fields": ["displayName": "copy"],
      ]
      let plan = try await home.admin(
        "POST", "\(home.adminRoot)/splits:plan", .object(split))
      #expect(plan.status == 200, "\(plan.text)")
      #expect(plan.json["source"]?["uid"] == "both" && plan.json["target"] == nil)
      #expect(plan.json["targetAfter"]?["uid"] == "new")
      #expect(plan.json["targetAfter"]?["displayName"] == "Ada")
      #expect(plan.json["movedIdentities"] == ["google.com/1"])
      #expect(plan.json["shutAccounts"] == [])
      let name = plan.json["fields"]?.items.first { $0["field"] == "displayName" }
      #expect(name?["rule"] == "copy" && name?["target"] == "Ada")
      #expect(try await home.graph.accountCount(in: home.scope) == 2)

      let path = "\(home.adminRoot)/splits"
      let rehearsed = try await home.admin(
        "POST", path, .object(split.merging(["dryRun": true]) { $1 }))
      #expect(rehearsed.json["dryRun"] == true, "\(rehearsed.text)")
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
      let revision = try #require(plan.json["source"]?["metadata"]?["revision"])
      let made = try await home.admin(
        "POST", path,
        .object(
          split.merging(["reason": "two people", "revisions": ["account": revision]]) { $1 }))
      #expect(made.status == 200 && made.json["action"] == "split", "\(made.text)")
      #expect(try await providers("new", home) == ["google.com/1"])
      #expect(try await providers("both", home) == ["phone/+15555550100"])

      let id = try made.text("id")
      let why = try await home.admin("GET", "\(home.adminRoot)/events/\(id):why")
      #expect(why.json["event"]?["reason"] == "two people")
      let kept = try await home.admin(
        "POST", "\(home.adminRoot)/merges/\(id):undo", ["keep": ["displayName"]])
      #expect(kept.status == 400 && kept.json["error"]?["field"] == "keep", "\(kept.text)")
      let undone = try await home.admin("POST", "\(home.adminRoot)/merges/\(id):undo", [:])
      #expect(undone.json["action"] == "undo-split", "\(undone.text)")
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
      #expect(try await providers("both", home) == ["google.com/1", "phone/+15555550100"])
      let again = try await home.admin("POST", "\(home.adminRoot)/merges/\(id):undo", [:])
      #expect(again.status == 409 && again.json["error"]?["reason"] == "undo-refused")
    }
  }

  @Test(arguments: ServerHome.both)
  func `a move is planned, made and undone`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await accounts(home)
      let move: JSONValue = ["account": "both", "to": "other", "identity": Self.named]
      let plan = try await home.admin("POST", "\(home.adminRoot)/moves:plan", move)
      #expect(plan.json["target"]?["uid"] == "other", "\(plan.text)")
      #expect(plan.json["movedIdentities"] == ["google.com/1"])
      let made = try await home.admin("POST", "\(home.adminRoot)/moves", move)
      #expect(made.status == 200 && made.json["action"] == "move", "\(made.text)")
      #expect(try await providers("other", home).contains("google.com/1"))
      let undone = try await home.admin(
        "POST", "\(home.adminRoot)/merges/\(try made.text("id")):undo", ["reason": "wrong person"])
      #expect(undone.json["action"] == "undo-move", "\(undone.text)")
      #expect(try await providers("both", home).contains("google.com/1"))
    }
  }

  @Test func `an account without a way in has to be forced`() async throws {
    try await withServer(.production) { home in
      try await home.seed("phone", phone: "+15555550100")
      try await home.seed("other", email: "bo@example.com")
      var move: [String: JSONValue] = [
        "account": "phone", "to": "other",
        "identity": ["providerID": "phone", "uid": "+15555550100"],
      ]
      let plan = try await home.admin("POST", "\(home.adminRoot)/moves:plan", .object(move))
      #expect(plan.json["shutAccounts"]?.items.contains("phone") == true, "\(plan.text)")
      let refused = try await home.admin("POST", "\(home.adminRoot)/moves", .object(move))
      #expect(refused.json["error"]?["reason"] == "last-sign-in-method", "\(refused.text)")
      move["force"] = true
      let made = try await home.admin("POST", "\(home.adminRoot)/moves", .object(move))
      #expect(made.status == 200, "\(made.text)")
      let other = try await home.graph.account(AccountID("other"), in: home.scope)
      #expect(other?.phoneNumber?.text == "+15555550100")
    }
  }

  @Test func `each fault is reported with its field`() async throws {
    try await withServer(.production) { home in
      try await accounts(home)
      let split: [String: JSONValue] = ["account": "both", "identities": [Self.named]]
      let move: [String: JSONValue] = [
        "account": "both", "to": "other", "identity": Self.named,
      ]
      let cases: [(String, [String: JSONValue], Int, String, String?)] = [
        ("splits", ["identities": [Self.named]], 400, "invalid-argument", "account"),
        (
          "splits", split.merging(["identities": [["providerID": "google.com"]]]) { $1 }, 400,
          "invalid-argument", "identities"
        ),
        (
          "splits", split.merging(["fields": ["colour": "move"]]) { $1 }, 400, "invalid-argument",
          "colour"
        ),
        (
          "splits", split.merging(["fields": ["email": "copy"]]) { $1 }, 400, "invalid-argument",
          "email"
        ),
        (
          "splits", split.merging(["revisions": ["account": 99]]) { $1 }, 409, "plan-outdated",
          "revisions"
        ),
        ("moves", ["account": "both", "to": "other"], 400, "invalid-argument", "identity"),
        ("moves", ["account": "both", "identity": Self.named], 400, "invalid-argument", "to"),
        ("moves", move.merging(["to": "nobody"]) { $1 }, 404, "user-not-found", nil),
        (
          "moves", move.merging(["revisions": ["to": 99]]) { $1 }, 409, "plan-outdated",
          "revisions"
        ),
      ]
      for (path, body, status, reason, field) in cases {
        let reply = try await home.admin("POST", "\(home.adminRoot)/\(path)", .object(body))
        #expect(reply.status == status, "\(body) \(reply.text)")
        #expect(reply.json["error"]?["reason"] == .string(reason), "\(body) \(reply.text)")
        if let field { #expect(reply.json["error"]?["field"] == .string(field)) }
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
    }
  }

  @Test func `attack: accounts of two tenants are not joined by a move`() async throws {
    try await withServer(.production) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let tenant = String(try #require(name.split(separator: "/").last))
      try await accounts(home)
      try await home.seed("there", in: Scope(project: ServerHome.project, tenant: tenant))
      let body: JSONValue = ["account": "both", "to": "there", "identity": Self.named]
      for query in ["", "?tenantId=\(tenant)"] {
        let reply = try await home.admin("POST", "\(home.adminRoot)/moves\(query)", body)
        #expect(reply.status == 404, "\(reply.text)")
      }
    }
  }
}
