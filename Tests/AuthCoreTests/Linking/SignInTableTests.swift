import AuthCore
import AuthTesting
import Testing
import TestSupport

/// The table of sign-ins with an identity provider whose address an account already has.
@Suite struct `The table of signing in` {
  /// The outcome in the table for a new subject.
  enum Outcome: Sendable {
    case links
    case takesOver(keeping: [ProviderID])
    case needsConfirmation
    case opensAnother
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let behavior: Behavior
    var duplicatesAllowed = false
    /// True if an admin trusts the provider.
    var isTrusted = true
    /// True if the provider claims to have verified the address.
    let claimsVerified: Bool
    /// True if the existing account has verified the address.
    let accountIsVerified: Bool
    let outcome: Outcome

    var testDescription: String {
      """
      \(behavior.rawValue), duplicates \(duplicatesAllowed), trusted \(isTrusted), \
      claimed \(claimsVerified), account verified \(accountIsVerified)
      """
    }

    static let all = [
      Row(behavior: .emulator, claimsVerified: true, accountIsVerified: true, outcome: .links),
      Row(
        behavior: .emulator, isTrusted: false, claimsVerified: true, accountIsVerified: true,
        outcome: .links),
      Row(
        behavior: .emulator, isTrusted: false, claimsVerified: true, accountIsVerified: false,
        outcome: .takesOver(keeping: [TestHome.fake, TestHome.other])),
      Row(
        behavior: .emulator, claimsVerified: false, accountIsVerified: true,
        outcome: .needsConfirmation),
      Row(
        behavior: .emulator, claimsVerified: false, accountIsVerified: false,
        outcome: .needsConfirmation),
      Row(
        behavior: .emulator, duplicatesAllowed: true, claimsVerified: true,
        accountIsVerified: true, outcome: .opensAnother),
      Row(
        behavior: .emulator, duplicatesAllowed: true, claimsVerified: false,
        accountIsVerified: false, outcome: .opensAnother),
      Row(behavior: .production, claimsVerified: true, accountIsVerified: true, outcome: .links),
      Row(
        behavior: .production, claimsVerified: true, accountIsVerified: false,
        outcome: .takesOver(keeping: [TestHome.other])),
      Row(
        behavior: .production, claimsVerified: false, accountIsVerified: true,
        outcome: .needsConfirmation),
      Row(
        behavior: .production, isTrusted: false, claimsVerified: true, accountIsVerified: true,
        outcome: .needsConfirmation),
      Row(
        behavior: .production, isTrusted: false, claimsVerified: true, accountIsVerified: false,
        outcome: .needsConfirmation),
      Row(
        behavior: .production, duplicatesAllowed: true, claimsVerified: true,
        accountIsVerified: true, outcome: .opensAnother),
    ]
  }

  @Test(arguments: Row.all)
  func `a new subject meets an account with its address`(_ row: Row) async throws {
    let home = row.behavior.home
    _ = try await home.graph.changeSettings(by: home.admin) { settings in
      settings.oneAccountPerEmail = !row.duplicatesAllowed
      if row.isTrusted { settings.trust[TestHome.other] = .always }
    }
    let before = try await home.bring("ada") { try fill(&$0, verified: row.accountIsVerified) }
    let credential = try home.vendor(
      "9", email: "ADA@example.com", verified: row.claimsVerified, name: "New")

    switch row.outcome {
    case .needsConfirmation:
      await expectError(.accountExistsWithDifferentCredential) {
        try await home.signIn(credential)
      }
      #expect(try await home.everything() == [before])
    case .opensAnother:
      let result = try await home.signIn(credential)
      #expect(result.isNewUser && result.account.id != before.id)
      #expect(result.account.email == nil && !result.account.emailVerified)
      #expect(result.account.identities.first?.profile.email == "ADA@example.com")
      #expect(try await home.account(before.id) == before)
    case .links:
      let account = try await entered(home, credential, before)
      if row.behavior == .emulator {
        expectNewProfile(account)
      } else {
        // The owner's values stay, and empty fields are filled.
        #expect(account.displayName == before.displayName && account.photoURL == before.photoURL)
        #expect(account.details.screenName == before.details.screenName)
        #expect(account.details.language == "en")
      }
      #expect(account.identities.map(\.key) == before.identities.map(\.key) + [key("9")])
      #expect(account.phoneNumber == before.phoneNumber)
      #expect(account.validSince == before.validSince)
    case .takesOver(let kept):
      let account = try await entered(home, credential, before)
      expectNewProfile(account)
      #expect(account.identities.map(\.provider) == kept)
      #expect(account.phoneNumber == nil)
      #expect(account.validSince == home.clock.now)
    }
  }

  private func entered(
    _ home: TestHome, _ credential: Credential, _ before: Account
  ) async throws -> Account {
    let result = try await home.signIn(credential)
    let account = try await home.account(before.id)
    #expect(result.account == account && !result.isNewUser && result.replaced.isEmpty)
    #expect(account.email == before.email && account.emailVerified)
    return account
  }

  private func expectNewProfile(_ account: Account) {
    #expect(account.displayName == "New" && account.photoURL == nil)
    #expect(account.details.screenName == "@New" && account.details.language == "en")
    #expect(account.details.dateOfBirth == "1815-12-10")
  }

  @Test(arguments: Behavior.allCases)
  func `F11: a field that the provider leaves out is cleared by the emulator alone`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    try await home.trust(TestHome.other)
    let before = try await home.bring("ada") { try fill(&$0, verified: true) }

    let account = try await home.signIn(
      home.vendor("9", email: "ada@example.com", verified: true)
    ).account

    #expect(account.id == before.id)
    if behavior == .emulator {
      #expect(account.displayName == nil && account.photoURL == nil)
      #expect(account.details.screenName == nil)
    } else {
      #expect(account.displayName == before.displayName && account.photoURL == before.photoURL)
      #expect(account.details.screenName == before.details.screenName)
    }
  }

  @Test(arguments: Behavior.allCases)
  func `an owner enters, and the account's own profile stays`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let first = try await home.signIn(
      home.vendor("9", email: "ada@example.com", verified: true, name: "Ada"))
    try await home.update(first.account.id) { $0.displayName = .set("Chosen") }

    let again = try await home.signIn(
      home.vendor("9", email: "new@example.com", verified: true, name: "Countess"))

    #expect(again.account.id == first.account.id && !again.isNewUser)
    #expect(again.account.displayName == "Chosen")
    #expect(again.account.email?.text == "ada@example.com")
    #expect(again.account.details.screenName == "@Ada")
    #expect(again.account.identities.first?.profile.displayName == "Countess")
  }

  @Test(arguments: Behavior.allCases, [true, false])
  func `a free address opens an account with everything the provider says`(
    _ behavior: Behavior, _ claimsVerified: Bool
  ) async throws {
    let home = behavior.home

    let result = try await home.signIn(
      home.vendor("9", email: "Ada@example.com", verified: claimsVerified, name: "Ada"))

    #expect(result.isNewUser)
    #expect(result.account.email?.text == "Ada@example.com")
    // The emulator trusts every provider.
    #expect(result.account.emailVerified == (behavior == .emulator && claimsVerified))
    #expect(result.account.displayName == "Ada")
    #expect(result.account.details.screenName == "@Ada")
    #expect(result.account.details.language == "en")
    #expect(result.account.details.dateOfBirth == "1815-12-10")
  }

  @Test(arguments: [true, false])
  func `in the emulator another subject of the provider takes the first one's place`(
    _ accountIsVerified: Bool
  ) async throws {
    let home = Behavior.emulator.home
    let before = try await home.bring("ada") { account in
      try fill(&account, verified: accountIsVerified)
      account.identities.insert(identity(key("1")), at: 0)
    }

    let result = try await home.signIn(
      home.vendor("9", email: "ada@example.com", verified: true, name: "New"))

    #expect(result.account.id == before.id)
    #expect(result.replaced == [key("1")])
    #expect(result.account.identities.first?.key == key("9"))
    #expect(result.account.identities(of: TestHome.other).count == 1)
    let stranger = try await home.signIn(home.vendor("1", email: nil))
    #expect(stranger.isNewUser)
  }

  @Test func `in production another subject of the provider is another person`() async throws {
    let home = Behavior.production.home
    try await home.trust(TestHome.other)
    let before = try await home.bring("ada") { account in
      try fill(&account, verified: true)
      account.identities.append(identity(key("1")))
    }

    await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(home.vendor("9", email: "ada@example.com", verified: true))
    }
    #expect(try await home.everything() == [before])
  }

  @Test(arguments: Behavior.allCases)
  func `an e-mail link enters the account with its address`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let before = try await home.bring("ada") { try fill(&$0, verified: false) }

    let account = try await home.signIn(home.emailLink("ada@example.com")).account

    #expect(account.id == before.id && account.emailVerified)
    // Production removes the profile of the account's earlier owner.
    #expect(account.displayName == (behavior == .emulator ? before.displayName : nil))
    let kept = behavior == .emulator ? before.identities.map(\.provider) : []
    #expect(account.identities.map(\.provider) == kept + [.emailLink])
  }

  @Test(arguments: Behavior.allCases)
  func `a first e-mail link has its address also if duplicates are allowed`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }

    let account = try await home.signIn(home.emailLink("ada@example.com")).account

    #expect(account.email?.text == "ada@example.com" && account.emailVerified)
  }

  private func key(_ subject: String) -> IdentityKey {
    IdentityKey(TestHome.other, subject: subject)
  }

  private func identity(_ key: IdentityKey) -> Identity {
    Identity(key: key, origin: .credential, linkedAt: Timestamp(milliseconds: 0))
  }

  /// Adds a password, a number and another vendor's identity.
  private func fill(_ account: inout Account, verified: Bool) throws {
    account.email = try EmailAddress("ada@example.com")
    account.emailVerified = verified
    account.displayName = "Old"
    account.photoURL = "https://old.example/"
    account.details.screenName = "@old"
    account.phoneNumber = try PhoneNumber("+15555550123")
    var password = identity(.password(try EmailAddress("ada@example.com")))
    password.secret = StoredSecret(encoded: "x", changedAt: Timestamp(milliseconds: 0))
    account.identities = [
      password, identity(.phone(try PhoneNumber("+15555550123"))),
      identity(IdentityKey(TestHome.fake, subject: "1")),
    ]
  }
}
