import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Queries of accounts` {
  private func uids(_ reply: Reply) -> [String] {
    reply.json["userInfo"]?.items.compactMap { $0["localId"]?.stringValue } ?? []
  }

  @Test(arguments: ServerHome.both)
  func `accounts are listed in either order, and counted`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for uid in ["b", "a", "c"] { try await home.seed(uid) }
      for path in [
        "\(home.accountsPath):query", "/v1/projects/\(ServerHome.project):queryAccounts",
      ] {
        let all = try await home.admin("POST", path, [:])
        #expect(all.status == 200)
        #expect(uids(all) == ["a", "b", "c"])
        #expect(all.json["recordsCount"] == "3")
        let back = try await home.admin("POST", path, ["order": "DESC", "sortBy": "USER_ID"])
        #expect(uids(back) == ["c", "b", "a"])
        let byNumber = try await home.admin("POST", path, ["order": 2, "sort_by": 1])
        #expect(uids(byNumber) == ["c", "b", "a"])
        let count = try await home.admin("POST", path, ["returnUserInfo": false])
        #expect(count.json == ["recordsCount": "3"])
      }
    }
  }

  @Test func `the emulator has no limits, offsets, expressions and other orders`() async throws {
    try await withServer(.emulator) { home in
      let path = "\(home.accountsPath):query"
      for body: JSONValue in [
        ["limit": "1"], ["offset": "1"], ["expression": [["email": "a@example.com"]]],
        ["sortBy": "NAME"], ["sortBy": 5],
      ] {
        let reply = try await home.admin("POST", path, body)
        #expect(reply.status == 501, "\(body.text)")
        #expect(reply.json["error"]?["status"] == "NOT_IMPLEMENTED")
      }
      #expect(try await home.admin("POST", path, ["offset": "0"]).status == 200)
    }
  }

  @Test func `production sorts, pages and searches`() async throws {
    try await withServer(.production) { home in
      try await home.seed("u1", email: "c@example.com", name: "Zoe")
      home.clock.advance(seconds: 10)
      try await home.seed("u2", email: "a@example.com", phone: "+15555550100", name: "Ada")
      home.clock.advance(seconds: 10)
      try await home.seed("u3", email: "b@example.com", name: "Mia")
      func ask(_ body: JSONValue) async throws -> [String] {
        let reply = try await home.admin("POST", "\(home.accountsPath):query", body)
        #expect(reply.status == 200, "\(reply.text)")
        return uids(reply)
      }
      #expect(try await ask(["sortBy": "NAME"]) == ["u2", "u3", "u1"])
      #expect(try await ask(["sortBy": "USER_EMAIL", "order": "DESC"]) == ["u1", "u3", "u2"])
      #expect(try await ask(["sortBy": "CREATED_AT", "order": "DESC"]) == ["u3", "u2", "u1"])
      #expect(try await ask(["limit": "1", "offset": "1"]) == ["u2"])
      #expect(try await ask(["sortBy": "NAME", "limit": 1, "offset": 2]) == ["u1"])
      #expect(try await ask(["expression": [["email": "A@example.com"]]]) == ["u2"])
      #expect(try await ask(["expression": [["phoneNumber": "+15555550100"]]]) == ["u2"])
      #expect(try await ask(["expression": [["userId": "u3"]]]) == ["u3"])
      #expect(try await ask(["expression": [["userId": "nobody"]]]) == [])
      for (body, message): (JSONValue, String) in [
        (["limit": 501], "INVALID_ARGUMENT"), (["offset": -1], "INVALID_ARGUMENT"),
        (["expression": [["email": "nobody"]]], "INVALID_EMAIL"),
        (["sortBy": "SIZE"], "Invalid value at 'sort_by' ("),
      ] {
        let reply = try await home.admin("POST", "\(home.accountsPath):query", body)
        #expect(reply.status == 400)
        #expect(reply.message?.hasPrefix(message) == true, "\(reply.text)")
      }
    }
  }
}
