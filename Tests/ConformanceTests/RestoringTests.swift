import AuthValues
import Synchronization
import Testing

@testable import Conformance

/// A run leaves the project as it was.
@Suite struct `What a run leaves behind` {
  private static let root = "/identitytoolkit.googleapis.com"

  private static func run(
    _ text: String, at server: PlayedServer
  ) async throws -> ConformanceReport {
    let target = ConformanceTarget(
      url: "http://127.0.0.1:9099", mode: .emulator, project: "demo", key: Secret("app-key"),
      adminToken: Secret("owner"), isPrivate: true)
    let file = #"{"area": "area", "cases": [\#(text)]}"#
    return try await ConformanceRunner(target, transport: server)
      .run(CaseFile("test.json", Array(file.utf8)).cases)
  }

  @Test func `accounts that a case created are deleted, in their tenants`()
    async throws
  {
    let server = PlayedServer { request in
      .json(request.line.hasSuffix("batchDelete") ? [:] : ["localId": .string(request.line)])
    }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v1/accounts:signUp", "body": {}},
        {"send": "POST /v1/accounts:signInWithIdp", "body": {"tenantId": "t1"}},
        {"send": "POST /v1/projects/demo/tenants/t1/accounts", "as": "admin", "body": {}},
        {"send": "POST /v1/projects/demo/accounts:batchCreate", "body": {"users": [{"localId": "up"}]}},
        {"send": "POST /v1/accounts:lookup", "body": {}}, {"send": "POST /v1/accounts:query", "body": {}},
        {"send": "GET /v1/projects/demo/accounts:batchGet"}
      ]}
      """#, at: server)
    #expect(report.passed)
    let deletions = server.requests.dropFirst(7)
    #expect(
      Set(deletions.map(\.line)) == [
        "POST \(Self.root)/v1/projects/demo/accounts:batchDelete",
        "POST \(Self.root)/v1/projects/demo/tenants/t1/accounts:batchDelete",
      ])
    #expect(deletions.count == 2)
    let uids = try deletions.map { try JSONValue(text: $0.text) }
    #expect(
      uids.contains(["localIds": ["POST /v1/accounts:signUp", "up"], "force": true]))
    #expect(
      uids.contains([
        "localIds": [
          "POST /v1/accounts:signInWithIdp", "POST /v1/projects/demo/tenants/t1/accounts",
        ], "force": true,
      ]))
  }

  @Test func `attack: accounts that were there before are never deleted`() async throws {
    let server = PlayedServer { request in
      request.line.hasSuffix("batchCreate")
        ? .json(["error": [["index": 1, "message": "exists"], ["message": "exists"]]])
        : .json(["localId": "theirs", "isNewUser": false])
    }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v1/accounts:signInWithPassword", "body": {}},
        {"send": "POST /v1/accounts:signInWithPhoneNumber", "body": {}},
        {"send": "POST /v1/relyingparty/verifyPassword", "body": {}},
        {"send": "POST /v1/projects/demo/accounts:batchCreate",
          "body": {"users": [{"localId": "theirs"}, {"localId": "theirs"}]}}
      ]}
      """#, at: server)
    #expect(report.passed)
    #expect(server.requests.count == 4)
  }

  @Test func `attack: accounts that a list shows are never deleted`() async throws {
    let server = PlayedServer { _ in
      .json(["localId": "a", "users": [["localId": "b"]], "userInfo": [["localId": "c"]]])
    }
    _ = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v1/accounts:lookup", "body": {}}, {"send": "POST /v1/accounts:update", "body": {}},
        {"send": "GET /v1/projects/demo/accounts:batchGet"}, {"send": "POST /v1/projects/demo/accounts:query"}
      ]}
      """#, at: server)
    #expect(server.requests.count == 4)
  }

  @Test func `tenants and providers are deleted, even after a failed step`() async throws {
    let server = PlayedServer { request in
      switch request.method {
      case .delete: .json([:])
      case _ where request.line.hasSuffix("tenants"):
        .json(["name": "projects/demo/tenants/t-1"])
      case _ where request.line.hasSuffix("oauthIdpConfigs"):
        .json(["name": "projects/demo/oauthIdpConfigs/oidc.x"])
      default: .failure("NO")
      }
    }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v2/projects/demo/tenants", "as": "admin", "body": {}},
        {"send": "POST /v2/projects/demo/oauthIdpConfigs?oauthIdpConfigId=oidc.x", "as": "admin", "body": {}},
        {"send": "GET /v1/other"}
      ]}
      """#, at: server)
    #expect(!report.passed && report.left == 0)
    #expect(
      server.lines.suffix(2) == [
        "DELETE \(Self.root)/v2/projects/demo/oauthIdpConfigs/oidc.x",
        "DELETE \(Self.root)/v2/projects/demo/tenants/t-1",
      ])
  }

  @Test func `tenants that an emulator opens for a case are deleted, and no others`() async throws {
    let server = PlayedServer { _ in .json([:]) }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v1/accounts:signUp", "body": {"tenantId": "a-${random}"}},
        {"send": "GET /v2/projects/demo/tenants/b-${random}", "as": "admin"},
        {"send": "GET /v1/projects?tenantId=c-${random}"},
        {"send": "POST /v1/accounts:signUp", "body": {"tenantId": "theirs"}}
      ]}
      """#, at: server)
    #expect(report.passed)
    let deleted = server.requests.dropFirst(4).map { $0.url.split(separator: "/").last ?? "" }
    #expect(deleted.map { $0.prefix(2) } == ["a-", "b-", "c-"])
  }

  @Test func `settings are changed before the case, and put back after a failure too`()
    async throws
  {
    let config: JSONValue = [
      "signIn": ["allowDuplicateEmails": false, "email": ["enabled": true]],
      "authorizedDomains": ["localhost"],
    ]
    let server = PlayedServer { request in
      request.method == .get && request.line.hasSuffix("config") || request.method == .patch
        ? .json(config) : .failure("NO")
    }
    let report = try await Self.run(
      #"""
      {"name": "n", "settings": {"signIn": {"allowDuplicateEmails": true,
        "phoneNumber": {"testPhoneNumbers": {"${phone}": "123456"}}}, "authorizedDomains": ["a.example"]},
       "steps": [{"send": "GET /v1/x"}]}
      """#, at: server)
    #expect(report.failures.count == 1 && report.left == 0)
    let changes = server.requests.filter { $0.method == .patch }
    try #require(changes.count == 2)
    for change in changes {
      #expect(
        URLText.query(of: change.url) == [
          "updateMask":
            "authorizedDomains,signIn.allowDuplicateEmails,signIn.phoneNumber.testPhoneNumbers"
        ])
    }
    #expect(
      try JSONValue(text: changes[1].text) == [
        "signIn": ["allowDuplicateEmails": false], "authorizedDomains": ["localhost"],
      ])
    #expect(try JSONValue(text: changes[0].text)["authorizedDomains"] == ["a.example"])
  }

  @Test(arguments: [true, false])
  func `a member that was not there before is taken away again`(_ clears: Bool) async throws {
    let before: JSONValue = ["signIn": ["allowDuplicateEmails": false]]
    let kept = KeptConfiguration(before)
    let report = try await Self.run(
      #"{"name": "n", "settings": {"mfa": {"state": "ENABLED"}}, "steps": [{"send": "POST /x"}]}"#,
      at: PlayedServer { try kept.answer(to: $0, clears: clears) })
    #expect(report.passed)
    #expect(kept.document == before)
  }

  @Test func `a configuration that a case writes itself is put back, even after a failure`()
    async throws
  {
    let before: JSONValue = ["mfa": ["state": "ENABLED"], "signIn": ["allowDuplicateEmails": true]]
    let kept = KeptConfiguration(before)
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "PATCH /identitytoolkit.googleapis.com/v2/projects/demo/config?updateMask=mfa",
         "as": "admin", "body": {"mfa": {"state": "DISABLED"}}, "answer": {"mfa": {"state": "other"}}}
      ]}
      """#, at: PlayedServer { try kept.answer(to: $0) })
    #expect(report.failures.count == 1 && report.left == 0)
    #expect(kept.document == before)
  }

  @Test func `a setting that cannot be put back is counted`() async throws {
    let count = Mutex(0)
    let server = PlayedServer { request in
      guard request.method == .get else { return .json([:]) }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .json(["mfa": ["state": number == 1 ? "ENABLED" : "DISABLED"]])
    }
    let report = try await Self.run(
      #"{"name": "n", "settings": {"mfa": {"state": "DISABLED"}}, "steps": [{"send": "POST /x"}]}"#,
      at: server)
    #expect(report.left == 1 && !report.passed)
  }

  @Test func `an interrupted run puts back what its case changed, and runs no other`()
    async throws
  {
    let before: JSONValue = ["mfa": ["state": "ENABLED"]]
    let kept = KeptConfiguration(before)
    let running = Mutex<Task<ConformanceReport, any Error>?>(nil)
    let server = PlayedServer { request in
      // The request under way is answered, and its account is known.
      if request.line.hasSuffix("accounts:signUp") { running.withLock { $0?.cancel() } }
      return try kept.answer(to: request)
    }
    let (start, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in start { break }
      return try await Self.run(
        #"""
        {"name": "first", "settings": {"mfa": {"state": "DISABLED"}}, "steps": [
          {"send": "POST /v1/accounts:signUp", "body": {}}, {"send": "POST /v1/never", "body": {}}]},
        {"name": "second", "steps": [{"send": "POST /v1/never", "body": {}}]}
        """#, at: server)
    }
    running.withLock { $0 = task }
    begin.yield()
    let report = try await task.value
    #expect(report.isInterrupted && report.unrun == 2 && report.left == 0 && !report.passed)
    #expect(kept.document == before)
    #expect(!server.lines.contains("POST /v1/never"))
    #expect(server.lines.contains { $0.hasSuffix("accounts:batchDelete") })
  }

  @Test func `tokens, consoles and parted accounts of the administration are removed`()
    async throws
  {
    let server = PlayedServer { request in
      request.line.hasSuffix("/console") ? .json(["id": "c-1"]) : .json(["name": "t 1"])
    }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /admin/v1/projects/demo/adminTokens", "as": "admin", "body": {}},
        {"send": "POST /admin/v1/projects/demo/console", "as": "admin", "body": {}},
        {"send": "POST /admin/v1/projects/demo/splits", "as": "admin", "body": {"uid": "b"}}
      ]}
      """#, at: server)
    #expect(report.passed && report.left == 0)
    #expect(
      Set(server.lines.dropFirst(3)) == [
        "DELETE /admin/v1/projects/demo/adminTokens/t%201",
        "DELETE /admin/v1/projects/demo/console/c-1",
        "POST \(Self.root)/v1/projects/demo/accounts:batchDelete",
      ])
  }

  @Test func `what the case removed itself is not removed again`() async throws {
    let server = PlayedServer { request in
      request.method == .delete ? .failure("INVALID_ARGUMENT") : .json(["name": "t"])
    }
    let removed = PlayedServer { _ in .json(["name": "t"]) }
    let path = "/admin/v1/projects/demo/adminTokens"
    let made = #"{"send": "POST \#(path)", "as": "admin", "body": {}}"#
    let kept = try await Self.run(#"{"name": "n", "steps": [\#(made)]}"#, at: server)
    #expect(kept.left == 1)
    let report = try await Self.run(
      #"{"name": "n", "steps": [\#(made), {"send": "DELETE \#(path)/t", "as": "admin"}]}"#,
      at: removed)
    #expect(report.passed && report.left == 0)
    #expect(removed.lines.count { $0 == "DELETE \(path)/t" } == 1)
  }

  @Test func `settings that the server refuses are the failure of the case`() async throws {
    let server = PlayedServer { request in
      request.method == .patch ? .failure("INVALID_CONFIG") : .json([:])
    }
    let report = try await Self.run(
      #"{"name": "n", "settings": {"mfa": {"state": "DISABLED"}}, "steps": [{"send": "GET /x"}]}"#,
      at: server)
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.step == nil && failure.seen.hasPrefix("400 ") && report.left == 0)
    #expect(!server.lines.contains("GET /x"))
  }

  @Test func `attack: a change of settings without an answer is put back too`() async throws {
    let changes = Mutex(0)
    let server = PlayedServer { request in
      let isFirst =
        request.method == .patch
        && changes.withLock { count in
          count += 1
          return count == 1
        }
      if isFirst { throw AuthError(.networkRequestFailed, "gone") }
      return .json(["mfa": ["state": "ENABLED"]])
    }
    let report = try await Self.run(
      #"{"name": "n", "settings": {"mfa": {"state": "DISABLED"}}, "steps": [{"send": "GET /x"}]}"#,
      at: server)
    #expect(report.failures.first?.failure?.isSilence == true && report.left == 0)
    let sent = server.requests.filter { $0.method == .patch }.map(\.text)
    #expect(
      try sent.map { try JSONValue(text: $0) } == [
        ["mfa": ["state": "DISABLED"]], ["mfa": ["state": "ENABLED"]],
      ])
  }

  @Test(arguments: [
    ("PERMISSION_DENIED", 403, 1), ("USER_NOT_FOUND", 400, 0), ("TENANT_NOT_FOUND", 400, 0),
    ("TOO_MANY_ATTEMPTS_TRY_LATER", 400, 1),
  ])
  func `an account is left if the server refuses to delete it`(
    message: String, status: Int, left: Int
  ) async throws {
    let server = PlayedServer { request in
      request.line.hasSuffix("batchDelete")
        ? .failure(message, status: status) : .json(["localId": "a"])
    }
    let report = try await Self.run(
      #"{"name": "n", "steps": [{"send": "POST /v1/accounts:signUp", "body": {}}]}"#, at: server)
    #expect(report.left == left && report.passed == (left == 0))
  }

  @Test func `accounts that a deletion names as left are counted`() async throws {
    let server = PlayedServer { request in
      request.line.hasSuffix("batchDelete")
        ? .json([
          "errors": [["index": 0, "message": "NOT_DISABLED"], ["message": "USER_NOT_FOUND"]]
        ])
        : .json(["localId": "a"])
    }
    let report = try await Self.run(
      #"{"name": "n", "steps": [{"send": "POST /v1/accounts:signUp", "body": {}}]}"#, at: server)
    #expect(report.left == 1)
  }

  @Test func `what cannot be put back is counted`() async throws {
    let server = PlayedServer { request in
      guard !request.line.hasSuffix("batchDelete") else {
        throw AuthError(.networkRequestFailed, "gone")
      }
      return .json(["localId": "a"])
    }
    let report = try await Self.run(
      #"{"name": "n", "steps": [{"send": "POST /v1/accounts:signUp", "body": {}}]}"#, at: server)
    #expect(report.failures.isEmpty && report.left == 1 && !report.passed)
  }
}
