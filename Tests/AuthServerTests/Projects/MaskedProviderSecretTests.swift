import AuthCore
import Crypto
import Testing

@testable import IdentityToolkitService

/// Writing back a changed document keeps the secrets that it masks.
@Suite struct `Masked secrets over HTTP` {
  private static let root = "/v2/projects/\(ServerHome.project)"
  private static let masks = ["•••", "•", " •• ", "********", "[redacted]"]

  /// A provider, the path of its settings, and the place of its secret in the document.
  private struct Place {
    let id: ProviderID
    let path: String
    let create: String
    let field: String
    let base: JSONValue
    let document: @Sendable (String) -> JSONValue
    let mask: String
  }

  private static let places: [Place] = [
    Place(
      id: ProviderID("oidc.work"), path: "\(root)/oauthIdpConfigs/oidc.work",
      create: "\(root)/oauthIdpConfigs?oauthIdpConfigId=oidc.work", field: "clientSecret",
      base: ["clientId": "client", "issuer": "https://login.example.com", "displayName": "Work"],
      document: { ["clientSecret": .string($0)] }, mask: "clientSecret"),
    Place(
      id: ProviderID("google.com"), path: "\(root)/defaultSupportedIdpConfigs/google.com",
      create: "\(root)/defaultSupportedIdpConfigs?idpId=google.com", field: "clientSecret",
      base: ["clientId": "web"], document: { ["clientSecret": .string($0)] }, mask: "clientSecret"),
    Place(
      id: ProviderID("facebook.com"), path: "\(root)/defaultSupportedIdpConfigs/facebook.com",
      create: "\(root)/defaultSupportedIdpConfigs?idpId=facebook.com", field: "appSecret",
      base: ["clientId": "1234"], document: { ["clientSecret": .string($0)] }, mask: "clientSecret"),
    Place(
      id: ProviderID("apple.com"), path: "\(root)/defaultSupportedIdpConfigs/apple.com",
      create: "\(root)/defaultSupportedIdpConfigs?idpId=apple.com", field: "privateKey",
      base: ["clientId": "com.example.web"],
      document: {
        ["appleSignInConfig": ["codeFlowConfig": ["privateKey": .string($0)]]]
      }, mask: "appleSignInConfig.codeFlowConfig.privateKey"),
  ]

  private func merged(_ one: JSONValue, _ other: JSONValue) -> JSONValue { one.merging(other) }

  @Test func `C3: a mask, or nothing, in a PATCH leaves the secret; elsewhere it is refused`()
    async throws
  {
    let key = P256.Signing.PrivateKey().pemRepresentation
    try await withServer(.production) { home in
      for place in Self.places {
        func sealed() async throws -> String? {
          try await home.graph.configuration(of: place.id, in: home.scope)?
            .sealedSecrets[place.field]
        }
        for mask in Self.masks {
          let refused = try await home.admin(
            "POST", place.create, merged(place.base, place.document(mask)))
          #expect(refused.status == 400 && refused.text.contains(place.field), "\(refused.text)")
          #expect(try await sealed() == nil)
        }
        let made = try await home.admin("POST", place.create, place.base)
        #expect(made.status == 200, "\(made.text)")
        for mask in Self.masks {
          let refused = try await home.admin("PATCH", place.path, place.document(mask))
          #expect(refused.status == 400 && refused.text.contains(place.field), "\(refused.text)")
          #expect(try await sealed() == nil)
        }
        let set = try await home.admin("PATCH", place.path, place.document(key))
        #expect(set.status == 200, "\(set.text)")
        let kept = try #require(try await sealed())
        for query in ["", "?updateMask=\(place.mask)", "?updateMask=clientId,\(place.mask)"] {
          for body in Self.masks.map(place.document) + [[:]] {
            let changed = try await home.admin(
              "PATCH", place.path + query, merged(place.base, body))
            #expect(changed.status == 200, "\(query) \(body): \(changed.text)")
            #expect(try await sealed() == kept, "\(place.id)\(query) \(body)")
          }
        }
        let part = try await home.admin("PATCH", place.path, place.document("abc•••"))
        #expect(part.status == 400, "\(part.text)")
        #expect(try await sealed() == kept)
        let shown = try await home.admin("GET", place.path)
        let back = try await home.admin("PATCH", place.path, shown.json)
        #expect(back.status == 200, "\(back.text)")
        // A client secret that was shown comes back in clear, and is sealed anew.
        let configuration = try await home.graph.configuration(of: place.id, in: home.scope)
        let settings = home.graph.opened(configuration, of: place.id, in: home.scope)
        #expect(try settings.secret(place.field)?.reveal() == key)
      }
    }
  }

  @Test func `C3: an empty client secret that is meant takes it away`() async throws {
    try await withServer(.production) { home in
      let place = Self.places[1]
      _ = try await home.admin(
        "POST", place.create, merged(place.base, place.document("a-secret")))
      _ = try await home.admin(
        "PATCH", "\(place.path)?updateMask=clientSecret", ["clientSecret": ""])
      let kept = try await home.graph.configuration(of: place.id, in: home.scope)
      #expect(kept?.values["clientIDs"] == ["web"] && kept?.sealedSecrets.isEmpty == true)
    }
  }

  @Test func `C3: the mask of a hash is no hash`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project)/accounts:batchCreate",
        [
          "hashAlgorithm": "BCRYPT",
          "users": [["localId": "a", "email": "a@example.com", "passwordHash": "UkVEQUNURUQ="]],
        ])
      #expect(reply.json["error"]?.items.first?["message"]?.stringValue?.contains("mask") == true)
      #expect(try await home.graph.account(AccountID("a"), in: home.scope) == nil)
    }
  }

  @Test func `C4: a rehearsal is true, false or not asked for`() async throws {
    try await withServer(.production) { home in
      try await home.seed("a", email: "ada@example.com")
      try await home.seed("b", email: "bo@example.com")
      for value in [JSONValue.null, 0, "yes", "", [:], []] {
        let reply = try await home.admin(
          "POST", "\(home.adminRoot)/merges", ["keep": "a", "absorb": "b", "dryRun": value])
        #expect(reply.status == 400, "\(value): \(reply.text)")
      }
      #expect(try await home.graph.account(AccountID("b"), in: home.scope)?.id == AccountID("b"))
    }
  }

  @Test func `C4: a condition that is empty or misspelled is not everything`() async throws {
    try await withServer(.production) { home in
      try await home.seed("a", email: "ada@example.com")
      for operation in AdminOperation.all where operation.method == .get {
        let path =
          AdminOperation.root + operation.path.replacing("{project}", with: ServerHome.project)
        guard !path.contains("{") else { continue }
        for name in operation.query.map(\.name) where name != "pageToken" {
          for value in ["", "%20"] {
            let reply = try await home.admin("GET", "\(path)?\(name)=\(value)")
            #expect(reply.status == 400, "\(path) \(name)")
            #expect(reply.json["error"]?["field"] == .string(name), "\(reply.text)")
          }
          let wrong = try await home.admin("GET", "\(path)?\(name)x=1")
          #expect(wrong.status == 400, "\(path) \(name)x")
          #expect(
            wrong.json["error"]?["remedy"] == .string("Did you mean \"\(name)\"?"), "\(wrong.text)")
        }
      }
    }
  }
}
