import AuthCore
import AuthTesting
import SessionTokens
import Testing
import TestSupport

@testable import IdentityToolkitService

@Suite struct `Service accounts` {
  @Test func `have a file in the form of Google's`() async throws {
    let servers = AccountServers()
    let key = try await servers.account("CI of the shop")
    let file = key.file
    #expect(file["type"] == "service_account")
    #expect(file["project_id"] == "demo-shop")
    #expect(file["client_email"] == "ci-of-the-shop@demo-shop.serviceaccount.internal")
    #expect(file["token_uri"] == "https://auth.example.com/token")
    #expect(file["private_key"]?.stringValue?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
    #expect(file["private_key_id"]?.stringValue?.count == 40)
    #expect(key.key.algorithm == .rs256)
  }

  @Test func `get a token that does what they may, for an hour`() async throws {
    let servers = AccountServers()
    let key = try await servers.account("ci", [.readAccounts, .config])
    let reply = try await servers.exchange(try key.assertion())
    #expect(reply.status == 200, "\(reply.json.text)")
    #expect(reply.json["token_type"] == "Bearer")
    #expect(reply.json["expires_in"] == 3600)
    #expect(reply.json["scope"] == "accounts:read config")
    let token = try #require(reply.json["access_token"]?.stringValue)
    for server in [servers.first, servers.second] {
      #expect(try await servers.list(token, at: server) == 200)
    }
    let write = try await servers.call(
      "POST", "/v1/projects/demo-shop/accounts", [:], bearer: token)
    #expect(write.status == 403)
    servers.clock.advance(seconds: 3599)
    #expect(try await servers.list(token) == 200)
    servers.clock.advance(seconds: 1)
    #expect(try await servers.list(token) == 401)
  }

  @Test func `are asked for at Google's path and with Google's audience too`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let reply = try await servers.exchange(
      try key.assertion(["aud": "https://oauth2.googleapis.com/token"]))
    #expect(reply.status == 200, "\(reply.json.text)")
    let path = try #require(RoutePath(method: "POST", path: "/oauth2.googleapis.com/token"))
    #expect(path.path == "/token")
  }

  @Test func `are named in the audit`() async throws {
    let servers = AccountServers()
    let key = try await servers.account("nightly import")
    let token = try await servers.accessToken(key)
    let made = try await servers.call(
      "POST", "/v1/projects/demo-shop/accounts", ["localId": "ada"], bearer: token)
    #expect(made.status == 200, "\(made.json.text)")
    let events = try await servers.store.read {
      try $0.events(
        about: nil, before: nil, limit: 10, in: Scope(project: AccountServers.project))
    }
    #expect(events.first { $0.action == .create }?.actor == "admin:nightly import")
    let creation = try #require(events.first { $0.action == .createAdminToken })
    #expect(creation.details["serviceAccount"] == key.email)
    #expect(creation.details["keyID"] == key.file["private_key_id"])
  }

  @Test func `are listed, made, rotated and revoked over HTTP`() async throws {
    let servers = AccountServers()
    let root = try await servers.accessToken(try await servers.account("root"))
    let path = "/admin/v1/projects/demo-shop/adminTokens"
    let made = try await servers.call(
      "POST", path, ["name": "worker", "scopes": ["accounts:read"], "serviceAccount": true],
      bearer: root)
    let key = try AccountKey(try #require(made.json["file"]), servers.clock)
    let token = try await servers.accessToken(key)
    let turned = try await servers.call(
      "POST", "\(path)/worker:rotateKey", ["keepSeconds": 60], bearer: root)
    let next = try AccountKey(
      try #require(turned.json["file"], "\(turned.json.text)"), servers.clock)
    #expect(next.email == key.email)
    let list = try await servers.call("GET", path, bearer: root)
    let entry = try #require(list.json["adminTokens"]?.items.first { $0["name"] == "worker" })
    #expect(entry["serviceAccount"]?["keys"]?.items.count == 2)
    #expect(!list.json.text.contains("PRIVATE") && !list.json.text.contains("jwk"))
    #expect(try await servers.list(try await servers.accessToken(next)) == 200)
    #expect(try await servers.list(token) == 200)
    servers.clock.advance(seconds: 60)
    #expect(try await servers.list(token) == 401)
    #expect(try await servers.exchange(try key.assertion()).json["error"] == "invalid_grant")
    let fresh = try await servers.accessToken(next)
    #expect(try await servers.call("DELETE", "\(path)/worker", bearer: root).status == 200)
    #expect(try await servers.list(fresh) == 401)
  }

  @Test(arguments: [-1, 366 * 86_400 + 1, Int64.max] as [Int64])
  func `keep no key for a time that is over or longer than a year`(seconds: Int64) async throws {
    let servers = AccountServers()
    let root = try await servers.accessToken(try await servers.account("root"))
    let reply = try await servers.call(
      "POST", "/admin/v1/projects/demo-shop/adminTokens/root:rotateKey",
      ["keepSeconds": .integer(seconds)], bearer: root)
    #expect(reply.status == 400)
    #expect(reply.json["error"]?["field"] == "keepSeconds", "\(reply.json.text)")
    #expect(reply.json["error"]?["remedy"] == "Choose a time between now and a year from now.")
    #expect(try await servers.list(root) == 200)
  }

  @Test func `have names and addresses of their own, and five keys at most`() async throws {
    let servers = AccountServers()
    _ = try await servers.account("ci")
    for name in ["ci", "CI"] {
      await #expect(throws: AuthError.self) { try await servers.account(name) }
    }
    #expect(try await servers.account("ci", in: AccountServers.other).email != "")
    for _ in 0..<4 {
      _ = try await servers.tokens.rotate(
        name: "ci", keepingFor: 60, server: "", by: servers.admin())
    }
    await #expect(throws: AuthError.self) {
      try await servers.tokens.rotate(name: "ci", keepingFor: 60, server: "", by: servers.admin())
    }
    _ = try await servers.tokens.rotate(
      name: "ci", keepingFor: 0, server: "", by: servers.admin())
    let keys = try await servers.tokens.list(project: AccountServers.project)
      .first?.serviceAccount?.keys
    #expect(keys?.count == 1)
  }

  @Test func `sign custom tokens for the project and its tenants`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let token = try await servers.accessToken(key)
    let tenant = try await servers.call(
      "POST", "/v2/projects/demo-shop/tenants", ["displayName": "berlin"], bearer: token)
    let name = try #require(tenant.json["name"]?.stringValue?.split(separator: "/").last)
    for (id, body) in [
      (nil, ["token": .string(try key.customToken("ada"))] as [String: JSONValue]),
      (
        String(name),
        [
          "token": .string(try key.customToken("ada", tenant: String(name))),
          "tenantId": .string(String(name)),
        ]
      ),
    ] {
      let reply = try await servers.call(
        "POST", "/v1/accounts:signInWithCustomToken", .object(body))
      #expect(reply.status == 200, "\(id ?? "project"): \(reply.json.text)")
    }
  }

  @Test func `do not exist in the emulator, where everybody is the owner`() async throws {
    try await withServer(.emulator) { home in
      #expect(try await home.call("POST", "/token", [:]).status == 404)
      let reply = try await home.call(
        "GET", "\(home.accountsPath):batchGet", nil, headers: ["Authorization": "Bearer owner"])
      #expect(reply.status == 200)
    }
  }
}
