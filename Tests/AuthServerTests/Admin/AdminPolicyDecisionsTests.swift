import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `The log of decisions over HTTP` {
  /// Lets a policy refuse an own merge and then make it; returns the ID of the merge.
  private func decided(_ home: ServerHome) async throws -> String {
    let (ada, bo) = try await home.twoAccounts()
    try await home.decideMerges("return refuse \"shops stay apart\"")
    let refused = try await home.merge(ada.idToken, into: bo.idToken)
    #expect(refused.message?.hasPrefix("MERGE_REFUSED") == true, "\(refused.text)")
    home.clock.advance(seconds: 60)
    try await home.decideMerges("return merge { into = c.existing, from = c.current }")
    let merged = try await home.merge(ada.idToken, into: bo.idToken)
    return try merged.text("mergeId")
  }

  @Test(arguments: ServerHome.both)
  func `decisions are listed with filters, and one is shown, all masked`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let id = try await decided(home)
      let path = "\(home.adminRoot)/policy/decisions"
      func ids(_ query: String) async throws -> [JSONValue?] {
        let reply = try await home.admin("GET", "\(path)\(query)")
        #expect(reply.status == 200, "\(reply.text)")
        #expect(!reply.text.contains("ada@") && !reply.text.contains("Ada"))
        return reply.json["decisions"]?.items.map { $0["id"] } ?? []
      }
      let all = try await ids("")
      #expect(all.count == 2 && all.first == .string(id))
      #expect(try await ids("?answer=merge") == [.string(id)])
      #expect(try await ids("?answer=refuse") == [all[1]])
      #expect(try await ids("?answer=review").isEmpty)
      #expect(try await ids("?since=30s") == [.string(id)])
      #expect(try await ids("?until=30s") == [all[1]])
      #expect(try await ids("?code=credential-already-in-use").count == 2)
      #expect(try await ids("?provider=apple.com").isEmpty)

      let first = try await home.admin("GET", "\(path)?limit=1")
      let entry = try #require(first.json["decisions"]?.items.first)
      #expect(entry["operation"] == "merge" && entry["answer"] == "merge")
      #expect(entry["conflict"] == nil)
      let judgement = entry["judgements"]?.items.first
      #expect(judgement?["policy"] == "house" && judgement?["answer"]?["into"] != nil)
      #expect(judgement?["version"]?["role"] == "decides")
      #expect(judgement?["version"]?["digest"]?.stringValue?.count == 64)
      let token = try first.text("nextPageToken")
      let rest = try await home.admin("GET", "\(path)?limit=1&pageToken=\(token)")
      #expect(rest.json["decisions"]?.items.map { $0["id"] } == [all[1]])

      let one = try await home.admin("GET", "\(path)/\(id)")
      #expect(one.json["id"] == .string(id), "\(one.text)")
      #expect(one.json["conflict"]?["current"] != nil && one.json["conflict"]?["history"] != nil)
      #expect(!one.text.contains("ada@") && !one.text.contains("Bo\""))
    }
  }

  @Test func `an unknown event, answer or parameter is refused`() async throws {
    try await withServer(.production) { home in
      let path = "\(home.adminRoot)/policy/decisions"
      let none = try await home.admin("GET", "\(path)/none")
      #expect(none.status == 404 && none.json["error"]?["reason"] == "event-not-found")
      for (query, field) in [
        ("answer=merg", "answer"), ("anwser=merge", "anwser"), ("since=soon", "since"),
        ("limit=0", "limit"),
      ] {
        let reply = try await home.admin("GET", "\(path)?\(query)")
        #expect(reply.status == 400, "\(query) \(reply.text)")
        #expect(reply.json["error"]?["field"] == .string(field), "\(query) \(reply.text)")
      }
    }
  }

  @Test func `a plan names the version of the policy that decided`() async throws {
    try await withServer(.production) { home in
      let (ada, bo) = try await home.twoAccounts()
      let plain = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)
      #expect(plain.status == 200 && plain.json["policyVersion"] == nil, "\(plain.text)")
      let script: JSONValue = [
        "name": "house.lua",
        "text": """
        return policy {
          name = "house", on = { "credential-already-in-use" }, survivor = "by side",
          decide = function(c) return merge { into = c.existing, from = c.current } end,
          examples = { { name = "it merges", expect = { into = "existing" } } },
        }
        """,
      ]
      let used = try await home.admin("PUT", "\(home.adminRoot)/policy", script)
      #expect(used.status == 200, "\(used.text)")
      let plan = try await home.merge(ada.idToken, into: bo.idToken, at: ServerHome.planMerge)
      let shown = try await home.admin("GET", "\(home.adminRoot)/policy")
      #expect(plan.json["policyVersion"]?["number"] == 1, "\(plan.text)")
      #expect(plan.json["policyVersion"]?["digest"] == shown.json["digest"])
      #expect(plan.json["policyVersion"]?["role"] == "decides")
    }
  }
}
