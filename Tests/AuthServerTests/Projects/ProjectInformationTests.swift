import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Information of projects` {
  @Test func `the emulator has the project's number and its one domain`() async throws {
    try await withServer(.emulator) { home in
      for path in ["/v1/projects", "/identitytoolkit.googleapis.com/v1/projects"] {
        let reply = try await home.call("GET", "\(path)?key=k")
        #expect(reply.status == 200)
        #expect(reply.json == ["projectId": "12345", "authorizedDomains": ["localhost"]])
      }
      let older = "/www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig?key=k"
      for method in ["GET", "POST"] {
        let reply = try await home.call(method, older)
        #expect(reply.json["projectId"] == "12345", "\(reply.text)")
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `a tenant has no such information`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let id = try #require(name.split(separator: "/").last)
      let reply = try await home.call("GET", "/v1/projects?key=k&tenantId=\(id)")
      #expect(reply.status == 400)
      #expect(reply.message == "UNSUPPORTED_TENANT_OPERATION")
    }
  }

  @Test func `production shows its domains to all, and its open providers to admins`() async throws
  {
    try await withServer(.production) { home in
      _ = try await home.graph.changeSettings(by: home.admin) {
        $0.signIn.authorizedDomains = ["shop.example.com"]
        $0.signIn.closedProviders = [.anonymous]
      }
      _ = try await home.graph.configure(
        .google, values: ["clientIDs": ["client-1"]], by: home.admin)
      let client = try await home.call("GET", "/v1/projects?key=k")
      #expect(client.json["authorizedDomains"] == ["localhost", "shop.example.com"])
      #expect(client.json.names == ["projectId", "authorizedDomains"])
      let admin = try await home.admin("GET", "/v1/projects")
      #expect(admin.json["allowPasswordUser"] == true)
      #expect(admin.json["enableAnonymousUser"] == false)
      #expect(admin.json["idpConfig"] == [["provider": "google.com", "enabled": true]])
      #expect(try await home.call("GET", "/v1/projects?key=k&clientId=client-1").status == 200)
      let wrong = try await home.call("GET", "/v1/projects?key=k&clientId=other")
      #expect(wrong.message == "INVALID_OAUTH_CLIENT_ID")
    }
  }

  @Test(arguments: ServerHome.both)
  func `the older reCAPTCHA's parameters are plainly none`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for path in ["/v1/recaptchaParams", "/identitytoolkit/v3/relyingparty/getRecaptchaParam"] {
        let reply = try await home.call("GET", "\(path)?key=k")
        #expect(reply.status == 200)
        #expect(reply.json["kind"] == "identitytoolkit#GetRecaptchaParamResponse")
        #expect(try reply.text("recaptchaStoken").contains("no-token"))
        #expect(try reply.text("recaptchaSiteKey").contains("no-key"))
      }
    }
  }

  @Test func `production asks for no reCAPTCHA`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.call(
        "GET", "/v2/recaptchaConfig?key=k&clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE")
      #expect(
        reply.json == [
          "recaptchaEnforcementState": [
            ["provider": "EMAIL_PASSWORD_PROVIDER", "enforcementState": "OFF"],
            ["provider": "PHONE_PROVIDER", "enforcementState": "OFF"],
          ]
        ])
    }
  }

  @Test func `production shows the requirements of a password`() async throws {
    try await withServer(.production) { home in
      let usual = try await home.call("GET", "/v2/passwordPolicy?key=k")
      #expect(usual.status == 200)
      #expect(usual.json["enforcementState"] == "OFF")
      #expect(usual.json["schemaVersion"] == 1)
      #expect(usual.json["customStrengthOptions"]?["minPasswordLength"] == 6)
      #expect(usual.json["customStrengthOptions"]?["maxPasswordLength"] == 4096)
      #expect(usual.json["allowedNonAlphanumericCharacters"]?.items.contains("^") == true)
      _ = try await home.graph.changeSettings(by: home.admin) {
        $0.signIn.passwordPolicy.enforcement = .enforce
        $0.signIn.passwordPolicy.minimumLength = 10
        $0.signIn.passwordPolicy.needsDigit = true
        $0.signIn.passwordPolicy.appliesToSignIn = true
      }
      let strict = try await home.call("GET", "/v2/passwordPolicy?key=k")
      #expect(strict.json["enforcementState"] == "ENFORCE")
      #expect(strict.json["forceUpgradeOnSignin"] == true)
      #expect(strict.json["customStrengthOptions"]?["minPasswordLength"] == 10)
      #expect(strict.json["customStrengthOptions"]?["containsNumericCharacter"] == true)
    }
  }

  /// Google's operations that the emulator documents but does not have.
  static let missing: [(String, String, String)] = [
    ("GET", "/v2/recaptchaConfig", "identitytoolkit.getRecaptchaConfig"),
    ("GET", "/v2/passwordPolicy", "identitytoolkit.getPasswordPolicy"),
    ("GET", "/v2/defaultSupportedIdps", "identitytoolkit.defaultSupportedIdps.list"),
    (
      "POST", "/v2/projects/p/identityPlatform:initializeAuth",
      "identitytoolkit.projects.identityPlatform.initializeAuth"
    ),
    (
      "POST", "/v2/projects/p/tenants/t:getIamPolicy",
      "identitytoolkit.projects.tenants.getIamPolicy"
    ),
    (
      "POST", "/v2/projects/p/tenants/t:setIamPolicy",
      "identitytoolkit.projects.tenants.setIamPolicy"
    ),
    (
      "POST", "/v2/projects/p/tenants/t:testIamPermissions",
      "identitytoolkit.projects.tenants.testIamPermissions"
    ),
  ]

  @Test func `the emulator names its missing features`() async throws {
    try await withServer(.emulator) { home in
      for (method, path, operation) in Self.missing {
        let reply = try await home.admin(method, path, method == "POST" ? [:] : nil)
        #expect(reply.status == 501, "\(path): \(reply.text)")
        #expect(reply.message == "\(operation) is not implemented in the Auth Emulator.")
        #expect(reply.json["error"]?["status"] == "NOT_IMPLEMENTED")
      }
      for (parent, name) in [
        ("/v2/projects/p", "identitytoolkit.projects"),
        ("/v2/projects/p/tenants/t", "identitytoolkit.projects.tenants"),
      ] {
        for (method, id, verb) in [
          ("GET", "", "list"), ("POST", "", "create"), ("GET", "/saml.x", "get"),
          ("PATCH", "/saml.x", "patch"), ("DELETE", "/saml.x", "delete"),
        ] {
          let reply = try await home.admin(
            method, "\(parent)/inboundSamlConfigs\(id)",
            ["POST", "PATCH"].contains(method) ? [:] : nil)
          #expect(reply.status == 501)
          #expect(
            reply.message
              == "\(name).inboundSamlConfigs.\(verb) is not implemented in the Auth Emulator.")
        }
      }
    }
  }

  @Test func `production has no IAM and says so`() async throws {
    try await withServer(.production) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let reply = try await home.admin("POST", "/v2/\(name):getIamPolicy", [:])
      #expect(reply.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
      let start = "/v2/projects/\(ServerHome.project)/identityPlatform:initializeAuth"
      #expect(try await home.admin("POST", start, [:]).json == [:])
    }
  }
}
