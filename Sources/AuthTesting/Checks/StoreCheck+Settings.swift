import AuthCore
import ProviderChecks

private struct Abandoned: Error {}

extension StoreCheck {
  static let settings = [
    StoreCheck("settings are the defaults until others are saved") { store in
      let settings = try await store.read { try $0.settings(of: Sample.scope) }

      try expect(settings, is: ProjectSettings(), "The settings")
    },
    StoreCheck("every setting comes back as it was saved") { store in
      var settings = ProjectSettings()
      settings.oneAccountPerEmail = false
      settings.trust = TrustPolicy(extents: [
        .google: .always, .apple: .never, ProviderID("oidc.wörk"): .domains(["a.example", ""]),
      ])
      settings.identitiesPerProvider = .many
      settings.recentLoginSeconds = 86_400
      settings.allowsUnlinkingLastMethod = true
      settings.profileOnSignIn = .follow
      settings.mergePolicy = PolicySource(name: "keep.lua", text: "return {\u{0} \"x\" }\n-- 😀")
      settings.passwordHashParameters = ["scrypt": "{\"rounds\":8}"]
      settings.signIn.isDisabled = true
      settings.signIn.closedProviders = [.password, ProviderID("oidc.wörk")]
      settings.signIn.allowsSignUp = false
      settings.signIn.allowsDeletion = false
      settings.signIn.multiFactor.state = .disabled
      settings.signIn.multiFactor.allowsPhone = false
      settings.signIn.multiFactor.allowsTOTP = false
      settings.signIn.hidesAccounts = false
      settings.signIn.passwordMigration = "old.example"
      settings.signIn.passwordPolicy.enforcement = .enforce
      settings.signIn.passwordPolicy.minimumLength = 12
      settings.signIn.passwordPolicy.needsSymbol = true
      settings.signIn.authorizedDomains = ["app.example", ""]
      settings.signIn.blockingFunctions.functionURIs = ["beforeCreate": "https://f.example/\u{0}"]
      settings.signIn.blockingFunctions.script = PolicySource(name: "hooks.lua", text: "--")
      settings.signIn.blockingFunctions.forwardsIDToken = true
      settings.signIn.displayName = "Wörk"
      let saved = settings

      try await store.write { try $0.save(saved, for: Sample.scope) }

      try expect(
        try await store.read { try $0.settings(of: Sample.scope) }, is: saved, "The settings")
    },
    StoreCheck("every setting of the list comes back as it was saved") { store in
      let saved = try ProjectSettings.others()

      try await store.write { try $0.save(saved, for: Sample.scope) }

      try expect(
        try await store.read { try $0.settings(of: Sample.scope) }, is: saved, "The settings")
    },
    StoreCheck("saved settings replace the previous ones at once, for every reader") { store in
      for seconds in Int64(1)...5 {
        try await store.write { writer in
          var settings = try writer.settings(of: Sample.scope)
          settings.recentLoginSeconds = seconds
          try writer.save(settings, for: Sample.scope)
          try expect(
            try writer.settings(of: Sample.scope).recentLoginSeconds, is: seconds,
            "The setting in the same transaction")
        }
        try expect(
          try await store.read { try $0.settings(of: Sample.scope).recentLoginSeconds },
          is: seconds, "The setting afterwards")
      }
    },
    StoreCheck("settings of a transaction that failed are forgotten") { store in
      try await store.changeSettings { $0.recentLoginSeconds = 1 }
      for seconds in Int64(2)...4 {
        do {
          try await store.write { writer in
            var settings = try writer.settings(of: Sample.scope)
            settings.recentLoginSeconds = seconds
            try writer.save(settings, for: Sample.scope)
            _ = try writer.settings(of: Sample.scope)
            throw Abandoned()
          }
        } catch is Abandoned {}
        try expect(
          try await store.read { try $0.settings(of: Sample.scope).recentLoginSeconds }, is: 1,
          "The setting")
      }
      try await store.changeSettings { $0.recentLoginSeconds = 9 }
      try expect(
        try await store.read { try $0.settings(of: Sample.scope).recentLoginSeconds }, is: 9,
        "The setting")
    },
    StoreCheck("without one account per e-mail, verified addresses may be shared") { store in
      try await store.changeSettings { $0.oneAccountPerEmail = false }

      try await store.insert(
        try Sample.account("a", email: "ada@example.com", verified: true),
        try Sample.account("b", email: "ada@example.com", verified: true))

      try expect(
        try await store.read { try $0.accountCount(in: Sample.scope) }, is: 2, "The count")
    },
    StoreCheck("one account per e-mail is refused while accounts share a verified address") {
      store in
      try await store.changeSettings { $0.oneAccountPerEmail = false }
      try await store.insert(
        try Sample.account("a", email: "ada@example.com", verified: true),
        try Sample.account("b", email: "ADA@example.com", verified: true))

      try await store.expectConflict("The setting") {
        try $0.save(ProjectSettings(), for: Sample.scope)
      }
      let settings = try await store.settings(of: Sample.scope)
      try expect(settings.oneAccountPerEmail, is: false, "The setting")

      try expect(
        try await store.read { try $0.settings(of: Sample.scope).oneAccountPerEmail }, is: false,
        "The setting afterwards")
    },
    StoreCheck("one account per e-mail, turned on again, holds for accounts that exist") { store in
      try await store.insert(try Sample.account("a", email: "ada@example.com", verified: true))
      try await store.changeSettings { $0.oneAccountPerEmail = false }
      try await store.insert(
        try Sample.account("b", email: "bo@example.com", verified: true),
        try Sample.account("c", email: "bo@example.com"))
      try await store.changeSettings { $0.oneAccountPerEmail = true }

      for email in ["ada@example.com", "bo@example.com"] {
        try await store.expectConflict("A second owner of \(email)") {
          try $0.insert(try Sample.account("d", email: email, verified: true))
        }
      }
    },
    StoreCheck("settings of one scope do not decide about addresses of another") { store in
      let other = Scope(project: "check", tenant: "t")
      try await store.changeSettings { $0.oneAccountPerEmail = false }
      try await store.insert(
        try Sample.account("a", email: "ada@example.com", verified: true),
        try Sample.account("b", email: "ada@example.com", verified: true),
        try Sample.account("a", in: other, email: "ada@example.com", verified: true))

      try await store.expectConflict("The second owner") {
        try $0.insert(
          try Sample.account("b", in: other, email: "ada@example.com", verified: true))
      }
    },
  ]
}
