import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import SessionTokens
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Access tokens and custom tokens of accounts that are over, and forged ones.
@Suite struct `Attacks with tokens of service accounts` {
  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static func signIn(
    _ servers: AccountServers, _ token: String, tenant: String? = nil
  ) async throws -> AccountServers.Reply {
    var body: [String: JSONValue] = ["token": .string(token)]
    body["tenantId"] = tenant.map(JSONValue.string)
    return try await servers.call("POST", "/v1/accounts:signInWithCustomToken", .object(body))
  }

  @Test func `a revoked account, also on another server, and a new one of its name`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let token = try await servers.accessToken(key)
    let custom = try key.customToken("ada")
    #expect(try await servers.list(token, at: servers.second) == 200)
    #expect(try await Self.signIn(servers, custom).status == 200)

    try await servers.tokens.revoke(name: "ci", by: servers.admin())

    #expect(try await servers.list(token) == 401)
    let late = try await servers.exchange(try key.assertion())
    #expect(late.json["error"] == "invalid_grant")
    #expect(try await Self.signIn(servers, custom).status == 400)
    servers.clock.advance(seconds: 10)
    #expect(try await servers.list(token, at: servers.second) == 401)
    _ = try await servers.account()
    servers.clock.advance(seconds: 10)
    for server in [servers.first, servers.second] {
      #expect(try await servers.list(token, at: server) == 401)
      let again = try await servers.exchange(try key.assertion(), at: server)
      #expect(again.json["error"] == "invalid_grant")
    }
    #expect(try await Self.signIn(servers, custom).status == 400)
  }

  @Test func `an account whose time is over`() async throws {
    let servers = AccountServers()
    let key = try await servers.account(expiresAt: servers.clock.now.adding(seconds: 60))
    let token = try await servers.accessToken(key)
    let custom = try key.customToken("ada")
    #expect(try await servers.list(token) == 200)
    servers.clock.advance(seconds: 60)
    #expect(try await servers.list(token) == 401)
    #expect(try await servers.exchange(try key.assertion()).json["error"] == "invalid_grant")
    #expect(try await Self.signIn(servers, custom).status == 400)
  }

  @Test func `a project that is no longer served`() async throws {
    let servers = AccountServers()
    let key = try await servers.account(in: AccountServers.other)
    let token = try await servers.accessToken(key)
    #expect(try await servers.list(token, in: AccountServers.other) == 200)
    var settings = servers.first.settings
    settings.projects = []
    servers.first.live.replace(with: settings)
    #expect(try await servers.list(token, in: AccountServers.other) == 401)
    #expect(try await servers.exchange(try key.assertion()).json["error"] == "invalid_grant")
  }

  @Test func `a changed token, one of another purpose and one of other secrets`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let token = try await servers.accessToken(key)
    let sealed = String(token.dropFirst("agacc_".count))
    let content = """
      {"project":"demo-shop","name":"ci","keyID":\(key.file["private_key_id"]?.text ?? ""),\
      "scopes":["all","server"],"expiresAt":9999999999999}
      """
    let foreign = AccountServers()
    let other = try await foreign.accessToken(try await foreign.account())
    for forged in [
      "agacc_", "agacc_x", sealed, "agadm_\(sealed)", "agacc_\(sealed.dropLast())",
      "agacc_\(sealed.reversed().map(String.init).joined())",
      "agacc_\(Self.base64(try servers.secrets.seal(content, for: "another purpose")))",
      "agacc_\(content)", "agacc_\(Self.base64(content))", other,
      "agacc_\(String(repeating: "x", count: 100_000))",
      try key.assertion(), try key.customToken("ada"),
    ] {
      #expect(try await servers.list(forged) == 401, "\(forged.prefix(60))")
    }
    #expect(try await servers.list(token) == 200)
  }

  @Test func `a custom token of an account that may not write, or of another project`() async throws
  {
    let servers = AccountServers()
    let weak: [String: Set<AdminScope>] = [
      "reader": [.readAccounts], "settings": [.config, .audit], "server": [.server],
    ]
    for (name, scopes) in weak {
      let key = try await servers.account(name, scopes)
      let reply = try await Self.signIn(servers, try key.customToken("ada"))
      #expect(reply.status == 400)
      // The account exists, so the sentence does not say that no account made the token.
      #expect(
        reply.json["error"]?["message"]?.stringValue?.hasPrefix(
          "OPERATION_NOT_ALLOWED : No service account that may sign custom tokens") == true)
    }
    let foreign = try await servers.account(in: AccountServers.other)
    #expect(try await Self.signIn(servers, try foreign.customToken("ada")).status == 400)
    let own = try await servers.account("own", [.writeAccounts])
    #expect(try await Self.signIn(servers, try own.customToken("ada")).status == 200)
    let tenant = try await Self.signIn(servers, try own.customToken("ada", tenant: "x"))
    #expect(tenant.json["error"]?["message"]?.stringValue?.hasPrefix("TENANT_ID_MISMATCH") == true)
    // An access token and an assertion are no custom tokens.
    for text in [try own.assertion(), try await servers.accessToken(own)] {
      #expect(try await Self.signIn(servers, text).status == 400)
    }
  }

  @Test func `a reader of the store finds no private key and no token`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let token = try await servers.accessToken(key)
    let stored = try await servers.store.read {
      try $0.checkpoint("admin-tokens", in: Scope(project: AccountServers.project))
    }
    let text = try #require(stored)
    #expect(text.contains(key.email.stringValue ?? "none"))
    #expect(!text.contains("PRIVATE") && !text.contains(token))
    let pem = try #require(key.file["private_key"]?.stringValue)
    for line in pem.split(separator: "\n") where line.count == 64 {
      #expect(!text.contains(line))
    }
    #expect(!text.contains("\\\"d\\\""))
    // Without the secrets of the servers no token is made or known.
    let bare = AdminTokens(store: servers.store, clock: { servers.clock.now })
    #expect(try await bare.check(token, project: AccountServers.project) == nil)
    await #expect(throws: AuthError.self) {
      try await bare.grant(
        try key.assertion(), audiences: ["https://auth.example.com/token"],
        projects: [AccountServers.project])
    }
  }
}
