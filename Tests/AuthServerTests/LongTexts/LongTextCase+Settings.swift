import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// The settings and reasons that an admin may send.
extension LongTextCase {
  private static func config(
    _ field: String, _ refusal: String, in modes: [ServerMode] = [.production],
    _ document: @escaping @Sendable (String) -> JSONValue
  ) -> LongTextCase {
    LongTextCase("config: \(field)", refusal, in: modes) { home, text in
      try await home.admin("PATCH", home.configPath, document(text))
    }
  }

  private static func openID(_ field: String, _ prefix: String) -> LongTextCase {
    LongTextCase("provider: \(field)", "INVALID_CONFIG", in: [.production]) { home, text in
      var body: [String: JSONValue] = [
        "clientId": "client", "issuer": "https://login.example.com", "enabled": true,
      ]
      body[field] = .string(prefix + text)
      return try await home.admin(
        "POST", "/v2/projects/\(ServerHome.project)/oauthIdpConfigs?oauthIdpConfigId=oidc.work",
        .object(body))
    }
  }

  static let settings: [LongTextCase] = [
    config("authorizedDomains", "INVALID_ARGUMENT") { ["authorizedDomains": [.string($0)]] },
    config(
      "blockingFunctions", "INVALID", in: ServerMode.allCases
    ) {
      [
        "blockingFunctions": [
          "triggers": ["beforeCreate": ["functionUri": .string("http://localhost/\($0)")]]
        ]
      ]
    },
    config("a function's address in ASCII", "INVALID_ARGUMENT") {
      let path = String(repeating: "x", count: $0.utf8.count)
      return [
        "blockingFunctions": [
          "triggers": ["beforeCreate": ["functionUri": .string("http://localhost/\(path)")]]
        ]
      ]
    },
    LongTextCase("tenant: displayName", "INVALID_ARGUMENT") { home, text in
      try await home.admin("POST", home.tenantsPath, ["displayName": .string(text)])
    },
    LongTextCase("tenant: a change of displayName", "INVALID_ARGUMENT") { home, text in
      let made = try await home.admin("POST", home.tenantsPath, ["displayName": "Berlin"])
      return try await home.admin(
        "PATCH", "/v2/\(try made.text("name"))", ["displayName": .string(text)])
    },
    openID("clientId", ""), openID("displayName", ""),
    openID("issuer", "https://login.example.com/"), openID("clientSecret", ""),
  ]

  private static func own(
    _ name: String, _ method: String, _ path: String,
    body: @escaping @Sendable (String) -> [String: JSONValue]
  ) -> LongTextCase {
    LongTextCase("administration: \(name)", "", in: [.production]) { home, text in
      let reply = try await home.admin(method, "\(home.adminRoot)\(path)", .object(body(text)))
      // AuthGraph's own admin API names the field.
      #expect(reply.json["error"]?["reason"] == "invalid-argument", "\(name): \(reply.text)")
      #expect(reply.json["error"]?["field"]?.stringValue != nil, "\(name): \(reply.text)")
      return reply
    }
  }

  private static let policy = """
    return policy {
      name = "join", on = { "credential-already-in-use" },
      decide = function(c) return refuse "no" end,
    }
    """

  static let scripts: [LongTextCase] = [
    own("a policy's name", "PUT", "/policy") { ["name": .string($0), "text": .string(policy)] },
    own("a policy's reason", "PUT", "/policy") {
      ["name": "join", "text": .string(policy), "reason": .string($0)]
    },
    own("a hook's name", "PUT", "/hooks") {
      ["name": .string($0), "text": "return hooks {}"]
    },
    own("a token's name", "POST", "/adminTokens") { ["name": .string($0), "scopes": ["audit"]] },
    own("a token's reason", "POST", "/adminTokens") {
      ["name": "ci", "scopes": ["audit"], "reason": .string($0)]
    },
    own("a key's reason", "POST", "/keys:rotate") { ["reason": .string($0)] },
    LongTextCase("administration: a merge's reason", "", in: [.production]) { home, text in
      let (keep, absorb) = try await home.pair()
      let reply = try await home.admin(
        "POST", "\(home.adminRoot)/merges",
        ["keep": .string(keep), "absorb": .string(absorb), "reason": .string(text)])
      #expect(reply.json["error"]?["field"] == "reason", "\(reply.text)")
      return reply
    },
  ]
}
