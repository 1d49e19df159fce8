import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `A credential that belongs to another account` {
  @Test(arguments: Way.withIdentity)
  func `is refused for linking, changes neither account, and still signs its owner in`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      let owner = try await home.opened(way, for: .ada)
      let other = try await home.opened(.anonymous, for: .bo)
      home.clock.advance(seconds: 60)
      let credential = try await home.credential(way, for: .ada)

      let isAddress = [.password, .emailLink].contains(way.provider)
      let error = await expectError(isAddress ? .emailAlreadyInUse : .credentialAlreadyInUse) {
        try await home.graph.link(credential, to: other.id, by: home.session(other.id))
      }

      #expect(error?.step == .decision)
      #expect(error?.description.contains(owner.id.rawValue) == false)
      #expect(try await home.account(owner.id) == owner)
      #expect(try await home.account(other.id) == other)
      // The refused attempt used nothing up here; the vendor has spent the code, and issues a new one.
      let again =
        way.isSpentAtVendor ? try await home.credential(way, for: .ada) : credential
      #expect(try await home.signIn(again).account.id == owner.id)
    }
  }

  @Test(arguments: Way.withIdentity)
  func `attack 27: a link by another account's session changes no account`(_ way: Way) async throws
  {
    try await withProviders { home in
      let victim = try await home.opened(.anonymous, for: .ada)
      let attacker = try await home.opened(.anonymous, for: .bo)

      for caller in [home.session(attacker.id), home.anyone] {
        let credential = try await home.credential(way, for: .bo)
        await expectError(.operationNotAllowed) {
          try await home.graph.link(credential, to: victim.id, by: caller)
        }
      }

      #expect(try await home.account(victim.id) == victim)
      #expect(try await home.account(attacker.id) == attacker)
    }
  }
}

@Suite(.serialized) struct `A credential that was used` {
  @Test(arguments: Way.allCases.filter { $0.secondUse != nil })
  func `attack 18: is refused the second time, for signing in and for linking`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      let credential = try await home.credential(way, for: .ada)
      let owner = try await home.account(try await home.signIn(credential).account.id)
      let other = try await home.opened(.anonymous, for: .bo)
      let code = try #require(way.secondUse)

      let signIn = await expectError(code) { try await home.signIn(credential) }
      let link = await expectError(code) {
        try await home.graph.link(credential, to: other.id, by: home.session(other.id))
      }

      #expect(signIn?.step != nil)
      #expect(link?.step != nil)
      #expect(try await home.account(owner.id) == owner)
      #expect(try await home.account(other.id) == other)
    }
  }

  @Test(arguments: Way.allCases.filter { $0.secondUse == nil && $0 != .anonymous })
  func `is good again if it lasts: access tokens, passwords and custom tokens`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      let owner = try await home.opened(way, for: .ada)
      let credential = try await home.credential(way, for: .ada)

      for _ in 1...2 { #expect(try await home.signIn(credential).account.id == owner.id) }
    }
  }

  @Test(arguments: Way.allCases.filter { $0.secondUse != nil })
  func `attack 18: succeeds once in twenty uses at once`(_ way: Way) async throws {
    try await withProviders { home in
      let credential = try await home.credential(way, for: .ada)

      let successes = await withTaskGroup(of: Bool.self) { group in
        for _ in 1...20 {
          group.addTask { (try? await home.signIn(credential)) != nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      // An access token that comes with the code ends if the vendor sees the code again.
      #expect(successes == 1 || (way.restsOnAccessToken && successes == 0))
      #expect(try await home.accountCount() == successes)
    }
  }

  @Test(arguments: Vendor.withIDTokens)
  func `attack 18: lends its nonce to no other token`(_ vendor: Vendor) async throws {
    try await withProviders { home in
      let nonce = "the-nonce-of-one-sign-in"
      let first = try home.idTokenCredential(vendor.tokenWay, .ada, nonce: nonce)
      home.clock.advance(seconds: 5)
      let second = try home.idTokenCredential(vendor.tokenWay, .ada, nonce: nonce)
      _ = try await home.signIn(first)

      let error = await expectError(.invalidCredential) { try await home.signIn(second) }

      #expect(error?.step == .token)
    }
  }

  @Test(arguments: Vendor.withIDTokens)
  func `attack 18: is refused until it expires, and then for that`(_ vendor: Vendor) async throws {
    try await withProviders { home in
      let credential = try home.idTokenCredential(vendor.tokenWay, .ada)
      _ = try await home.signIn(credential)

      // Later operations delete expired marks; none may go while its token is still valid.
      for _ in 1...64 {
        home.clock.advance(seconds: 58)
        _ = try await home.open(.phone, for: .named("passer-by-\(home.next())"))
        await expectError(.invalidCredential) { try await home.signIn(credential) }
      }
    }
  }
}
