import AuthCore
import AuthTesting
import Foundation
import IdentityToolkit
import LuaPlugins
import Testing

@testable import IdentityToolkitService

/// A provider of an embedding app with error codes of its own.
private struct FailingProvider: AuthProvider {
  struct Failure: Error {}

  let id = ProviderID("failing.example")
  let manifest = ProviderManifest(
    name: "Failing", kind: .oauth2,
    builders: [CredentialBuilder("token", fields: [CredentialField("accessToken", "a token")])])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    switch credential["accessToken"] {
    case "own": throw AuthError(AuthError.Code("made-up-code"), "Only this provider knows it.")
    default: throw Failure()
    }
  }
}

/// Faults of a caller or a script are not faults of the server.
@Suite struct `S15 No request makes the server's own error` {
  @Test(arguments: ServerMode.allCases)
  func `by tenants, tokens, numbers and documents`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      let made = try await home.admin("POST", home.tenantsPath, ["displayName": "Berlin"])
      let name = try #require(made.json["name"]?.stringValue, "\(made.text)")
      let tenant = String(try #require(name.split(separator: "/").last))
      let bad = [
        "", "-", "..", "%00", "%FF", "%2F", "a%20b", String(repeating: "x", count: 300),
      ]
      let numbers = ["-1", "-2", "0", "1001", "99999999999999999999", "x", "1.5", ""]
      let tokens = [
        "x", "%00", "YWZ0ZXI6", "YWZ0ZXI6JTAw", "after:", String(repeating: "A", count: 5000),
      ]
      var calls: [(String, String, JSONValue?)] = [
        ("POST", "\(home.tenantsPath)?tenantId=\(tenant)", [:]),
        ("POST", home.tenantsPath, ["tenantId": .string(tenant)]),
        ("POST", home.tenantsPath, ["name": .string(name)]),
        ("POST", home.tenantsPath, ["mfaConfig": ["state": "NO_STATE"]]),
        ("PATCH", "\(home.tenantsPath)/\(tenant)?updateMask=.", ["displayName": "x"]),
        ("PATCH", "\(home.tenantsPath)/\(tenant)?updateMask=,,,", [:]),
        ("PATCH", "\(home.tenantsPath)/\(tenant)?updateMask=client.permissions", ["client": [:]]),
        ("PATCH", "\(home.configPath)?updateMask=signIn.email.enabled.x", ["signIn": [:]]),
        ("PATCH", home.configPath, ["signIn": ["email": []]]),
        ("PATCH", home.configPath, ["authorizedDomains": [7, "a"]]),
        ("PATCH", home.configPath, ["blockingFunctions": ["triggers": ["x": [:]]]]),
        ("PATCH", home.configPath, ["signIn": ["phoneNumber": ["testPhoneNumbers": ["x": 7]]]]),
        ("PATCH", home.configPath, ["signIn": ["phoneNumber": ["testPhoneNumbers": .null]]]),
        ("POST", "\(home.accountsPath):query", ["expression": [["email": "no address"]]]),
        ("POST", "\(home.accountsPath):query", ["expression": [["phoneNumber": "no number"]]]),
        ("POST", "\(home.accountsPath):lookup", ["localId": [""], "email": [""]]),
        ("POST", "\(home.accountsPath):lookup", ["federatedUserId": [["providerId": ""]]]),
        ("POST", "\(home.accountsPath):batchDelete", ["localIds": [""]]),
        ("POST", "\(home.accountsPath):delete", ["localId": "nobody"]),
        (
          "POST", "\(home.accountsPath):update",
          ["localId": "nobody", "deleteProvider": ["no-such-provider"]]
        ),
      ]
      for id in bad {
        calls.append(("POST", "\(home.tenantsPath)?tenantId=\(id)", [:]))
        calls.append(("GET", "\(home.tenantsPath)/\(id)", nil))
        calls.append(("PATCH", "\(home.tenantsPath)/\(id)", [:]))
        calls.append(("DELETE", "\(home.tenantsPath)/\(id)", nil))
        calls.append(("POST", "/v1/projects/\(id)/accounts:lookup", [:]))
        calls.append(("POST", "\(home.accountsPath):lookup?tenantId=\(id)", ["localId": ["x"]]))
        for kind in ["oauthIdpConfigs", "defaultSupportedIdpConfigs", "inboundSamlConfigs"] {
          let all = "/v2/projects/\(ServerHome.project)/\(kind)"
          calls.append(("GET", "\(all)/\(id)", nil))
          calls.append(
            ("POST", "\(all)?oauthIdpConfigId=\(id)&idpId=\(id)&inboundSamlConfigId=\(id)", [:]))
          calls.append(("PATCH", "\(all)/oidc.\(id)", ["clientId": ""]))
        }
      }
      let lists = [
        ("\(home.accountsPath):batchGet", "maxResults", "nextPageToken"),
        (home.tenantsPath, "pageSize", "pageToken"),
        ("/v2/projects/\(ServerHome.project)/oauthIdpConfigs", "pageSize", "pageToken"),
        ("\(home.adminRoot)/accounts", "limit", "pageToken"),
        ("\(home.adminRoot)/events", "limit", "pageToken"),
        ("\(home.adminRoot)/merges", "limit", "pageToken"),
        ("\(home.adminRoot)/duplicates", "limit", "pageToken"),
        ("\(home.adminRoot)/outbox/deadLetters", "limit", "pageToken"),
      ]
      for (path, limit, token) in lists {
        calls += numbers.map { ("GET", "\(path)?\(limit)=\($0)&by=email", nil) }
        calls += tokens.map { ("GET", "\(path)?\(token)=\($0)&by=email", nil) }
      }
      for (method, path, body) in calls {
        let reply = try await home.admin(method, path, body)
        let isDocumentedGap = mode == .emulator && reply.status == 501
        #expect(
          reply.status < 500 || isDocumentedGap,
          "\(method) \(path.prefix(200)) \(body?.text ?? ""): \(reply.text)")
      }
      let existing = try await home.admin("POST", "\(home.tenantsPath)?tenantId=\(tenant)", [:])
      expectFailure(
        existing,
        "INVALID_ARGUMENT : tenantId names a tenant; a new one gets an ID of its own.")
    }
  }

  @Test func `by a provider that fails, or refuses with a code of its own`() async throws {
    let log = LogLines()
    try await withServer(
      .production,
      configure: { setup in
        setup.logger = log.logger
        setup.providers = { registry, _ in registry.adding([FailingProvider()]) }
      }
    ) { home in
      for token in ["own", "other"] {
        let reply = try await home.post(
          "/v1/accounts:signInWithIdp",
          [
            "requestUri": "http://localhost",
            "postBody": .string("providerId=failing.example&access_token=\(token)"),
          ])
        expectFailure(reply, "INVALID_IDP_RESPONSE")
      }
      #expect(log.text.contains("plugin-failed") && log.text.contains("Failure"))
    }
  }

  @Test(arguments: ["return hooks {", "error(\"x\")", "return hooks { before_sign_in = 7 }"])
  func `by a script of hooks that is not valid any more`(_ script: String) async throws {
    let log = LogLines()
    try await withServer(
      .production,
      configure: {
        $0.hooks = LuaSignInHooks()
        $0.logger = log.logger
      }
    ) { home in
      // Stored without the check of an admin's request, as after an upgrade.
      try await home.setSettings {
        $0.signIn.blockingFunctions.script = PolicySource(name: "house", text: script)
      }
      let reply = try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
      guard reply.status != 200 else { return }
      #expect(reply.status == 400 && reply.message?.hasPrefix("BLOCKING_FUNCTION_ERROR") == true)
      #expect(log.text.contains("house"), "\(log.text)")
    }
  }

  @Test func `by claims that are deep, in a session that goes on`() async throws {
    try await withServer(.production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      for depth in [5, 20, 28, 29, 30, 31, 40, 200] {
        let claims = (0..<depth).reduce(JSONValue.integer(1)) { inner, _ in ["a": inner] }
        let token = try maker.token(home, ["uid": .string("ada\(depth)"), "claims": claims])
        let reply = try await home.post(
          "/v1/accounts:signInWithCustomToken", ["token": .string(token)])
        #expect(reply.status < 500, "\(depth): \(reply.text)")
        guard reply.status == 200 else { continue }
        let renewed = try await home.post(
          "/v1/token",
          [
            "grantType": "refresh_token", "refreshToken": .string(try reply.text("refreshToken")),
          ])
        let looked = try await home.post(
          "/v1/accounts:lookup", ["idToken": .string(try reply.text("idToken"))])
        #expect(renewed.status == 200 && looked.status == 200, "\(depth): \(renewed.text)")
      }
    }
  }

  @Test func `by a hash that an upload only claims to be this server's`() async throws {
    try await withServer(.production) { home in
      let hash = Data("$argon2id$v=19$m=1,t=1,p=1$nonsense".utf8).base64EncodedString()
      let fault = try await home.fault(
        of: ["localId": "ada", "email": "ada@example.com", "passwordHash": .string(hash)])
      #expect(fault == "Password hash is given without the hash algorithm it was made with.")
      #expect(try await home.enter("ada@example.com", "opensesame").status == 400)
    }
  }
}
