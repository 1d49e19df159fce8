import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `Every way to sign in` {
  @Test func `the list names every credential of every provider`() async throws {
    try await withProviders { home in
      let providers = home.graph.providers
      var built: Set<String> = []
      for id in providers.ids + providers.prefixes.map({ ProviderID("\($0)staff") }) {
        for builder in try providers.provider(id).manifest.builders {
          built.insert("\(id) \(builder.name)")
        }
      }

      // A temporary proof comes from a phone's code, which is the way.
      built.remove("phone temporaryProof")
      #expect(Set(Way.allCases.map(\.rawValue)) == built)
    }
  }

  @Test(arguments: Way.allCases)
  func `a first sign-in opens an account with the provider's claims`(_ way: Way) async throws {
    try await withProviders { home in
      let result = try await home.open(way, for: .ada)
      let account = try await home.account(result.account.id)

      #expect(result.isNewUser)
      #expect(result.account.identities == account.identities)
      #expect(result.session?.account == account.id)
      #expect(result.session?.provider == way.provider)
      #expect(result.session?.secondFactor == nil)
      #expect(account.identities.map(\.key) == [try way.key(of: .ada)].compactMap(\.self))
      #expect(account.isAnonymous == (way == .anonymous))
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test(arguments: Way.withIdentity)
  func `a new account has the profile and the address that came with it`(_ way: Way) async throws {
    try await withProviders { home in
      let account = try await home.opened(way, for: .ada)
      let identity = try #require(account.identities.first)

      let hasNoAddress = way == .phone || way.isPlayer
      #expect(account.email?.text == (hasNoAddress ? nil : FakePerson.ada.email))
      // Google has no authority over example.com, Facebook verifies no address, and oidc.staff is not trusted.
      #expect(account.emailVerified == [.appleIDToken, .appleCode, .emailLink].contains(way))
      #expect(identity.emailVerified == way.vouchesForEmail)
      let tells = way.vendor.map { $0 != .apple } ?? (way == .playGamesCode)
      // Apple gives a browser the name, beside the code and once.
      let isNamed = tells || way == .appleCode
      #expect(account.displayName == (isNamed ? FakePerson.ada.name : nil))
      #expect(account.photoURL == (tells ? FakePerson.ada.picture : nil))
      #expect(account.phoneNumber == (way == .phone ? try FakePerson.ada.phoneNumber : nil))
    }
  }

  @Test func `a very long name, or one with control characters, is cut`() async throws {
    try await withProviders { home in
      let endless = String(repeating: "x", count: 100_000)
      let token = try home.vendors.apple.idToken(for: .ada, nonce: "raw-nonce")
      var odd = FakePerson.bo
      odd.name = "Bo\u{0}\u{1B}[2J Diddley\n"
      odd.picture = "javascript:alert(1)"

      let long = try await home.signIn(
        try home.make(
          .appleIDToken, ["idToken": token, "nonce": "raw-nonce", "fullName": endless])
      ).account
      let cleaned = try await home.opened(.googleIDToken, for: odd)
      home.clock.advance(seconds: 60)
      let again = try await home.signIn(try await home.credential(.googleIDToken, for: odd)).account

      #expect(long.displayName?.count == 256)
      #expect(long.identities.first?.profile.displayName?.count == 256)
      for account in [cleaned, again] {
        #expect(account.displayName == "Bo[2J Diddley")
        #expect(account.photoURL == nil)
        #expect(account.identities.first?.profile.photoURL == nil)
      }
    }
  }

  @Test(arguments: Way.returning)
  func `a fresh credential leads to the same account`(_ way: Way) async throws {
    try await withProviders { home in
      let first = try await home.open(way, for: .ada)
      _ = try await home.open(way, for: .bo)
      home.clock.advance(seconds: 3600)

      let second = try await home.signIn(try await home.credential(way, for: .ada))

      #expect(second.account.id == first.account.id)
      #expect(!second.isNewUser)
      #expect(second.session?.path == .signIn)
      #expect(second.account.identities.map(\.key) == first.account.identities.map(\.key))
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: Way.withIdentity.filter { $0 != .password })
  func `eight first sign-ins at once open one account`(_ way: Way) async throws {
    try await withProviders { home in
      var credentials: [Credential] = []
      for _ in 1...8 { credentials.append(try await home.credential(way, for: .ada)) }

      let results = try await withThrowingTaskGroup(of: SignInResult.self) { group in
        for credential in credentials { group.addTask { try await home.signIn(credential) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      #expect(Set(results.map(\.account.id)).count == 1)
      #expect(results.count(where: \.isNewUser) == 1)
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test func `every anonymous sign-in opens an account of its own`() async throws {
    try await withProviders { home in
      let first = try await home.open(.anonymous, for: .ada)
      let second = try await home.open(.anonymous, for: .ada)

      #expect(first.account.id != second.account.id)
    }
  }

  @Test(arguments: Way.withIdentity)
  func `linking keeps the uid, and the new way leads there`(_ way: Way) async throws {
    try await withProviders { home in
      let guest = try await home.opened(.anonymous, for: .ada)

      let receipt = try await home.graph.link(
        try await home.credential(way, for: .ada), to: guest.id, by: home.session(guest.id))
      home.clock.advance(seconds: 60)
      let back = try await home.signIn(try await home.credential(way, for: .ada))

      #expect(receipt.action == .link)
      #expect(receipt.accountID == guest.id)
      #expect(back.account.id == guest.id)
      #expect(!back.account.isAnonymous)
      #expect(back.account.identities.map(\.key) == [try way.key(of: .ada)])
    }
  }

  @Test(arguments: Way.withIdentity)
  func `an unlinked way no longer leads to the account`(_ way: Way) async throws {
    try await withProviders { home in
      // A session accepts only the verified address as a password's.
      let first: Way =
        switch way {
        case .emailLink: .googleIDToken
        case .password: .facebookAccessToken
        default: .emailLink
        }
      let base = try await home.opened(first, for: .bo)
      _ = try await home.graph.link(
        try await home.credential(way, for: .ada), to: base.id, by: home.session(base.id))
      home.clock.advance(seconds: 60)

      let receipt = try await home.graph.unlink(
        way.provider, from: base.id, by: home.session(base.id))
      let fresh = try await home.credential(way, for: .ada)

      #expect(receipt.action == .unlink)
      let left = try await home.account(base.id)
      #expect(left.identities.map(\.key) == base.identities.map(\.key))
      if way == .password {
        await expectError(.invalidCredential) { try await home.signIn(fresh) }
      } else if way == .emailLink {
        // The address stays the account's own, because it is verified and was not removed.
        #expect(left.email?.text == FakePerson.ada.email)
        #expect(try await home.signIn(fresh).account.id == base.id)
      } else {
        let entered = try await home.signIn(fresh)
        #expect(entered.account.id != base.id)
        #expect(entered.isNewUser)
      }
    }
  }

  @Test(arguments: [Way.custom, .anonymous])
  func `a credential that proves no identity cannot be linked`(_ way: Way) async throws {
    try await withProviders { home in
      let account = try await home.opened(.emailLink, for: .bo)

      let error = await expectError(.operationNotAllowed) {
        try await home.graph.link(
          try await home.credential(way, for: .ada), to: account.id, by: home.session(account.id))
      }

      #expect(error?.step == .decision)
      #expect(try await home.account(account.id) == account)
      #expect(try await home.accountCount() == 1)
    }
  }

  @Test func `a custom token enters the account of its uid, and adds no identity`() async throws {
    try await withProviders { home in
      let first = try await home.open(.custom, for: .ada)
      _ = try await home.graph.link(
        try await home.credential(.googleIDToken, for: .ada), to: first.account.id,
        by: home.session(first.account.id))

      let second = try await home.open(.custom, for: .ada)

      #expect(first.account.id == FakePerson.ada.uid)
      #expect(second.account.id == first.account.id)
      #expect(second.account.identities.map(\.provider) == [.google])
    }
  }
}
