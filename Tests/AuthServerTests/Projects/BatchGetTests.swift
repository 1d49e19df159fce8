import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Pages of accounts` {
  private func uids(_ reply: Reply) -> [String] {
    reply.json["users"]?.items.compactMap { $0["localId"]?.stringValue } ?? []
  }

  @Test(arguments: ServerHome.both)
  func `accounts come in order of uid, and a full page has a token`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      for uid in ["c", "a", "d", "b"] { try await home.seed(uid) }

      let first = try await home.admin("GET", "\(home.accountsPath):batchGet?maxResults=2")
      #expect(first.status == 200)
      #expect(first.json["kind"] == "identitytoolkit#DownloadAccountResponse")
      #expect(uids(first) == ["a", "b"])
      let token = try first.text("nextPageToken")

      let path = "\(home.accountsPath):batchGet?maxResults=2&nextPageToken=\(token)"
      let second = try await home.admin("GET", path)
      #expect(uids(second) == ["c", "d"])
      let last = try second.text("nextPageToken")

      let third = try await home.admin(
        "GET", "\(home.accountsPath):batchGet?maxResults=2&nextPageToken=\(last)")
      #expect(uids(third).isEmpty)
      #expect(third.json["nextPageToken"] == nil)
    }
  }

  @Test func `the emulator's token is the last uid, and production refuses one it did not make`()
    async throws
  {
    try await withServer(.emulator) { home in
      try await home.seed("a")
      let reply = try await home.admin("GET", "\(home.accountsPath):batchGet?maxResults=1")
      #expect(try reply.text("nextPageToken") == "a")
    }
    try await withServer(.production) { home in
      let reply = try await home.admin("GET", "\(home.accountsPath):batchGet?nextPageToken=a")
      #expect(reply.status == 400)
      #expect(reply.message == "INVALID_PAGE_SELECTION")
    }
  }

  @Test(arguments: ServerHome.both)
  func `a page has twenty accounts by default`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for number in 0..<22 { try await home.seed("u\(100 + number)") }
      #expect(uids(try await home.admin("GET", "\(home.accountsPath):batchGet")).count == 20)
      let all = try await home.admin("GET", "\(home.accountsPath):batchGet?maxResults=5000")
      #expect(uids(all).count == 22)
      let every = try await home.admin("GET", "\(home.accountsPath):batchGet?maxResults=-1")
      if mode == .emulator {
        #expect(uids(every).count == 22)
        #expect(every.json["nextPageToken"] == nil)
      } else {
        #expect(every.message == "INVALID_PAGE_SELECTION")
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `the older path takes the project and the page from its body`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      for uid in ["a", "b"] { try await home.seed(uid) }
      let path = "/identitytoolkit/v3/relyingparty/downloadAccount"
      let reply = try await home.admin(
        "POST", path, ["targetProjectId": .string(ServerHome.project), "maxResults": 1])
      #expect(uids(reply) == ["a"], "\(reply.text)")
      let without = try await home.admin("POST", path, ["maxResults": 1])
      #expect(without.status == 400)
      #expect(without.message == "INSUFFICIENT_PERMISSION")
    }
  }

  @Test(arguments: ServerHome.both)
  func `a client with a key gets no accounts`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for (method, verb) in [
        ("GET", ":batchGet"), ("POST", ":batchCreate"), ("POST", ":batchDelete"),
        ("POST", ":query"),
      ] {
        let reply = try await home.call(
          method, "\(home.accountsPath)\(verb)?key=k", method == "GET" ? nil : [:])
        #expect(reply.status == 400)
        #expect(
          reply.message
            == "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
        )
        let keyless = try await home.call(
          method, "\(home.accountsPath)\(verb)", method == "GET" ? nil : [:])
        #expect(keyless.status == 403)
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `attack 34: a tenant's page has none of the project's accounts nor of another tenant's`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.seed("project")
      let tenants = try await (0..<2).asyncMap { _ in
        try await home.admin("POST", home.tenantsPath, [:]).text("name")
          .split(separator: "/").last.map(String.init) ?? ""
      }
      for tenant in tenants {
        try await home.seed(
          "in-\(tenant)", in: Scope(project: ServerHome.project, tenant: tenant))
      }
      let path = "/v1/projects/\(ServerHome.project)/tenants/\(tenants[0])/accounts:batchGet"
      #expect(uids(try await home.admin("GET", path)) == ["in-\(tenants[0])"])
      let byQuery = "\(home.accountsPath):batchGet?tenantId=\(tenants[1])"
      #expect(uids(try await home.admin("GET", byQuery)) == ["in-\(tenants[1])"])
      #expect(uids(try await home.admin("GET", "\(home.accountsPath):batchGet")) == ["project"])
      let both = try await home.admin("GET", "\(path)?tenantId=\(tenants[1])")
      #expect(both.message == "TENANT_ID_MISMATCH")
      // An account of one scope cannot be deleted in another.
      let deleted = try await home.admin(
        "POST", path.replacing(":batchGet", with: ":batchDelete"),
        ["localIds": ["project", .string("in-\(tenants[1])")], "force": true])
      #expect(deleted.json == [:])
      #expect(uids(try await home.admin("GET", byQuery)) == ["in-\(tenants[1])"])
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(
    _ transform: (Element) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
