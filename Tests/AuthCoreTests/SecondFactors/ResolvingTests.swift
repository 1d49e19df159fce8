import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@Suite struct `Resolving a second factor` {
  let home = TestHome()

  @Test func `a code of the app completes the sign-in`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id, name: "App")
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    #expect(resolver.hints == [factor])
    let result = try await home.graph.resolve(
      resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
    #expect(result.account.id == ada.id)
    #expect(result.session?.secondFactor == SessionGrant.Factor(kind: "totp", id: factor.id))
    #expect(result.session?.path == .secondFactor)
    let event = try await home.graph.event(result.receipt.id, in: home.scope)
    #expect(event.trace.steps.contains { $0.rule == "second factor" && $0.result == "shown" })
  }

  @Test func `one of several factors is chosen by its hint`() async throws {
    let ada = try await home.person("ada")
    let (_, _) = try await home.enrollTOTP(ada.id)
    let phone = try await home.enrollPhone(ada.id, "+15555550123")
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    #expect(resolver.hints.map(\.factorID) == ["totp", "phone"])
    #expect(resolver.hints.last?.phoneNumber == "+*******0123")
    home.messages.removeAll()
    let challenge = try await home.graph.challenge(phone.id, of: resolver, by: home.anyone)
    let message = try home.messages.last().unwrapped("message")
    #expect(message.kind == .secondFactor && message.recipient == "+15555550123")
    let result = try await home.graph.resolve(
      resolver,
      with: .phone(
        verificationID: challenge.verificationID.unwrapped("ID"), code: message.proof),
      by: home.anyone)
    #expect(result.account.id == ada.id)
  }

  @Test func `a code is good once, within its drift, and never again`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    func attempt(_ code: Secret<String>) async throws -> SignInResult {
      let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
      return try await home.graph.resolve(
        resolver, with: .totp(factorID: factor.id, code: code), by: home.anyone)
    }
    await expectError(.invalidVerificationCode) { try await attempt(home.code(secret, after: -90)) }
    await expectError(.invalidVerificationCode) { try await attempt(home.code(secret, after: 90)) }
    let early = try home.code(secret, after: -30)
    _ = try await attempt(early)
    await expectError(.invalidVerificationCode) { try await attempt(early) }
    _ = try await attempt(home.code(secret))
    _ = try await attempt(home.code(secret, after: 30))
    await expectError(.invalidVerificationCode) { try await attempt(home.code(secret)) }
  }

  @Test func `one code shown twice at once is taken once`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    let code = try home.code(secret)
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let result = try? await home.graph.resolve(
            resolver, with: .totp(factorID: factor.id, code: code), by: home.anyone)
          return result != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(outcomes == 1)
  }

  @Test func `ten wrong codes in an hour are the limit, also over several sign-ins`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let right = try home.code(secret).reveal()
    let wrong = Secret(right == "000000" ? "000001" : "000000")
    for _ in 0..<10 {
      let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
      await expectError(.invalidVerificationCode) {
        try await home.graph.resolve(
          resolver, with: .totp(factorID: factor.id, code: wrong), by: home.anyone)
      }
    }
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    await expectError(.tooManyRequests) {
      try await home.graph.resolve(
        resolver, with: .totp(factorID: factor.id, code: Secret(right)), by: home.anyone)
    }
    home.clock.advance(seconds: 3600)
    let later = try await home.resolver { try await home.signIn(home.credential("ada")) }
    _ = try await home.graph.resolve(
      later, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
  }

  @Test func `a resolver is of no use after its time, its use, or the end of the sessions`()
    async throws
  {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    func resolve(_ resolver: SecondFactorResolver) async throws -> SignInResult {
      try await home.graph.resolve(
        resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
    }
    let late = try await home.resolver { try await home.signIn(home.credential("ada")) }
    home.clock.advance(seconds: 601)
    await expectError(.invalidMultiFactorSession) { try await resolve(late) }
    let used = try await home.resolver { try await home.signIn(home.credential("ada")) }
    _ = try await resolve(used)
    home.clock.advance(seconds: 60)
    await expectError(.invalidMultiFactorSession) { try await resolve(used) }
    let cut = try await home.resolver { try await home.signIn(home.credential("ada")) }
    _ = try await home.graph.revokeSessions(of: ada.id, by: home.admin)
    await expectError(.invalidMultiFactorSession) { try await resolve(cut) }
    let made = SecondFactorResolver(session: "made up", hints: [], expiresAt: home.clock.now)
    await expectError(.invalidMultiFactorSession) { try await resolve(made) }
  }

  @Test func `a factor of another account opens nothing`() async throws {
    let ada = try await home.person("ada")
    let mallory = try await home.person("mallory")
    _ = try await home.enrollTOTP(ada.id)
    let (own, secret) = try await home.enrollTOTP(mallory.id)
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    await expectError(.multiFactorInfoNotFound) {
      try await home.graph.resolve(
        resolver, with: .totp(factorID: own.id, code: home.code(secret)), by: home.anyone)
    }
    await expectError(.multiFactorInfoNotFound) {
      try await home.graph.challenge(own.id, of: resolver, by: home.anyone)
    }
  }

  @Test func `a code that was sent for one sign-in is of no use for another`() async throws {
    let ada = try await home.person("ada")
    let phone = try await home.enrollPhone(ada.id, "+15555550123")
    let first = try await home.resolver { try await home.signIn(home.credential("ada")) }
    let second = try await home.resolver { try await home.signIn(home.credential("ada")) }
    let challenge = try await home.graph.challenge(phone.id, of: first, by: home.anyone)
    await expectError(.invalidVerificationID) {
      try await home.graph.resolve(
        second,
        with: .phone(
          verificationID: challenge.verificationID.unwrapped("ID"),
          code: home.sentCode("+15555550123")), by: home.anyone)
    }
  }

  @Test func `a disabled account stays shut after the challenge`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    _ = try await home.graph.setDisabled(true, ada.id, by: home.admin)
    await expectError(.invalidMultiFactorSession) {
      try await home.graph.resolve(
        resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
    }
  }

  @Test func `a pending link completes after the challenge, in its own session`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let session = home.session(ada.id)
    let resolver = try await home.resolver {
      try await home.graph.link(
        home.credential("new", provider: TestHome.other), to: ada.id, by: session)
    }
    #expect(try await home.account(ada.id).identities.count == 1)
    let mallory = try await home.person("mallory")
    for stranger in [home.anyone, home.session(mallory.id)] {
      await expectError(.invalidMultiFactorSession) {
        try await home.graph.resolve(
          resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: stranger)
      }
    }
    let result = try await home.graph.resolve(
      resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: session)
    #expect(result.account.id == ada.id)
    #expect(result.receipt.action == .link)
    #expect(result.account.identities.map(\.key.subject) == ["ada", "new"])
  }

  @Test func `a resolver as JSON is as good as new`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    let data = try JSONEncoder().encode(resolver)
    let read = try JSONDecoder().decode(SecondFactorResolver.self, from: data)
    #expect(read == resolver)
    _ = try await home.graph.resolve(
      read, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
    #expect(!"\(resolver)".contains(resolver.session))
  }

  @Test func `a rehearsed sign-in keeps nothing open`() async throws {
    let ada = try await home.person("ada")
    _ = try await home.enrollTOTP(ada.id)
    var caller = home.admin
    caller.dryRun = true
    let error = await expectError(.secondFactorRequired) {
      try await home.graph.signIn(home.credential("ada"), by: caller)
    }
    #expect(error?.resolver == nil)
  }
}
