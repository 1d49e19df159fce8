import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `The audit over HTTP` {
  @Test func `events are filtered and come in pages, newest first`() async throws {
    try await withServer(.production) { home in
      for number in 0..<5 {
        try await home.seed("u\(number)")
        home.clock.advance(seconds: 1)
      }
      _ = try await home.graph.setDisabled(true, AccountID("u1"), by: home.admin)
      let all = try await home.admin("GET", "\(home.adminRoot)/events")
      #expect(all.status == 200)
      #expect(all.json["events"]?.items.first?["action"] == "disable")
      #expect(all.json["nextPageToken"] == nil)
      let created = try await home.admin("GET", "\(home.adminRoot)/events?action=create&limit=2")
      func uids(_ reply: Reply) -> [String] {
        reply.json["events"]?.items.compactMap { $0["accountID"]?.stringValue } ?? []
      }
      #expect(uids(created) == ["u4", "u3"])
      var seen = uids(created)
      var token = created.json["nextPageToken"]?.stringValue
      while let next = token {
        let page = try await home.admin(
          "GET", "\(home.adminRoot)/events?action=create&limit=2&pageToken=\(next)")
        seen += uids(page)
        token = page.json["nextPageToken"]?.stringValue
      }
      #expect(seen == ["u4", "u3", "u2", "u1", "u0"])
      let one = try await home.admin("GET", "\(home.adminRoot)/events?account=u1")
      #expect(one.json["events"]?.items.map { $0["action"]?.stringValue } == ["disable", "create"])
      let history = try await home.admin("GET", "\(home.adminRoot)/accounts/u1/events")
      #expect(history.json["events"] == one.json["events"])
      let id = try #require(one.json["events"]?.items.first?["id"]?.stringValue)
      let event = try await home.admin("GET", "\(home.adminRoot)/events/\(id)")
      #expect(event.json == one.json["events"]?.items.first)
      #expect(try await home.admin("GET", "\(home.adminRoot)/events/none").status == 404)
      #expect(try await home.admin("GET", "\(home.adminRoot)/events/none:why").status == 404)
      let tooMany = try await home.admin("GET", "\(home.adminRoot)/events?limit=1001")
      #expect(tooMany.json["error"]?["field"] == "limit")
    }
  }

  @Test func `events are found by actor, request and times`() async throws {
    try await withServer(.production) { home in
      try await home.seed("a")
      home.clock.advance(seconds: 7200)
      try await home.seed("b")
      func uids(_ query: String) async throws -> [String] {
        let reply = try await home.admin("GET", "\(home.adminRoot)/events?\(query)")
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json["events"]?.items.compactMap { $0["accountID"]?.stringValue } ?? []
      }
      let actor = home.admin.actor
      #expect(try await uids("action=create&actor=\(actor)") == ["b", "a"])
      #expect(try await uids("action=create&actor=nobody") == [])
      #expect(try await uids("action=create&since=1h") == ["b"])
      #expect(try await uids("action=create&until=1h") == ["a"])
      #expect(try await uids("action=create&since=3%20hours%20ago&until=1%20hour%20ago") == ["a"])
      #expect(try await uids("requestID=none") == [])
      #expect(try await uids("action=none") == [])
      let wrong = try await home.admin("GET", "\(home.adminRoot)/events?since=tomorrow")
      #expect(wrong.status == 400)
      #expect(wrong.json["error"]?["field"] == "since")
    }
  }

  @Test func `C14: the events of an account and the merges come in pages to their end`()
    async throws
  {
    try await withServer(.production) { home in
      for uid in ["a", "b", "c", "d"] { try await home.seed(uid) }
      // At the same time, so that no time tells them apart.
      for absorbed in ["b", "c", "d"] {
        let plan = try await home.graph.planMerge(
          keep: AccountID("a"), absorb: AccountID(absorbed), in: home.scope)
        _ = try await home.graph.commit(plan, by: home.admin)
      }
      func pages(_ path: String, _ name: String) async throws -> [String] {
        var ids: [String] = []
        var token: String?
        repeat {
          let query = "limit=2" + (token.map { "&pageToken=\($0)" } ?? "")
          let page = try await home.admin("GET", "\(home.adminRoot)/\(path)?\(query)")
          #expect(page.status == 200, "\(page.text)")
          ids += page.json[name]?.items.compactMap { $0["id"]?.stringValue } ?? []
          token = page.json["nextPageToken"]?.stringValue
        } while token != nil
        return ids
      }
      let merges = try await home.graph.merges(limit: 100, in: home.scope)
      #expect(merges.count == 3)
      #expect(try await pages("merges", "merges") == merges.map(\.id))
      #expect(try await pages("merges", "merges").count == 3)
      let history = try await home.graph.history(of: AccountID("a"), limit: 100, in: home.scope)
      #expect(history.count > 4)
      #expect(try await pages("accounts/a/events", "events") == history.map(\.id))
      let wrong = try await home.admin(
        "GET", "\(home.adminRoot)/merges?pageToken=\(PageToken(last: "x").text)")
      #expect(wrong.status >= 400 && wrong.status < 500)
    }
  }

  @Test func `C2: a merge that names an absorbed uid is refused`() async throws {
    try await withServer(.production) { home in
      for uid in ["a", "b", "c"] { try await home.seed(uid) }
      let path = "\(home.adminRoot)/merges"
      #expect(try await home.admin("POST", path, ["keep": "a", "absorb": "b"]).status == 200)
      for pair: JSONValue in [["keep": "c", "absorb": "b"], ["keep": "b", "absorb": "c"]] {
        for path in [path, "\(path):plan"] {
          let reply = try await home.admin("POST", path, pair)
          #expect(reply.status == 400, "\(reply.text)")
          #expect(reply.text.contains("b was merged into a."))
        }
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 2)
    }
  }

  @Test func `accounts are found by all that a store finds them by`() async throws {
    try await withServer(.production) { home in
      try await home.seed("a", email: "ada@example.com", name: "Ada")
      try await home.seed("b", phone: "+15555550100", disabled: true)
      func uids(_ query: String) async throws -> [String] {
        let reply = try await home.admin("GET", "\(home.adminRoot)/accounts?\(query)")
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json["accounts"]?.items.compactMap { $0["uid"]?.stringValue } ?? []
      }
      #expect(try await uids("") == ["a", "b"])
      #expect(try await uids("email=ADA@example.com") == ["a"])
      #expect(try await uids("phoneNumber=%2B15555550100") == ["b"])
      #expect(try await uids("displayName=Ada") == ["a"])
      #expect(try await uids("disabled=true") == ["b"])
      #expect(try await uids("providerID=phone") == ["b"])
      #expect(try await uids("disabled=true&displayName=Ada") == [])
      let first = try await home.admin("GET", "\(home.adminRoot)/accounts?limit=1")
      let token = try first.text("nextPageToken")
      #expect(try await uids("limit=1&pageToken=\(token)") == ["b"])
      let wrong = try await home.admin("GET", "\(home.adminRoot)/accounts?pageToken=x")
      #expect(wrong.message == "INVALID_PAGE_SELECTION")
    }
  }

  @Test func `addresses that several accounts have are listed`() async throws {
    try await withServer(.production) { home in
      _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
      for uid in ["a", "b"] { try await home.seed(uid, email: "ada@example.com") }
      let reply = try await home.admin("GET", "\(home.adminRoot)/duplicates?by=email")
      #expect(
        reply.json == ["duplicates": [["key": "ada@example.com", "accounts": ["a", "b"]]]])
      for query in ["", "?by=shoe"] {
        let wrong = try await home.admin("GET", "\(home.adminRoot)/duplicates\(query)")
        #expect(wrong.status == 400)
        #expect(wrong.json["error"]?["field"] == "by")
      }
    }
  }

  @Test func `a delivery that was given up is listed, and repeated on request`() async throws {
    try await withServer(.production) { home in
      try await OutboxConsumer.note(home.graph.store, at: home.clock.now)
      let account = try await home.seed("a")
      let event = try #require(
        try await home.graph.history(of: account.id, limit: 1, in: home.scope).first)
      try await home.graph.store.write {
        try $0.save(OutboxDelivery(event: event, attempts: 12, isDead: true))
      }
      let path = "\(home.adminRoot)/outbox/deadLetters"
      let list = try await home.admin("GET", path)
      #expect(list.json["deadLetters"]?.items.first?["attempts"] == 12)
      #expect(list.json["deadLetters"]?.items.first?["event"]?["id"] == .string(event.id))
      #expect(try await home.admin("POST", "\(path)/\(event.id):retry", [:]).json == [:])
      #expect(try await home.admin("GET", path).json == ["deadLetters": []])
      let again = try await home.admin("POST", "\(path)/\(event.id):retry", [:])
      #expect(again.status == 404)
    }
  }
}
