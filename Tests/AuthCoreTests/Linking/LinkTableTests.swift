import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

/// The tables of linking and unlinking, in both behaviours.
@Suite struct `The tables of linking` {
  @Test(arguments: Behavior.allCases)
  func `a subject of another account is in use`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.vendor("9", email: nil))

    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(
        home.vendor("9", email: nil), to: ada.id, by: home.session(ada.id))
    }
  }

  @Test(arguments: Behavior.allCases)
  func `a subject of the same account is linked already`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account

    if behavior == .emulator {
      await expectError(.credentialAlreadyInUse) {
        try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))
      }
    } else {
      _ = try await home.graph.link(
        home.credential("1"), to: ada.id, by: home.session(ada.id))
    }
    #expect(try await home.account(ada.id) == ada)
  }

  @Test(arguments: Behavior.allCases)
  func `another account's address is not linked, unless duplicates are allowed`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    _ = try await home.bring("bo") { $0.email = try EmailAddress("bo@example.com") }
    let credential = try home.vendor("9", email: "bo@example.com", verified: true)

    await expectError(.emailAlreadyInUse) {
      try await home.graph.link(credential, to: ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
    _ = try await home.graph.link(credential, to: ada.id, by: home.session(ada.id))

    let linked = try await home.account(ada.id)
    #expect(linked.identities.count == 2 && linked.email == nil)
  }

  @Test(arguments: Behavior.allCases)
  func `another subject of a linked provider`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    _ = try await home.graph.link(
      home.vendor("9", email: nil), to: ada.id, by: home.session(ada.id))

    if behavior == .production {
      await expectError(.providerAlreadyLinked) {
        try await home.graph.link(home.credential("2"), to: ada.id, by: home.session(ada.id))
      }
      return
    }
    _ = try await home.graph.link(home.credential("2"), to: ada.id, by: home.session(ada.id))
    #expect(
      try await home.account(ada.id).identities.map(\.key.description) == [
        "fake.example/2", "other.example/9",
      ])
  }

  @Test(arguments: Behavior.allCases, [true, false])
  func `an account without an address gets the linked one, and no profile`(
    _ behavior: Behavior, _ claimsVerified: Bool
  ) async throws {
    let home = behavior.home
    let anonymous = try home.graph.providers.credential(.anonymous, [:])
    let guest = try await home.signIn(anonymous).account

    _ = try await home.graph.link(
      home.vendor("9", email: "ada@example.com", verified: claimsVerified, name: "Ada"),
      to: guest.id, by: home.session(guest.id))

    let ada = try await home.account(guest.id)
    #expect(ada.email?.text == "ada@example.com" && !ada.isAnonymous)
    #expect(ada.emailVerified == (behavior == .emulator && claimsVerified))
    #expect(ada.displayName == nil && ada.details.screenName == nil)
  }

  @Test(arguments: Behavior.allCases)
  func `a verified word on the own address verifies it, another address changes nothing`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    try await home.trust(TestHome.fake)
    try await home.trust(TestHome.other)
    let ada = try await home.bring("ada") { $0.email = try EmailAddress("ada@example.com") }

    _ = try await home.graph.link(
      home.vendor("9", email: "else@example.com", verified: true), to: ada.id,
      by: home.session(ada.id))
    #expect(try await home.account(ada.id).email == ada.email)
    #expect(try await !home.account(ada.id).emailVerified)
    _ = try await home.graph.link(
      home.credential("1", email: "ada@example.com", verified: "true"), to: ada.id,
      by: home.session(ada.id))

    #expect(try await home.account(ada.id).emailVerified)
  }

  @Test(arguments: Behavior.allCases)
  func `a password for the own address`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1", email: "ada@example.com")).account
    let password = try home.password("ada@example.com", "secret-1")

    if behavior == .emulator {
      await expectError(.emailAlreadyInUse) {
        try await home.graph.link(password, to: ada.id, by: home.session(ada.id))
      }
      return
    }
    _ = try await home.graph.link(password, to: ada.id, by: home.session(ada.id))
    #expect(try await home.signIn(password).account.id == ada.id)
  }

  @Test(arguments: Behavior.allCases)
  func `a password for a new address, and a second one`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    let first = try home.password("ada@example.com", "secret-1")
    _ = try await home.graph.link(first, to: ada.id, by: home.session(ada.id))
    let linked = try await home.account(ada.id)
    #expect(linked.email?.text == "ada@example.com" && !linked.emailVerified)
    #expect(linked.validSince == home.clock.now)

    let second = try home.password("new@example.com", "secret-2")
    if behavior == .production {
      await expectError(.providerAlreadyLinked) {
        try await home.graph.link(second, to: ada.id, by: home.session(ada.id))
      }
      return
    }
    _ = try await home.graph.link(second, to: ada.id, by: home.session(ada.id))
    let moved = try await home.account(ada.id)
    #expect(moved.email?.text == "new@example.com" && !moved.emailVerified)
    #expect(moved.identities(of: .password).count == 1)
    await expectError(.invalidCredential) { try await home.signIn(first) }
    #expect(try await home.signIn(second).account.id == ada.id)
  }

  @Test(arguments: Behavior.allCases)
  func `an e-mail link that is linked brings its address, verified`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    let ada = try await home.bring("ada") { account in
      account.email = try EmailAddress("old@example.com")
      account.identities = [
        Identity(
          key: IdentityKey(TestHome.fake, subject: "1"), origin: .credential,
          linkedAt: account.createdAt)
      ]
    }
    _ = try await home.bring("bo") { account in
      account.email = try EmailAddress("bo@example.com")
      account.identities = [
        Identity(
          key: IdentityKey(.emailLink, subject: "bo@example.com"), origin: .credential,
          linkedAt: account.createdAt)
      ]
    }

    await expectError(.emailAlreadyInUse) {
      try await home.graph.link(
        home.emailLink("bo@example.com", for: ada.id), to: ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.link(
      home.emailLink("new@example.com", for: ada.id), to: ada.id, by: home.session(ada.id))

    let moved = try await home.account(ada.id)
    #expect(moved.email?.text == "new@example.com" && moved.emailVerified)
    #expect(moved.details.initialEmail?.text == "old@example.com")
  }

  @Test(arguments: Behavior.allCases)
  func `a number takes the place of the one before, unless an admin links it`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    for number in ["+15555550100", "+15555550101"] {
      _ = try await home.graph.link(
        home.phone(number), to: ada.id, by: home.session(ada.id))
      let linked = try await home.account(ada.id)
      #expect(linked.phoneNumber?.text == number)
      #expect(linked.identities(of: .phone).map(\.key.subject) == [number])
    }
    if behavior == .production {
      let third = try await home.phone("+15555550102")
      await expectError(.providerAlreadyLinked) {
        try await home.graph.link(third, to: ada.id, by: home.admin)
      }
    }
    let freed = try await home.signIn(home.phone("+15555550100"))
    #expect(freed.isNewUser)
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(
        home.phone("+15555550100"), to: ada.id, by: home.session(ada.id))
    }
  }

  @Test(arguments: Behavior.allCases)
  func `an identity that an admin asserts and another account has`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    let bo = try await home.signIn(home.vendor("9", email: nil)).account
    let key = IdentityKey(TestHome.other, subject: "9")

    if behavior == .production {
      await expectError(.credentialAlreadyInUse) {
        try await home.graph.assert(
          key, profile: IdentityProfile(), on: ada.id, by: home.admin)
      }
      return
    }
    for name in ["Ada", "Countess"] {
      _ = try await home.graph.assert(
        key, profile: IdentityProfile(displayName: name), on: ada.id, by: home.admin)
      #expect(try await home.account(bo.id).identities.isEmpty)
      let linked = try await home.account(ada.id).identity(key)
      #expect(linked?.profile.displayName == name && linked?.origin == .assertion)
    }
    #expect(try await home.signIn(home.vendor("9", email: nil)).account.id == ada.id)
  }

  @Test(arguments: Behavior.allCases)
  func `an account has any number of passkeys, and each is a way in`(
    _ behavior: Behavior
  ) async throws {
    let home = TestHome(more: [FakeProvider(id: .passkey)], behavior: behavior.linking)
    let ada = try await home.signIn(home.credential("1")).account
    for id in ["key-1", "key-2"] {
      _ = try await home.graph.assert(
        IdentityKey(.passkey, subject: id), profile: IdentityProfile(displayName: "Laptop"),
        on: ada.id, by: home.admin)
    }
    let bo = try await home.signIn(home.credential("2")).account
    for account in [ada, bo] {
      let code: AuthError.Code =
        account == ada && behavior == .production
        ? .providerAlreadyLinked : .credentialAlreadyInUse
      await expectError(code) {
        try await home.graph.assert(
          IdentityKey(.passkey, subject: "key-1"), profile: IdentityProfile(), on: account.id,
          by: home.admin)
      }
    }

    _ = try await home.graph.unlink(TestHome.fake, from: ada.id, by: home.session(ada.id))
    _ = try await home.graph.unlink(
      .passkey, subject: "key-1", from: ada.id, by: home.session(ada.id))

    #expect(try await home.account(ada.id).identities.map(\.key.subject) == ["key-2"])
  }

  @Test(arguments: Behavior.allCases)
  func `unlinking a vendor or a number takes that and nothing else`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    let ada = try await home.signIn(
      home.vendor("9", email: "ada@example.com", name: "Ada")
    ).account
    _ = try await home.graph.link(
      home.phone("+15555550100"), to: ada.id, by: home.session(ada.id))
    _ = try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))

    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: home.session(ada.id))
    _ = try await home.graph.unlink(.phone, from: ada.id, by: home.session(ada.id))

    let left = try await home.account(ada.id)
    #expect(left.email == ada.email && left.displayName == "Ada" && left.phoneNumber == nil)
    #expect(left.identities.map(\.provider) == [TestHome.fake])
    #expect(left.validSince == ada.validSince)
  }

  @Test(arguments: Behavior.allCases)
  func `unlinking a password keeps its address in production only`(
    _ behavior: Behavior
  ) async throws {
    let home = behavior.home
    let ada = try await home.graph.signUp(
      home.password("ada@example.com", "secret-1"), by: home.anyone
    ).account
    _ = try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))

    _ = try await home.graph.unlink(.password, from: ada.id, by: home.session(ada.id))

    let left = try await home.account(ada.id)
    #expect(left.identities.map(\.provider) == [TestHome.fake])
    #expect(left.email == (behavior == .production ? ada.email : nil))
  }

  @Test(arguments: Behavior.allCases)
  func `an identity that is not linked, and the last way in`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    let session = home.session(ada.id)

    if behavior == .production {
      await expectError(.noSuchProvider) {
        try await home.graph.unlink(TestHome.other, from: ada.id, by: session)
      }
      await expectError(.lastSignInMethod) {
        try await home.graph.unlink(TestHome.fake, from: ada.id, by: session)
      }
      return
    }
    _ = try await home.graph.unlink(TestHome.other, from: ada.id, by: session)
    #expect(try await home.account(ada.id).identities == ada.identities)
    _ = try await home.graph.unlink(TestHome.fake, from: ada.id, by: session)
    let left = try await home.account(ada.id)
    #expect(left.identities.isEmpty && !left.isAnonymous)
  }

  @Test(arguments: Behavior.allCases)
  func `a sensitive change with an old session`(_ behavior: Behavior) async throws {
    let home = behavior.home
    let ada = try await home.signIn(home.credential("1")).account
    let old = home.session(ada.id)
    home.clock.advance(seconds: 3600)
    let link = { try await home.graph.link(home.vendor("9", email: nil), to: ada.id, by: old) }

    if behavior == .emulator {
      _ = try await link()
    } else {
      await expectError(.requiresRecentLogin) { try await link() }
    }
  }
}
