import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Projects of the emulator` {
  @Test func `a tenant gives back the second factors that it was given`() async throws {
    try await withServer(.emulator) { home in
      for listed: JSONValue in [
        ["PROVIDER_UNSPECIFIED"], ["PROVIDER_UNSPECIFIED", "PHONE_SMS"], [], ["PHONE_SMS"],
      ] {
        let made = try await home.admin(
          "POST", home.tenantsPath,
          ["mfaConfig": ["state": "ENABLED", "enabledProviders": listed]])
        #expect(made.json["mfaConfig"] == ["state": "ENABLED", "enabledProviders": listed])
        let name = try made.text("name")
        #expect(try await home.admin("GET", "/v2/\(name)").json == made.json)
      }
    }
  }

  @Test func `a project says that its second factors are enabled`() async throws {
    try await withServer(.emulator) { home in
      let app: JSONValue = [
        "state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 5],
      ]
      for (mask, mfa): (String, JSONValue) in [
        ("mfa", ["state": "ENABLED", "providerConfigs": [app]]),
        ("mfa.state,mfa.providerConfigs", ["state": "ENABLED", "providerConfigs": [app]]),
        ("mfa", ["state": "ENABLED", "enabledProviders": ["PROVIDER_UNSPECIFIED"]]),
      ] {
        let reply = try await home.admin(
          "PATCH", "\(home.configPath)?updateMask=\(mask)", ["mfa": mfa])
        #expect(reply.status == 200, "\(reply.text)")
        let read = try await home.admin("GET", home.configPath).json["mfa"]
        #expect(read?["state"] == "ENABLED")
        if let listed = mfa["enabledProviders"] { #expect(read?["enabledProviders"] == listed) }
        if mfa["providerConfigs"] != nil { #expect(read?["providerConfigs"] == [app]) }
      }
    }
  }

  @Test func `a state without a phone is given back in production too`() async throws {
    try await withServer(.production) { home in
      let app: JSONValue = [
        "state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 1],
      ]
      _ = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=mfa",
        ["mfa": ["state": "ENABLED", "providerConfigs": [app]]])
      let read = try await home.admin("GET", home.configPath).json["mfa"]
      #expect(read?["state"] == "ENABLED" && read?["providerConfigs"] == [app])
      let factors = try await home.graph.settings(of: home.scope).signIn.multiFactor
      #expect(factors.allowsTOTP && !factors.allowsPhone)
    }
  }

  @Test func `OpenID providers are configured as in production`() async throws {
    try await withServer(.emulator) { home in
      let all = "/v2/projects/\(ServerHome.project)/oauthIdpConfigs"
      let fields: [String: JSONValue] = [
        "clientId": "client", "issuer": "https://login.example.com", "displayName": "Work",
        "enabled": true,
      ]
      let made = try await home.admin(
        "POST", "\(all)?oauthIdpConfigId=oidc.work", .object(fields))
      #expect(made.status == 200, "\(made.text)")
      for (name, value) in fields { #expect(made.json[name] == value, "\(name)") }
      #expect(try await home.admin("GET", "\(all)/oidc.work").json == made.json)
      #expect(try await home.admin("GET", all).json["oauthIdpConfigs"] == [made.json])
      let entered = try await home.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost",
          "postBody": .string(
            URLText.form([
              (name: "providerId", value: "oidc.work"), (name: "id_token", value: #"{"sub":"1"}"#),
            ])),
        ])
      #expect(entered.status == 200, "\(entered.text)")
      let changed = try await home.admin(
        "PATCH", "\(all)/oidc.work?updateMask=displayName", ["displayName": "Office"])
      #expect(changed.json["displayName"] == "Office" && changed.json["clientId"] == "client")
      #expect(try await home.admin("DELETE", "\(all)/oidc.work").json == [:])
      #expect(try await home.admin("GET", "\(all)/oidc.work").message == "CONFIGURATION_NOT_FOUND")
    }
  }

  @Test func `vendors are configured as in production`() async throws {
    try await withServer(.emulator) { home in
      let all = "/v2/projects/\(ServerHome.project)/defaultSupportedIdpConfigs"
      let made = try await home.admin(
        "POST", "\(all)?idpId=google.com",
        ["clientId": "client", "clientSecret": "x", "enabled": true])
      #expect(made.status == 200, "\(made.text)")
      #expect(try await home.admin("GET", "\(all)/google.com").json["clientId"] == "client")
    }
  }
}
