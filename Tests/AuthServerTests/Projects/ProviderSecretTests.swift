import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Secrets and SAML configurations` {
  private let openID = "/v2/projects/\(ServerHome.project)/oauthIdpConfigs"
  private let saml = "/v2/projects/\(ServerHome.project)/inboundSamlConfigs"

  @Test func `attack: a token without the scope reads no client secret`() async throws {
    let admins: ServerServices.AdminLookup = { token, _ in
      AdminRight(
        name: token, scopes: Set(token.split(separator: "+").map(String.init)),
        project: ServerHome.project)
    }
    try await withServer(.production, configure: { $0.admins = admins }) { home in
      func ask(_ method: String, _ path: String, as scopes: String, _ body: JSONValue? = nil)
        async throws -> Reply
      {
        try await home.call(method, path, body, headers: ["Authorization": "Bearer \(scopes)"])
      }
      let created = try await ask(
        "POST", "\(openID)?oauthIdpConfigId=oidc.work", as: "config",
        [
          "clientId": "client", "issuer": "https://login.example.com", "enabled": true,
          "clientSecret": "s3cret-of-work", "responseType": ["code": true],
        ])
      #expect(created.status == 200 && !created.text.contains("s3cret"), "\(created.text)")
      for (scopes, isShown) in [
        ("config", false), ("config+accounts:write", false), ("config+secrets", true),
        ("all", true),
      ] {
        for path in [openID, "\(openID)/oidc.work"] {
          let reply = try await ask("GET", path, as: scopes)
          #expect(reply.status == 200)
          #expect(reply.text.contains("s3cret-of-work") == isShown, "\(scopes): \(reply.text)")
        }
      }
      #expect(try await ask("GET", openID, as: "secrets").status == 403)
    }
  }

  private static let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"

  private static let configuration: [String: JSONValue] = [
    "displayName": "Work", "enabled": true,
    "idpConfig": [
      "idpEntityId": "IDP_ENTITY_ID", "ssoUrl": "https://example.com/login", "signRequest": true,
      "idpCertificates": [["x509Certificate": .string(certificate)]],
    ],
    "spConfig": [
      "spEntityId": "RP_ENTITY_ID", "callbackUri": "https://app.example/__/auth/handler",
    ],
  ]

  @Test func `a SAML configuration is kept, listed in pages and forgotten`() async throws {
    try await withServer(.production) { home in
      for id in ["saml.a", "saml.b", "saml.c"] {
        let created = try await home.admin(
          "POST", "\(saml)?inboundSamlConfigId=\(id)", .object(Self.configuration))
        var expected = Self.configuration
        expected["name"] = .string("projects/\(ServerHome.project)/inboundSamlConfigs/\(id)")
        #expect(created.json == .object(expected), "\(created.text)")
      }
      let again = try await home.admin(
        "POST", "\(saml)?inboundSamlConfigId=saml.a", .object(Self.configuration))
      #expect(again.code == "CONFIGURATION_EXISTS")
      let first = try await home.admin("GET", "\(saml)?pageSize=2")
      #expect(first.json["inboundSamlConfigs"]?.items.count == 2)
      let rest = try await home.admin(
        "GET", "\(saml)?pageSize=2&pageToken=\(try first.text("nextPageToken"))")
      #expect(rest.json["inboundSamlConfigs"]?.items.count == 1)
      #expect(rest.json["nextPageToken"] == nil)

      let changed = try await home.admin(
        "PATCH", "\(saml)/saml.a?updateMask=enabled,idpConfig.ssoUrl",
        ["enabled": false, "idpConfig": ["ssoUrl": "https://example.com/other"]])
      #expect(changed.json["enabled"] == false, "\(changed.text)")
      #expect(changed.json["idpConfig"]?["ssoUrl"] == "https://example.com/other")
      #expect(changed.json["idpConfig"]?["idpEntityId"] == "IDP_ENTITY_ID")
      #expect(try await home.admin("GET", "\(saml)/saml.a").json == changed.json)

      #expect(try await home.admin("DELETE", "\(saml)/saml.a").json == [:])
      for (method, body) in [("GET", nil), ("PATCH", [:]), ("DELETE", nil)]
        as [(String, JSONValue?)]
      {
        let gone = try await home.admin(method, "\(saml)/saml.a", body)
        #expect(gone.code == "CONFIGURATION_NOT_FOUND", "\(method): \(gone.text)")
      }
    }
  }

  @Test func `SAML configurations that are written at once lose nothing`() async throws {
    try await withServer(.production) { home in
      let path = "\(saml)?inboundSamlConfigId=saml.a"
      let created = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<6 {
          var document = Self.configuration
          document["displayName"] = .string("Work \(number)")
          let body = JSONValue.object(document)
          group.addTask { try await home.admin("POST", path, body).status }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(created.sorted() == [200, 400, 400, 400, 400, 400])

      let changes: [(String, JSONValue)] = [
        ("enabled", ["enabled": false]), ("displayName", ["displayName": "Home"]),
        ("idpConfig.ssoUrl", ["idpConfig": ["ssoUrl": "https://example.com/other"]]),
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (mask, body) in changes {
          group.addTask {
            let changed = try await home.admin("PATCH", "\(saml)/saml.a?updateMask=\(mask)", body)
            #expect(changed.status == 200, "\(changed.text)")
          }
        }
        try await group.waitForAll()
      }
      let kept = try await home.admin("GET", "\(saml)/saml.a").json
      #expect(kept["enabled"] == false && kept["displayName"] == "Home")
      #expect(kept["idpConfig"]?["ssoUrl"] == "https://example.com/other")
    }
  }

  @Test func `nobody signs in by SAML, and faults are named`() async throws {
    try await withServer(.production) { home in
      _ = try await home.admin(
        "POST", "\(saml)?inboundSamlConfigId=saml.a", .object(Self.configuration))
      let reply = try await home.post(
        "/v1/accounts:signInWithIdp",
        ["requestUri": "http://localhost", "postBody": "providerId=saml.a&SAMLResponse=x"])
      #expect(reply.status == 400 && reply.json["idToken"] == nil, "\(reply.text)")
      #expect(reply.message == "OPERATION_NOT_ALLOWED : Sign-in with SAML is not supported.")
      for (id, change, code) in [
        ("oidc.a", [:], "INVALID_PROVIDER_ID"), ("saml.", [:], "INVALID_PROVIDER_ID"),
        ("saml.x", ["idpConfig": ["ssoUrl": "https://x.example"]], "INVALID_CONFIG"),
        ("saml.x", ["spConfig": [:]], "INVALID_CONFIG"),
      ] as [(String, [String: JSONValue], String)] {
        let refused = try await home.admin(
          "POST", "\(saml)?inboundSamlConfigId=\(id)",
          .object(Self.configuration.merging(change) { $1 }))
        #expect(refused.code == code, "\(id): \(refused.text)")
      }
    }
  }

  @Test func `a tenant takes the project's keys of custom tokens, or has its own`() async throws {
    try await withServer(.production) { home in
      let (theirs, own) = (TokenMaker(), TokenMaker())
      try await theirs.register(in: home)
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let id = try #require(name.split(separator: "/").last.map(String.init))
      func enter(_ maker: TokenMaker, _ tenant: JSONValue?) async throws -> Reply {
        let token = try maker.token(home, ["uid": "ada", "tenant_id": tenant])
        return try await home.post(
          "/v1/accounts:signInWithCustomToken",
          ["token": .string(token), "tenantId": .string(id)])
      }
      let entered = try await enter(theirs, .string(id))
      #expect(entered.json["idToken"] != nil, "\(entered.text)")
      // A token names its tenant.
      for tenant in [nil, "another"] as [JSONValue?] {
        #expect(try await enter(theirs, tenant).code == "TENANT_ID_MISMATCH")
      }
      var caller = home.admin
      caller.scope = Scope(project: ServerHome.project, tenant: id)
      try await own.register(in: home, by: caller)
      #expect(try await enter(own, .string(id)).json["idToken"] != nil)
      #expect(try await enter(theirs, .string(id)).code == "INVALID_CUSTOM_TOKEN")
    }
  }
}
