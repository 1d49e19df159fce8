import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// A hook that admits addresses of `allowed.example` alone.
private struct DomainHooks: SignInHooks {
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    guard event.kind == .beforeCreate, event.account.email?.domain != "allowed.example" else {
      return nil
    }
    throw AuthError(.blockingFunctionError, "Not from here.", step: .decision)
  }
}

/// Guards such as hooks and second factors in combination with settings.
@Suite(.serialized) struct `Guards and settings` {
  @Test func `F5: an anonymous account is no way round before_create`() async throws {
    try await withFederation(.production, configure: { $0.hooks = DomainHooks() }) { home in
      let server = home.server
      let refused = "BLOCKING_FUNCTION_ERROR_RESPONSE"
      let first = try await server.openAnonymously()
      let password = try await server.post(
        ServerHome.signUp,
        ["idToken": .string(first.idToken), "email": "b@evil.example", "password": "opensesame"])
      #expect(password.message?.hasPrefix(refused) == true, "\(password.text)")
      let vendor = try await home.signIn(.google, .ada, idToken: first.idToken)
      #expect(vendor.message?.hasPrefix(refused) == true, "\(vendor.text)")
      try await home.settings { $0.signIn.hidesAccounts = false }
      let update = try await server.post(
        ServerHome.update,
        ["idToken": .string(first.idToken), "email": "b@evil.example", "password": "opensesame"])
      #expect(update.message?.hasPrefix(refused) == true, "\(update.text)")
      #expect(try await server.enter("b@evil.example", "opensesame").status == 400)

      let good = try await server.post(
        ServerHome.signUp,
        ["idToken": .string(first.idToken), "email": "b@allowed.example", "password": "opensesame"])
      #expect(good.status == 200, "\(good.text)")
    }
  }

  @Test func `F8: MANDATORY is refused, with the field and a remedy`() async throws {
    try await withServer(.production) { home in
      let project = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=mfa", ["mfa": ["state": "MANDATORY"]])
      #expect(project.status == 400)
      #expect(
        project.message?.contains("mfa.state") == true && project.text.contains("ENABLED"),
        "\(project.text)")
      let tenant = try await home.admin(
        "POST", home.tenantsPath, ["mfaConfig": ["state": "MANDATORY"]])
      #expect(tenant.status == 400 && tenant.text.contains("MANDATORY"), "\(tenant.text)")
      #expect(try await home.admin("GET", home.configPath).json["mfa"]?["state"] != "MANDATORY")
    }
  }

  @Test func `F9: sessions are over after disabling and enabling over REST`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      home.clock.advance(seconds: 2)
      try await home.adminUpdate(ada.uid, ["disableUser": true])
      home.clock.advance(seconds: 2)
      let enabled = try await home.adminUpdate(ada.uid, ["disableUser": false])
      #expect(enabled.status == 200, "\(enabled.text)")
      let lookup = try await home.post("/v1/accounts:lookup", ada.session)
      #expect(lookup.message == "TOKEN_EXPIRED", "\(lookup.text)")
      let refresh = try await home.post(
        "/v1/token", ["grant_type": "refresh_token", "refresh_token": .string(ada.refreshToken)])
      #expect(refresh.message == "TOKEN_EXPIRED", "\(refresh.text)")
      home.clock.advance(seconds: 2)
      #expect(try await home.enter("ada@example.com", "opensesame").status == 200)
    }
  }

  @Test func `F12: the last open way in stays, by update and by unlink`() async throws {
    try await withFederation(.production) { home in
      let session = try await home.signIn(.google, .ada).text("idToken")
      let linked = try await home.signIn(Federation.work, .ada, idToken: session)
      let token = try linked.text("idToken")
      try await home.settings { $0.signIn.closedProviders = [Federation.work] }
      let body: JSONValue = ["idToken": .string(token), "deleteProvider": ["google.com"]]
      let closed = try await home.server.post(ServerHome.update, body)
      #expect(closed.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(closed.text)")
      try await home.settings { $0.signIn.closedProviders = [] }
      _ = try await home.graph.forgetConfiguration(
        of: Federation.work, force: true, by: home.server.admin)
      let forgotten = try await home.server.post(ServerHome.update, body)
      #expect(forgotten.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(forgotten.text)")
    }
  }

  @Test func `F20: a configuration that is deleted and made anew keeps its name's people apart`()
    async throws
  {
    try await withFederation(.production) { home in
      let server = home.server
      let path = "/v2/projects/\(ServerHome.project)/oauthIdpConfigs"
      let ada = try await home.signIn(Federation.work, .ada)
      expectTokens(ada)
      try await home.trust(Federation.work)
      #expect(try await server.admin("DELETE", "\(path)/oidc.work").status == 200)
      #expect(try await home.graph.settings(of: server.scope).trust[Federation.work] == .never)
      let other = try await server.admin(
        "POST", "\(path)?oauthIdpConfigId=oidc.work",
        [
          "clientId": .string(FakeClient.web.id), "issuer": "https://other.example.com",
          "enabled": true,
        ])
      #expect(other.status == 400, "\(other.text)")
      #expect(other.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(other.text)")
      #expect(other.text.contains("issuer") && other.text.contains("1 account"), "\(other.text)")
      #expect(try await home.graph.settings(of: server.scope).providers["oidc.work"] == nil)
    }
  }

  @Test func `F20: Facebook's app names subjects`() async throws {
    try await withFederation(.production) { home in
      let facebook = ProviderID("facebook.com")
      _ = try await home.graph.assert(
        IdentityKey(facebook, subject: "77"), profile: IdentityProfile(),
        on: try await home.account(email: "ada@example.com", verified: true),
        by: home.server.admin)
      let reply = try await home.server.admin(
        "PATCH",
        "/v2/projects/\(ServerHome.project)/defaultSupportedIdpConfigs/facebook.com"
          + "?updateMask=clientId",
        ["clientId": "another-app"])
      #expect(reply.status == 400 && reply.text.contains("appID"), "\(reply.text)")
    }
  }

  @Test func `F15: a pending token does not link once its provider was set up anew`()
    async throws
  {
    try await withFederation(.production) { home in
      _ = try await home.account(email: "ada@example.com", verified: true)
      let session = try await home.session(email: "ada@example.com")
      let pending = try await home.signIn(Federation.work, .ada)
      let token = try pending.text("pendingToken")
      let values = try #require(
        try await home.graph.configuration(of: Federation.work, in: home.server.scope)
      ).values
      _ = try await home.graph.forgetConfiguration(of: Federation.work, by: home.server.admin)
      let body: [String: JSONValue] = [
        "pendingToken": .string(token), "idToken": .string(session),
      ]
      let form = "providerId=\(Federation.work)"
      let gone = try await home.signIn(postBody: form, body)
      #expect(gone.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(gone.text)")
      _ = try await home.graph.configure(Federation.work, values: values, by: home.server.admin)
      let anew = try await home.signIn(postBody: form, body)
      #expect(anew.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(anew.text)")
    }
  }
}
