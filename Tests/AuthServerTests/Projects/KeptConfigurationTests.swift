import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// The members of Firebase's configuration that have no effect here come back as they were sent.
@Suite struct `Kept configuration` {
  private static let recaptcha: JSONValue = [
    "emailPasswordEnforcementState": "AUDIT", "phoneEnforcementState": "AUDIT",
    "useAccountDefender": true, "useSmsBotScore": true, "useSmsTollFraudProtection": true,
    "managedRules": [["endScore": .number(0.1), "action": "BLOCK"]],
    "tollFraudManagedRules": [["startScore": .number(0.1), "action": "BLOCK"]],
  ]
  private static let byDefault: JSONValue = ["allowByDefault": ["disallowedRegions": ["AC", "AD"]]]
  private static let listed: JSONValue = ["allowlistOnly": ["allowedRegions": ["AC", "AD"]]]

  @Test func `a project's members come back, and masks reach into them`() async throws {
    try await withServer(.production) { home in
      let members: [String: JSONValue] = [
        "recaptchaConfig": Self.recaptcha, "smsRegionConfig": Self.byDefault,
        "mobileLinksConfig": ["domain": "HOSTING_DOMAIN"], "autodeleteAnonymousUsers": true,
        "quota": ["signUpQuotaConfig": ["quota": "100", "quotaDuration": "7200s"]],
        "monitoring": ["requestLogging": ["enabled": true]],
        "notification": ["defaultLocale": "de", "sendSms": ["useDeviceLocale": true]],
      ]
      let mask = members.keys.sorted().joined(separator: ",")
      let written = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=\(mask)", .object(members))
      #expect(written.status == 200, "\(written.text)")
      let read = try await home.admin("GET", home.configPath).json
      for (name, value) in members { #expect(read[name] == value, "\(name)") }

      let part = try await home.admin(
        "PATCH",
        "\(home.configPath)?updateMask=recaptchaConfig.phoneEnforcementState,"
          + "smsRegionConfig.allowlistOnly.allowedRegions,quota",
        [
          "recaptchaConfig": ["phoneEnforcementState": "OFF", "useSmsBotScore": false],
          "smsRegionConfig": Self.listed,
        ]
      ).json
      #expect(part["recaptchaConfig"]?["phoneEnforcementState"] == "OFF")
      #expect(part["recaptchaConfig"]?["useSmsBotScore"] == true)
      #expect(part["recaptchaConfig"]?["managedRules"] == Self.recaptcha["managedRules"])
      // The two lists of regions exclude each other.
      #expect(part["smsRegionConfig"] == Self.listed)
      #expect(part["quota"] == nil)
      #expect(part["monitoring"] == members["monitoring"])
    }
  }

  @Test func `a tenant has members and test numbers of its own`() async throws {
    try await withServer(.production) { home in
      let numbers: JSONValue = ["+16505551234": "019287", "+16505550676": "985235"]
      let created = try await home.admin(
        "POST", home.tenantsPath,
        [
          "displayName": "Berlin", "allowPasswordSignup": true, "testPhoneNumbers": numbers,
          "recaptchaConfig": Self.recaptcha, "smsRegionConfig": Self.byDefault,
        ])
      #expect(created.status == 200, "\(created.text)")
      #expect(created.json["testPhoneNumbers"] == numbers)
      #expect(created.json["recaptchaConfig"] == Self.recaptcha)
      // What nobody set is not in the document, as in Firebase.
      #expect(created.json["passwordPolicyConfig"] == nil)
      #expect(created.json["emailPrivacyConfig"] == nil)
      let path = "/v2/\(try created.text("name"))"
      #expect(try await home.admin("GET", path).json == created.json)
      #expect(try await home.admin("GET", home.configPath).json["recaptchaConfig"] == nil)

      let changed = try await home.admin(
        "PATCH",
        "\(path)?updateMask=testPhoneNumbers,smsRegionConfig.allowlistOnly.allowedRegions,"
          + "emailPrivacyConfig.enableImprovedEmailPrivacy,"
          + "passwordPolicyConfig.passwordPolicyEnforcementState",
        [
          "testPhoneNumbers": ["+16505551235": "111111"], "smsRegionConfig": Self.listed,
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
          "passwordPolicyConfig": ["passwordPolicyEnforcementState": "OFF"],
        ])
      #expect(changed.json["testPhoneNumbers"] == ["+16505551235": "111111"], "\(changed.text)")
      #expect(changed.json["smsRegionConfig"] == Self.listed)
      #expect(changed.json["emailPrivacyConfig"] == ["enableImprovedEmailPrivacy": true])
      #expect(
        changed.json["passwordPolicyConfig"]?["passwordPolicyEnforcementState"] == "OFF")
      #expect(changed.json["recaptchaConfig"] == Self.recaptcha)
      let bad = try await home.admin(
        "POST", home.tenantsPath, ["testPhoneNumbers": ["+16505551235": "12"]])
      #expect(bad.code == "INVALID_TESTING_PHONE_NUMBER", "\(bad.text)")
    }
  }

  @Test func `an authenticator app that is off has no intervals`() async throws {
    try await withServer(.production) { home in
      func set(_ app: JSONValue) async throws -> JSONValue? {
        let reply = try await home.admin(
          "PATCH", "\(home.configPath)?updateMask=mfa",
          [
            "mfa": [
              "state": "ENABLED", "enabledProviders": ["PHONE_SMS"], "providerConfigs": [app],
            ]
          ]
        )
        return reply.json["mfa"]?["providerConfigs"]?.items.first
      }
      let on: JSONValue = ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 5]]
      let off: JSONValue = ["state": "DISABLED", "totpProviderConfig": [:]]
      let (open, closed) = (try await set(on), try await set(off))
      #expect(open == on && closed == off)
    }
  }

  @Test func `attack: no message leaves for a region that is not allowed`() async throws {
    try await withServer(.production) { home in
      func set(_ regions: JSONValue) async throws {
        let reply = try await home.admin(
          "PATCH", "\(home.configPath)?updateMask=smsRegionConfig", ["smsRegionConfig": regions])
        #expect(reply.status == 200, "\(reply.text)")
      }
      func send(_ number: String) async throws -> Reply {
        try await home.post(
          "/v1/accounts:sendVerificationCode", ["phoneNumber": .string(number)])
      }
      try await set(["allowlistOnly": ["allowedRegions": ["DE"]]])
      let refused = try await send("+15555550100")
      #expect(refused.message == "OPERATION_NOT_ALLOWED : No messages are sent to this region.")
      #expect(home.messages.messages.isEmpty)
      #expect(try await send("+4915112345678").status == 200)
      try await set(["allowByDefault": ["disallowedRegions": ["DE"]]])
      #expect(try await send("+15555550100").status == 200)
      #expect(try await send("+4915112345679").code == "OPERATION_NOT_ALLOWED")
    }
  }

  @Test func `attack: a second factor is no way around the regions`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      try await home.guardWithPhone(ada.uid, "+15555550100")
      let pending = try await home.signIn(ada.email)
      let credential = try #require(pending.json["mfaPendingCredential"], "\(pending.text)")
      for (region, code) in [("DE", "OPERATION_NOT_ALLOWED"), ("US", nil)] as [(String, String?)] {
        let regions: JSONValue = ["allowlistOnly": ["allowedRegions": [.string(region)]]]
        _ = try await home.admin(
          "PATCH", "\(home.configPath)?updateMask=smsRegionConfig", ["smsRegionConfig": regions])
        let begun = try await home.post(
          "/v2/accounts/mfaSignIn:start",
          [
            "mfaPendingCredential": credential, "mfaEnrollmentId": "factor-1",
            "phoneSignInInfo": [:],
          ])
        #expect(begun.code == code, "\(begun.text)")
        #expect(home.messages.messages.isEmpty == (code != nil))
      }
    }
  }

  @Test func `attack: what is kept has a bound`() async throws {
    try await withServer(.production) { home in
      let long = String(repeating: "x", count: 8000)
      for _ in 0..<2 {
        let reply = try await home.admin(
          "PATCH", "\(home.configPath)?updateMask=recaptchaConfig.recaptchaKeys",
          [
            "recaptchaConfig": [
              "recaptchaKeys": .array(
                (0..<20).map { ["key": .string("\($0)\(long)"), "type": "CLIENT_TYPE_WEB"] })
            ]
          ])
        #expect(reply.status == 400, "\(reply.text.prefix(200))")
      }
      let settings = try await home.graph.settings(of: home.scope)
      #expect(settings.keptMembers == nil)
    }
  }

  @Test func `a link has one of the project's domains, and no other`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=mobileLinksConfig",
        ["mobileLinksConfig": ["domain": "HOSTING_DOMAIN", "linkDomains": ["links.example.com"]]])
      #expect(
        reply.json["mobileLinksConfig"]
          == ["domain": "HOSTING_DOMAIN", "linkDomains": ["links.example.com"]], "\(reply.text)")
      _ = try await home.openAccount()
      func link(_ domain: String) async throws -> Reply {
        try await home.admin(
          "POST", "\(home.accountsPath):sendOobCode",
          [
            "requestType": "PASSWORD_RESET", "email": "ada@example.com", "returnOobLink": true,
            "linkDomain": .string(domain),
          ])
      }
      let good = try await link("Links.example.com").text("oobLink")
      #expect(good.hasPrefix("https://links.example.com/__/auth/action?"), "\(good)")
      let own = try await link("localhost").text("oobLink")
      #expect(own.hasPrefix("http://localhost:9099/"), "\(own)")
      for domain in [
        "evil.example", "links.example.com.evil.example", "evil.example/links.example.com",
      ] {
        #expect(try await link(domain).code == "INVALID_HOSTING_LINK_DOMAIN")
      }
    }
  }

  @Test func `a tenant's domains of the console stay if a document leaves them alone`() async throws
  {
    try await withServer(.production) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let id = String(try #require(name.split(separator: "/").last))
      var caller = home.admin
      caller.scope = Scope(project: ServerHome.project, tenant: id)
      let scope = caller.scope
      _ = try await home.graph.changeSettings(by: caller) {
        $0.signIn.linkDomains = ["console.example.com"]
      }
      let path = "\(home.tenantsPath)/\(id)"
      func domains(after change: JSONValue, mask: String) async throws -> [String] {
        let reply = try await home.admin("PATCH", "\(path)?updateMask=\(mask)", change)
        #expect(reply.status == 200, "\(reply.text)")
        return try await home.graph.settings(of: scope).signIn.linkDomains
      }
      let named: JSONValue = ["displayName": "another name"]
      #expect(try await domains(after: named, mask: "displayName") == ["console.example.com"])

      let links: JSONValue = ["mobileLinksConfig": ["linkDomains": ["links.example.com"]]]
      #expect(try await domains(after: links, mask: "mobileLinksConfig") == ["links.example.com"])
      #expect(try await domains(after: named, mask: "displayName") == ["links.example.com"])
      #expect(try await domains(after: [:], mask: "mobileLinksConfig") == [])
    }
  }
}
