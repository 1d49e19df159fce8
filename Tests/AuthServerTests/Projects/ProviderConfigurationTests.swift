import AuthCore
import Crypto
import Testing

@testable import IdentityToolkitService

@Suite struct `Settings of identity providers` {
  private let vendors = "/v2/projects/\(ServerHome.project)/defaultSupportedIdpConfigs"
  private let openID = "/v2/projects/\(ServerHome.project)/oauthIdpConfigs"

  @Test func `an OpenID Connect provider is made, changed, listed and forgotten`() async throws {
    try await withServer(.production) { home in
      let created = try await home.admin(
        "POST", "\(openID)?oauthIdpConfigId=oidc.work",
        [
          "clientId": "client", "issuer": "https://login.example.com", "displayName": "Work",
          "enabled": true, "clientSecret": "s3cret-of-work", "responseType": ["code": true],
        ])
      #expect(created.status == 200, "\(created.text)")
      #expect(
        created.json == [
          "name": .string("projects/\(ServerHome.project)/oauthIdpConfigs/oidc.work"),
          "clientId": "client", "issuer": "https://login.example.com", "displayName": "Work",
          "enabled": true, "responseType": ["code": true], "clientSecret": "s3cret-of-work",
        ])
      let kept = try await home.graph.configuration(of: ProviderID("oidc.work"), in: home.scope)
      #expect(kept?.values["issuer"] == "https://login.example.com")
      #expect(kept?.sealedSecrets["clientSecret"] != nil)

      let changed = try await home.admin(
        "PATCH", "\(openID)/oidc.work?updateMask=enabled,displayName",
        ["enabled": false, "displayName": "Office", "clientId": "ignored"])
      #expect(changed.json["enabled"] == false)
      #expect(changed.json["displayName"] == "Office")
      #expect(changed.json["clientId"] == "client")
      let settings = try await home.graph.settings(of: home.scope)
      #expect(settings.signIn.closedProviders.contains(ProviderID("oidc.work")))

      let list = try await home.admin("GET", openID)
      #expect(list.json == ["oauthIdpConfigs": [changed.json]])
      #expect(try await home.admin("GET", "\(openID)/oidc.work").json == changed.json)
      #expect(try await home.admin("DELETE", "\(openID)/oidc.work").json == [:])
      #expect(
        try await home.admin("GET", "\(openID)/oidc.work").message == "CONFIGURATION_NOT_FOUND")
    }
  }

  @Test func `vendors are set up by their names`() async throws {
    let key = P256.Signing.PrivateKey().pemRepresentation
    try await withServer(.production) { home in
      let google = try await home.admin(
        "POST", "\(vendors)?idpId=google.com",
        ["clientId": "web-client", "clientSecret": "x", "enabled": true])
      #expect(google.status == 200, "\(google.text)")
      #expect(google.json["clientId"] == "web-client")
      let facebook = try await home.admin(
        "POST", "\(vendors)?idpId=facebook.com",
        ["clientId": "1234", "clientSecret": "y", "enabled": true])
      #expect(facebook.json["clientId"] == "1234", "\(facebook.text)")
      let apple = try await home.admin(
        "POST", "\(vendors)?idpId=apple.com",
        [
          "clientId": "com.example.web", "enabled": true,
          "appleSignInConfig": [
            "bundleIds": ["com.example.app"],
            "codeFlowConfig": ["teamId": "T", "keyId": "K", "privateKey": .string(key)],
          ],
        ])
      #expect(apple.json["clientId"] == "com.example.web", "\(apple.text)")
      #expect(
        apple.json["appleSignInConfig"] == [
          "bundleIds": ["com.example.app"], "codeFlowConfig": ["teamId": "T", "keyId": "K"],
        ])
      let settings = try await home.graph.settings(of: home.scope)
      #expect(settings.providers["google.com"]?.values["clientIDs"] == ["web-client"])
      #expect(settings.providers["facebook.com"]?.values["appID"] == "1234")
      #expect(
        settings.providers["apple.com"]?.values["clientIDs"] == [
          "com.example.web", "com.example.app",
        ])
      let list = try await home.admin("GET", "\(vendors)?pageSize=2")
      #expect(list.json["defaultSupportedIdpConfigs"]?.items.count == 2)
      let token = try list.text("nextPageToken")
      let rest = try await home.admin("GET", "\(vendors)?pageSize=2&pageToken=\(token)")
      #expect(rest.json["defaultSupportedIdpConfigs"]?.items.count == 1)
      let known = try await home.admin("GET", "/v2/defaultSupportedIdps")
      let ids = known.json["defaultSupportedIdps"]?.items.compactMap { $0["idpId"]?.stringValue }
      #expect(ids?.contains("google.com") == true && ids?.contains("password") == false)
    }
  }

  @Test func `each fault has its word`() async throws {
    try await withServer(.production) { home in
      let ok: JSONValue = ["clientId": "c", "issuer": "https://login.example.com"]
      _ = try await home.admin("POST", "\(openID)?oauthIdpConfigId=oidc.a", ok)
      let cases: [(String, String, JSONValue?, String)] = [
        ("POST", "\(openID)?oauthIdpConfigId=oidc.a", ok, "CONFIGURATION_EXISTS"),
        ("POST", "\(openID)?oauthIdpConfigId=google.com", ok, "INVALID_PROVIDER_ID"),
        ("POST", openID, ok, "INVALID_PROVIDER_ID"),
        ("POST", "\(openID)?oauthIdpConfigId=oidc.b", ["clientId": "c"], "MISSING_ISSUER"),
        (
          "POST", "\(openID)?oauthIdpConfigId=oidc.b",
          ["clientId": "c", "issuer": "http://insecure.example.com"], "INVALID_CONFIG : "
        ),
        ("POST", "\(vendors)?idpId=oidc.b", ["clientId": "c"], "INVALID_PROVIDER_ID"),
        ("POST", "\(vendors)?idpId=password", ["clientId": "c"], "INVALID_PROVIDER_ID"),
        ("PATCH", "\(vendors)/google.com", [:], "CONFIGURATION_NOT_FOUND"),
        ("DELETE", "\(vendors)/google.com", nil, "CONFIGURATION_NOT_FOUND"),
        ("PATCH", "\(openID)/oidc.a?updateMask=colour", [:], "Invalid JSON payload received."),
        (
          "PATCH", "\(openID)/oidc.a",
          ["responseType": ["code": true, "idToken": true]], "INVALID_CONFIG : "
        ),
      ]
      for (method, path, body, message) in cases {
        let reply = try await home.admin(method, path, body)
        #expect(reply.status == 400)
        #expect(reply.message?.hasPrefix(message) == true, "\(method) \(path): \(reply.text)")
      }
    }
  }

  @Test func `attack 34: a tenant's providers are its own`() async throws {
    try await withServer(.production) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      _ = try await home.admin(
        "POST", "/v2/\(name)/oauthIdpConfigs?oauthIdpConfigId=oidc.work",
        ["clientId": "c", "issuer": "https://login.example.com", "enabled": true])
      let there = try await home.admin("GET", "/v2/\(name)/oauthIdpConfigs/oidc.work")
      #expect(there.json["name"] == .string("\(name)/oauthIdpConfigs/oidc.work"))
      #expect(
        try await home.admin("GET", "\(openID)/oidc.work").message == "CONFIGURATION_NOT_FOUND")
    }
  }
}
