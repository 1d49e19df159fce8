import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Settings of projects` {
  private static let triggers: JSONValue = [
    "triggers": ["beforeCreate": ["functionUri": "http://localhost/create"]],
    "forwardInboundCredentials": ["idToken": true],
  ]

  @Test func `the emulator keeps three settings`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.admin("GET", home.configPath)
      #expect(
        reply.json == [
          "signIn": ["allowDuplicateEmails": false], "blockingFunctions": [:],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
        ])
    }
  }

  @Test func `the emulator copies the fields of a mask, and fields missing in the body stay`()
    async throws
  {
    try await withServer(.emulator) { home in
      func patch(_ mask: String, _ body: JSONValue) async throws -> JSONValue {
        let reply = try await home.admin("PATCH", "\(home.configPath)?updateMask=\(mask)", body)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json
      }
      let first = try await patch(
        "signIn.allowDuplicateEmails,blockingFunctions",
        [
          "signIn": ["allowDuplicateEmails": true], "blockingFunctions": Self.triggers,
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
        ])
      #expect(first["signIn"]?["allowDuplicateEmails"] == true)
      #expect(first["blockingFunctions"] == Self.triggers)
      #expect(first["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == false)

      let nothing = try await patch("blockingFunctions,signIn", [:])
      #expect(nothing == first)
      let beyond = try await patch(
        "signIn.allowDuplicateEmails.more,signIn.missing.0",
        ["signIn": ["allowDuplicateEmails": false]])
      #expect(beyond == first)
      let snake = try await patch(
        "email_privacy_config.enable_improved_email_privacy",
        ["email_privacy_config": ["enable_improved_email_privacy": true]])
      #expect(snake["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == true)
      let nested = try await patch(
        "blockingFunctions.triggers.beforeSignIn.functionUri",
        [
          "blockingFunctions": [
            "triggers": ["beforeSignIn": ["functionUri": "http://localhost/sign-in"]]
          ]
        ])
      #expect(nested["blockingFunctions"]?["triggers"]?.names == ["beforeCreate", "beforeSignIn"])
    }
  }

  @Test func `without a mask the emulator replaces everything`() async throws {
    try await withServer(.emulator) { home in
      let full: JSONValue = [
        "signIn": ["allowDuplicateEmails": true], "blockingFunctions": Self.triggers,
        "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
      ]
      let first = try await home.admin("PATCH", home.configPath, full)
      #expect(first.json == full)
      let second = try await home.admin("PATCH", home.configPath, [:])
      #expect(
        second.json == [
          "signIn": ["allowDuplicateEmails": false], "blockingFunctions": [:],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
        ])
    }
  }

  @Test(arguments: ServerHome.both)
  func `a blocking function has a known event and an absolute address`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let cases: [(String, String, String)] = [
        ("beforeBreakfast", "http://localhost", "((Event type is invalid.))"),
        ("beforeCreate", "localhost/create", "((Expected an absolute URI"),
        ("beforeSignIn", "/sign-in", "((Expected an absolute URI"),
      ]
      for (event, uri, detail) in cases {
        let reply = try await home.admin(
          "PATCH", "\(home.configPath)?updateMask=blockingFunctions",
          [
            "blockingFunctions": [
              "triggers": .object([event: ["functionUri": .string(uri)]])
            ]
          ])
        #expect(reply.status == 400)
        #expect(
          reply.message?.hasPrefix("INVALID_BLOCKING_FUNCTION : \(detail)") == true,
          "\(reply.text)")
      }
      let settings = try await home.graph.settings(of: home.scope)
      #expect(settings.signIn.blockingFunctions.functionURIs.isEmpty)
    }
  }

  @Test(arguments: ServerHome.both)
  func `tenants inherit the project's own settings`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let id = try #require(name.split(separator: "/").last)
      _ = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=signIn.allowDuplicateEmails",
        ["signIn": ["allowDuplicateEmails": true]])
      let tenant = Scope(project: ServerHome.project, tenant: String(id))
      #expect(try await home.graph.settings(of: tenant).oneAccountPerEmail == false)
    }
  }

  @Test func `production shows and changes its settings under Firebase's names`() async throws {
    try await withServer(.production) { home in
      func patch(_ mask: String, _ body: JSONValue) async throws -> JSONValue {
        let reply = try await home.admin("PATCH", "\(home.configPath)?updateMask=\(mask)", body)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json
      }
      let before = try await home.admin("GET", home.configPath).json
      #expect(before["name"] == .string("projects/\(ServerHome.project)/config"))
      #expect(before["signIn"]?["email"] == ["enabled": true, "passwordRequired": false])
      #expect(before["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == true)
      #expect(before["authorizedDomains"] == ["localhost"])

      let changed = try await patch(
        "signIn.email,signIn.anonymous.enabled,signIn.phoneNumber,mfa,passwordPolicyConfig,"
          + "authorizedDomains,client.permissions,emailPrivacyConfig",
        [
          "signIn": [
            "email": ["enabled": true, "passwordRequired": true], "anonymous": ["enabled": false],
            "phoneNumber": ["enabled": true, "testPhoneNumbers": ["+15555550100": "123456"]],
          ],
          "mfa": [
            "state": "ENABLED", "enabledProviders": ["PHONE_SMS"],
            "providerConfigs": [
              ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 5]]
            ],
          ],
          "passwordPolicyConfig": [
            "passwordPolicyEnforcementState": "ENFORCE", "forceUpgradeOnSignin": true,
            "passwordPolicyVersions": [
              [
                "customStrengthOptions": [
                  "minPasswordLength": 12, "containsUppercaseCharacter": true,
                ]
              ]
            ],
          ],
          "authorizedDomains": ["localhost", "shop.example.com"],
          "client": ["permissions": ["disabledUserSignup": true, "disabledUserDeletion": true]],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
        ])
      let settings = try await home.graph.settings(of: home.scope)
      #expect(settings.signIn.closedProviders == [.emailLink, .anonymous])
      #expect(settings.signIn.multiFactor.state == .enabled)
      #expect(settings.signIn.multiFactor.allowsPhone && settings.signIn.multiFactor.allowsTOTP)
      #expect(settings.totpDriftSteps == 5)
      #expect(settings.signIn.passwordPolicy.enforcement == .enforce)
      #expect(settings.signIn.passwordPolicy.minimumLength == 12)
      #expect(settings.signIn.passwordPolicy.needsUppercase)
      #expect(settings.signIn.passwordPolicy.appliesToSignIn)
      #expect(settings.signIn.allowsSignUp == false && settings.signIn.allowsDeletion == false)
      #expect(settings.signIn.hidesAccounts == false)
      #expect(
        settings.providers["phone"]?.values["testNumbers"] == ["+15555550100": "123456"])
      #expect(changed["signIn"]?["phoneNumber"]?["testPhoneNumbers"]?.names == ["+15555550100"])
      #expect(changed["authorizedDomains"] == ["localhost", "shop.example.com"])
      // A field that the mask names is cleared if it is not sent; all others stay.
      let cleared = try await patch("authorizedDomains", [:])
      #expect(cleared["authorizedDomains"] == ["localhost"])
      #expect(cleared["signIn"] == changed["signIn"])
      // Without a mask the sent fields are merged into the document.
      let merged = try await home.admin(
        "PATCH", home.configPath, ["signIn": ["anonymous": ["enabled": true]]])
      #expect(merged.json["signIn"]?["anonymous"]?["enabled"] == true)
      #expect(merged.json["signIn"]?["email"] == changed["signIn"]?["email"])
    }
  }

  @Test func `an authenticator app alone may be the second factor`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=mfa",
        [
          "mfa": [
            "providerConfigs": [
              ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 0]]
            ]
          ]
        ])
      #expect(reply.json["mfa"]?["state"] == "DISABLED")
      #expect(reply.json["mfa"]?["providerConfigs"]?.items.first?["state"] == "ENABLED")
      let factors = try await home.graph.settings(of: home.scope).signIn.multiFactor
      #expect(factors.state == .enabled && factors.allowsTOTP && !factors.allowsPhone)
    }
  }

  @Test func `production refuses missing features and impossible values`() async throws {
    try await withServer(.production) { home in
      let cases: [(String, JSONValue, String)] = [
        ("smsRegions", [:], "Invalid JSON payload received. Unknown name \"smsRegions\": "),
        (
          "", ["quota": ["perDay": 5]],
          "Invalid JSON payload received. Unknown name \"perDay\" at 'quota': Cannot find field."
        ),
        (
          "recaptchaConfig",
          ["recaptchaConfig": ["managedRules": [["endScore": .number(0.1), "colour": "red"]]]],
          "Invalid JSON payload received. Unknown name \"colour\" at "
            + "'recaptcha_config.managed_rules[0]': Cannot find field."
        ),
        (
          "", ["recaptchaConfig": ["useAccountDefender": "perhaps"]],
          "Invalid value at 'recaptcha_config.use_account_defender' (TYPE_BOOL), \"perhaps\""
        ),
        (
          "", ["mobileLinksConfig": ["domain": "MY_DOMAIN"]],
          "Invalid value at 'mobile_links_config.domain' (type.googleapis.com/"
            + "google.cloud.identitytoolkit.admin.v2.MobileLinksConfig.Domain), \"MY_DOMAIN\""
        ),
        ("mfa", ["mfa": ["state": "SOMETIMES"]], "Invalid value at 'mfa.state' (type.googleapis"),
        (
          "mfa",
          [
            "mfa": [
              "providerConfigs": [
                ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 11]]
              ]
            ]
          ],
          "INVALID_ARGUMENT"
        ),
        (
          "passwordPolicyConfig",
          [
            "passwordPolicyConfig": [
              "passwordPolicyVersions": [["customStrengthOptions": ["minPasswordLength": 5]]]
            ]
          ], "INVALID_ARGUMENT"
        ),
        (
          "signIn.phoneNumber.testPhoneNumbers",
          ["signIn": ["phoneNumber": ["testPhoneNumbers": ["+15555550100": "12"]]]],
          "INVALID_TESTING_PHONE_NUMBER"
        ),
        (
          "signIn", ["signIn": ["email": ["enabled": "perhaps"]]],
          "Invalid value at 'sign_in.email.enabled' (TYPE_BOOL), \"perhaps\""
        ),
      ]
      let before = try await home.graph.settings(of: home.scope)
      for (mask, body, message) in cases {
        let query = mask.isEmpty ? "" : "?updateMask=\(mask)"
        let reply = try await home.admin("PATCH", home.configPath + query, body)
        #expect(reply.status == 400)
        #expect(reply.message?.hasPrefix(message) == true, "\(reply.text)")
      }
      #expect(try await home.graph.settings(of: home.scope) == before)
    }
  }

  @Test(arguments: ServerHome.both)
  func `a client sees no settings`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for (method, path) in [
        ("GET", home.configPath), ("PATCH", home.configPath), ("GET", home.tenantsPath),
        ("POST", home.tenantsPath),
      ] {
        let reply = try await home.call(method, "\(path)?key=k", method == "GET" ? nil : [:])
        #expect(reply.message?.hasPrefix("INSUFFICIENT_PERMISSION") == true, "\(reply.text)")
      }
    }
  }
}
