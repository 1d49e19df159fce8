import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import AuthServer
@testable import IdentityToolkitService

/// S4: the limits on bodies, by client.
@Suite struct `Bodies of requests` {
  private static let long = 256 * 1024

  /// Returns a JSON body of a length.
  private static func body(_ length: Int, _ members: String = "") -> [UInt8] {
    let start = "{\(members)\"email\":\"", end = "\"}"
    let filling = String(repeating: "a", count: length - start.utf8.count - end.utf8.count)
    return Array((start + filling + end).utf8)
  }

  private static let json = ["Content-Type": "application/json"]

  private static let keyless = [
    ("/v1/accounts:lookup", 403), ("/v1/accounts:lookup?key=wrong", 400),
    ("/v1/nowhere?key=test-key", 404),
    ("/v1/projects/demo-shop/accounts:batchCreate", 403), ("/admin/v1/plugins:reload", 401),
  ]

  @Test func `are not read for a caller without a key or with a wrong one`() async throws {
    try await withServer(
      .production, configure: { $0.settings = { $0.apiKeys = ["test-key": ServerHome.project] } }
    ) { home in
      let body = Self.body(20 * Self.long)
      for (path, status) in Self.keyless {
        let reply = try await home.send("POST", path, body, headers: Self.json)
        #expect(reply.status == status, "\(path): \(reply.text)")
      }
      let bearer = Self.json.merging(["Authorization": "Bearer wrong"]) { $1 }
      let reply = try await home.send(
        "POST", "\(home.accountsPath):batchCreate", body, headers: bearer)
      #expect(reply.status == 401)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `of clients are short, and one that is longer gets an error as Firebase writes them`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode, configure: { $0.settings = { $0.rateLimits = .none } }) { home in
      for path in [
        "\(ServerHome.signIn)?key=test-key", "/__/auth/action", "/v1/token?key=test-key",
      ] {
        guard mode == .production || path.hasPrefix("/v1") else { continue }
        let fits = try await home.send("POST", path, Self.body(Self.long), headers: Self.json)
        #expect(fits.status != 413, "\(path)")
        let reply = try await home.send("POST", path, Self.body(Self.long + 1), headers: Self.json)
        #expect(reply.status == 413, "\(path)")
        #expect(reply.json["error"]?["code"] == 413)
        #expect(reply.message == "Request payload size exceeds the limit: \(Self.long) bytes.")
        #expect(reply.json["error"]?["status"] == "INVALID_ARGUMENT")
        #expect(reply.json["error"]?["errors"]?.items.first?["reason"] == "uploadTooLarge")
      }
    }
  }

  @Test func `of admins may be long, as imports are`() async throws {
    try await withServer(
      .production, configure: { $0.http.maximumBodyBytes = 4 * Self.long }
    ) { home in
      let bearer = Self.json.merging(["Authorization": "Bearer \(ServerHome.adminToken)"]) { $1 }
      let users = (0..<4000).map { "{\"localId\":\"user-\($0)\",\"displayName\":\"\(UUID())\"}" }
      let imported = Array("{\"users\":[\(users.prefix(1000).joined(separator: ","))]}".utf8)
      let taken = try await home.send(
        "POST", "\(home.accountsPath):batchCreate", imported, headers: bearer)
      #expect(taken.status == 200, "\(taken.text)")
      let long = try await home.send(
        "POST", "\(home.accountsPath):lookup", Self.body(4 * Self.long), headers: bearer)
      #expect(long.status == 400)
      let longer = try await home.send(
        "POST", "\(home.accountsPath):lookup", Self.body(4 * Self.long + 1), headers: bearer)
      #expect(longer.status == 413)
      #expect(longer.message?.contains("\(4 * Self.long) bytes") == true)
    }
  }

  @Test func `of an admin's token that may not do it are not read`() async throws {
    try await withServer(
      .production,
      configure: {
        $0.admins = { token, _ in
          AdminRight(name: token, scopes: ["audit"], project: ServerHome.project)
        }
      }
    ) { home in
      let body = Self.body(8 * Self.long)
      for path in [
        "\(home.accountsPath):batchCreate", "/v1/projects/other-shop/accounts:batchCreate",
      ] {
        let reply = try await home.send(
          "POST", path, body, headers: Self.json.merging(["Authorization": "Bearer t"]) { $1 })
        #expect(reply.status == 403, "\(path): \(reply.text)")
      }
    }
  }

  @Test func `a key in a form's body still names its project`() async throws {
    try await withServer(
      .production, configure: { $0.settings = { $0.apiKeys = ["good": ServerHome.project] } }
    ) { home in
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let good = try await home.send(
        "POST", "/__/auth/handler", Array("apiKey=good&providerId=google.com".utf8), headers: form)
      let wrong = try await home.send(
        "POST", "/__/auth/handler", Array("apiKey=wrong&providerId=google.com".utf8), headers: form)
      #expect(good.text != wrong.text)
    }
  }

  @Test func `the rate of an address is taken before a body is read`() async throws {
    try await withServer(
      .production,
      configure: {
        $0.servers = 1
        $0.settings = { $0.rateLimits.requestsPerAddressAndMinute = 3 }
      }
    ) { home in
      let path = "\(ServerHome.signIn)?key=test-key"
      for _ in 0..<3 {
        #expect(
          try await home.send("POST", path, Self.body(2 * Self.long), headers: Self.json).status
            == 413)
      }
      let last = try await home.send("POST", path, Self.body(2 * Self.long), headers: Self.json)
      #expect(last.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true, "\(last.text)")
    }
  }
}
