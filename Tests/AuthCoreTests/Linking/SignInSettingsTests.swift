import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@Suite struct `Restrictions by a scope's settings` {
  let home = TestHome()

  private func change(_ change: @escaping @Sendable (inout SignInSettings) -> Void) async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { change(&$0.signIn) }
  }

  @Test func `a disabled scope serves only admins`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    try await change { $0.isDisabled = true }

    await expectError(.projectDisabled) { try await home.signIn(home.credential("1")) }
    await expectError(.projectDisabled) { try await home.signIn(home.credential("2")) }
    await expectError(.projectDisabled) {
      try await home.graph.signUp(home.password("a@example.com", "secret-1"), by: home.anyone)
    }
    await expectError(.projectDisabled) {
      try await home.graph.link(
        home.vendor("9", email: nil), to: ada.id, by: home.session(ada.id))
    }
    await expectError(.projectDisabled) {
      try await home.graph.unlink(TestHome.fake, from: ada.id, by: home.session(ada.id))
    }
    await expectError(.projectDisabled) {
      try await home.graph.delete(ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.link(home.vendor("9", email: nil), to: ada.id, by: home.admin)
    try await home.update(ada.id) { $0.displayName = .set("Ada") }
  }

  @Test func `a closed provider neither enters nor links, with any credential`() async throws {
    let ada = try await home.graph.signUp(
      home.password("ada@example.com", "secret-1"), by: home.anyone
    ).account
    let bo = try await home.signIn(home.credential("1")).account
    try await change { $0.closedProviders = [.password] }

    for password in ["secret-1", "wrong-one"] {
      await expectError(.operationNotAllowed) {
        try await home.signIn(home.password("ada@example.com", password))
      }
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.signUp(home.password("c@example.com", "secret-1"), by: home.anyone)
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.link(
        home.password("b@example.com", "secret-1"), to: bo.id, by: home.session(bo.id))
    }
    #expect(try await home.signIn(home.credential("1")).account.id == bo.id)
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test func `only an admin opens accounts if anonymous ones, or all, are closed`() async throws {
    let anonymous = try home.graph.providers.credential(.anonymous, [:])
    let known = try await home.signIn(home.credential("1")).account
    try await change { $0.closedProviders = [.anonymous] }
    await expectError(.adminRestrictedOperation) { try await home.signIn(anonymous) }
    _ = try await home.signIn(home.credential("2"))

    try await change { settings in
      settings.closedProviders = []
      settings.allowsSignUp = false
    }
    await expectError(.adminRestrictedOperation) { try await home.signIn(anonymous) }
    await expectError(.adminRestrictedOperation) { try await home.signIn(home.credential("3")) }
    await expectError(.adminRestrictedOperation) {
      try await home.graph.signUp(home.password("a@example.com", "secret-1"), by: home.anyone)
    }
    #expect(try await home.signIn(home.credential("1")).account.id == known.id)
    #expect(try await home.graph.signIn(home.credential("3"), by: home.admin).isNewUser)
  }

  @Test func `deleting the own account can be closed`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    try await change { $0.allowsDeletion = false }

    await expectError(.adminRestrictedOperation) {
      try await home.graph.delete(ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.delete(ada.id, by: home.admin)
  }

  @Test func `second factors are enrolled only if their kind is open`() async throws {
    let ada = try await home.person("ada")
    let number = try PhoneNumber("+15555550123")
    try await change { $0.multiFactor.allowsPhone = false }
    await expectError(.operationNotAllowed) {
      try await home.graph.beginPhoneEnrollment(of: number, for: ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.session(ada.id))

    try await change { $0.multiFactor.state = .disabled }
    await expectError(.operationNotAllowed) {
      try await home.graph.beginTOTPEnrollment(for: ada.id, by: home.session(ada.id))
    }
  }

  @Test(arguments: [
    (
      "short",
      [
        "MINIMUM_PASSWORD_LENGTH", "MISSING_UPPERCASE_CHARACTER",
        "MISSING_NUMERIC_CHARACTER", "MISSING_NON_ALPHANUMERIC_CHARACTER",
      ]
    ),
    ("LONGENOUGH1!", ["MISSING_LOWERCASE_CHARACTER"]),
    ("Long enough 1", ["MISSING_NON_ALPHANUMERIC_CHARACTER"]),
    ("Long enough 1, and more", ["MAXIMUM_PASSWORD_LENGTH"]),
    ("Long-enough_1", []),
  ])
  func `a policy names the requirements not met`(_ password: String, _ missing: [String]) {
    let policy = Self.strict

    #expect(policy.missing(in: password) == missing)
    do throws(AuthError) {
      try policy.check(password)
      #expect(missing.isEmpty)
    } catch {
      #expect(error.code == .passwordDoesNotMeetRequirements)
      #expect(error.criteria == missing)
      #expect(!error.description.contains(password))
    }
  }

  private static var strict: PasswordPolicy {
    var policy = PasswordPolicy()
    policy.enforcement = .enforce
    policy.minimumLength = 8
    policy.maximumLength = 20
    policy.needsLowercase = true
    policy.needsUppercase = true
    policy.needsDigit = true
    policy.needsSymbol = true
    return policy
  }

  @Test func `missing requirements are named in Firebase's words`() {
    let error = #expect(throws: AuthError.self) { try Self.strict.check("ABC") }

    #expect(
      error?.message == """
        Missing password requirements: [Password must contain at least 8 characters, \
        Password must contain a lower case character, Password must contain a numeric character, \
        Password must contain a non-alphanumeric character]
        """)
  }

  @Test func `a policy that is not enforced asks for six characters`() async throws {
    var policy = Self.strict
    policy.enforcement = .off
    let lax = policy
    try await change { $0.passwordPolicy = lax }

    await expectError(.weakPassword) {
      try await home.graph.signUp(home.password("a@example.com", "12345"), by: home.anyone)
    }
    _ = try await home.graph.signUp(home.password("a@example.com", "123456"), by: home.anyone)
  }

  @Test func `an enforced policy holds for every choice of a password`() async throws {
    let bo = try await home.signIn(home.credential("1")).account
    let ada = try await home.graph.signUp(
      home.password("ada@example.com", "secret"), by: home.anyone
    ).account
    try await change { $0.passwordPolicy = Self.strict }
    var changes = ProfileChanges()
    changes.password = Secret("secret")
    changes.email = .set(try EmailAddress("c@example.com"))
    let weak = changes

    await expectError(.passwordDoesNotMeetRequirements) {
      try await home.graph.signUp(home.password("b@example.com", "secret"), by: home.anyone)
    }
    await expectError(.passwordDoesNotMeetRequirements) {
      try await home.graph.link(
        home.password("b@example.com", "secret"), to: bo.id, by: home.session(bo.id))
    }
    for caller in [home.session(bo.id), home.admin] {
      await expectError(.passwordDoesNotMeetRequirements) {
        try await home.graph.update(bo.id, weak, by: caller)
      }
    }
    await expectError(.passwordDoesNotMeetRequirements) {
      try await home.graph.create(weak, by: home.admin)
    }
    // Earlier passwords still work, unless the policy applies to sign-ins too.
    let old = try home.password("ada@example.com", "secret")
    #expect(try await home.signIn(old).account.id == ada.id)
    try await change { $0.passwordPolicy.appliesToSignIn = true }
    await expectError(.passwordDoesNotMeetRequirements) { try await home.signIn(old) }
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "other"))
    }
  }

  @Test func `settings of an older version lack newer fields`() throws {
    let settings = try JSONDecoder().decode(
      ProjectSettings.self,
      from: Data(
        """
        {"signIn": {"isDisabled": true, "multiFactor": {"allowsTOTP": false},
          "passwordPolicy": {"needsDigit": true}, "blockingFunctions": {}, "fromTheFuture": 1}}
        """.utf8))

    var wanted = ProjectSettings()
    wanted.signIn.isDisabled = true
    wanted.signIn.multiFactor.allowsTOTP = false
    wanted.signIn.passwordPolicy.needsDigit = true
    #expect(settings == wanted)
  }

  @Test func `the audit names every setting that changed`() async throws {
    let receipt = try await home.graph.changeSettings(by: home.admin) { settings in
      settings.signIn.closedProviders = [.password, .anonymous]
      settings.signIn.multiFactor.state = .disabled
      settings.signIn.passwordPolicy.minimumLength = 12
      settings.signIn.blockingFunctions.functionURIs["beforeCreate"] = "https://f.example/"
      settings.signIn.displayName = "Acme"
    }

    let details = try await home.graph.event(receipt.id, in: home.scope).details
    #expect(
      details == [
        "signIn.closedProviders": ["from": "", "to": "anonymous, password"],
        "signIn.multiFactor.state": ["from": "ENABLED", "to": "DISABLED"],
        "signIn.passwordPolicy.minimumLength": ["from": "6", "to": "12"],
        "signIn.blockingFunctions.beforeCreate": ["from": .null, "to": "https://f.example/"],
        "signIn.displayName": ["from": .null, "to": "Acme"],
      ])
  }
}
