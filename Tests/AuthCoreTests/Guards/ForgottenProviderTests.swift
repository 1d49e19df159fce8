import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `A provider that is forgotten and set up anew` {
  let home = TestHome(more: [IssuerProvider()])

  private func person(_ subject: String, _ email: String? = nil) throws -> Credential {
    try home.credential(
      subject, email: email, verified: email == nil ? nil : "true", provider: TestHome.issuer)
  }

  @Test func `F20: another issuer does not get the name while people are linked with it`()
    async throws
  {
    try await home.setUp("https://a.example")
    let ada = try await home.signIn(person("s1")).account
    let refusal = await expectError(.operationNotAllowed) { try await home.forget(force: false) }
    #expect(refusal?.field == "force" && refusal?.message.contains("1 account") == true)
    try await home.forget()
    await expectError(.operationNotAllowed) { try await home.signIn(person("s1")) }
    let bound = await expectError(.operationNotAllowed) {
      try await home.setUp("https://b.example")
    }
    #expect(bound?.field == "issuer" && bound?.message.contains("1 account") == true)
    #expect(bound?.remedy?.contains("forget") != true)

    try await home.setUp("https://a.example")
    #expect(try await home.signIn(person("s1")).account.id == ada.id)
  }

  @Test func `F20: the issuer changes if no account is linked, and trust in the name ends`()
    async throws
  {
    try await home.setUp("https://a.example")
    try await home.trust(TestHome.issuer)
    try await home.setUp("https://b.example")
    #expect(try await home.graph.settings(of: home.scope).trust[TestHome.issuer] == .never)

    try await home.trust(TestHome.issuer)
    try await home.forget(force: false)
    #expect(try await home.graph.settings(of: home.scope).trust[TestHome.issuer] == .never)
    try await home.setUp("https://c.example")
    let victim = try await home.withPassword("victim@example.com")
    await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(person("thief", "victim@example.com"))
    }
    #expect(try await home.account(victim.id).identities.count == 1)
  }

  @Test func `F20: a name's own trust is that of a new project after it was forgotten`()
    async throws
  {
    _ = try await home.graph.changeSettings(by: home.admin) {
      $0.trust[.google] = .always
      $0.providers["google.com"] = ProviderConfiguration(values: ["clientIDs": ["x"]])
    }
    try await home.forget(.google)
    let now = try await home.graph.settings(of: home.scope)
    #expect(now.trust[.google] == ProjectSettings().trust[.google])
  }

  @Test func `F20: a pairwise client names subjects, and one of public subjects does not`()
    async throws
  {
    try await home.setUp("https://a.example", ["clientID": "one"])
    _ = try await home.signIn(person("s1"))
    let refusal = await expectError(.operationNotAllowed) {
      try await home.setUp("https://a.example", ["clientID": "two"])
    }
    #expect(refusal?.field == "clientID" && refusal?.remedy?.contains("subjectType") == true)
    await expectError(.operationNotAllowed) {
      try await home.setUp("https://a.example", ["clientID": .null])
    }
    try await home.setUp("https://a.example", ["clientID": "two", "subjectType": "public"])
    _ = try await home.signIn(person("s1"))
  }

  @Test func `F20: an undo brings no link of the former issuer to the new one's people`()
    async throws
  {
    try await home.setUp("https://a.example")
    let ada = try await home.signIn(person("s1")).account
    let bo = try await home.signIn(home.credential("bo")).account
    var rules = MergeRules()
    rules.droppedIdentities = [IdentityKey(TestHome.issuer, subject: "s1")]
    let plan = try await home.graph.planMerge(
      keep: bo.id, absorb: ada.id, rules: rules, in: home.scope)
    let merge = try await home.graph.commit(plan, by: home.admin)
    home.clock.advance(seconds: 60)
    try await home.forget(force: false)
    try await home.setUp("https://b.example")
    let refusal = await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge.id, by: home.admin)
    }
    #expect(refusal?.message.contains("issuer.example/s1") == true)
    _ = try await home.graph.undoMerge(merge.id, force: true, by: home.admin)

    #expect(try await home.account(ada.id).identities.isEmpty)
    #expect(try await home.signIn(person("s1")).isNewUser)
  }

  @Test func `attack 54: an undo of a split brings no link of the former issuer back`()
    async throws
  {
    try await home.setUp("https://a.example")
    let ada = try await home.signIn(person("s1")).account
    _ = try await home.graph.assert(
      IdentityKey(TestHome.fake, subject: "ada"), profile: IdentityProfile(), on: ada.id,
      by: home.admin)
    let key = IdentityKey(TestHome.issuer, subject: "s1")
    let rules = SplitRules(identities: [key], uid: AccountID("new"))
    let plan = try await home.graph.planSplit(ada.id, by: rules, in: home.scope)
    let split = try await home.graph.commit(plan, by: home.admin)
    _ = try await home.graph.unlink(
      TestHome.issuer, from: AccountID("new"), force: true, by: home.admin)
    home.clock.advance(seconds: 60)
    try await home.forget(force: false)
    try await home.setUp("https://b.example")
    let refusal = await expectError(.undoRefused) {
      try await home.graph.undoTransfer(split.id, by: home.admin)
    }
    #expect(refusal?.message.contains("issuer.example/s1") == true)

    _ = try await home.graph.undoTransfer(split.id, force: true, by: home.admin)

    #expect(try await !home.account(ada.id).owns(key))
    #expect(try await home.signIn(person("s1")).isNewUser)
  }

  @Test func `F20: people that are moved to a name whose issuer was corrected sign in`()
    async throws
  {
    try await home.setUp("https://typo.example")
    let ada = try await home.signIn(home.credential("s1")).account
    home.clock.advance(seconds: 60)
    try await home.setUp("https://a.example")
    let rekey = try await home.rekey(to: IdentitySource(TestHome.issuer))
    try await home.commit(rekey, ["s1": "s1"])
    #expect(try await home.signIn(person("s1")).account.id == ada.id)
  }

  @Test func `F15: a pending credential of a provider that is another one now does not link`()
    async throws
  {
    try await home.setUp("https://a.example")
    let ada = try await home.withPassword("ada@example.com")
    for isForgotten in [true, false] {
      let caller = home.session(ada.id)
      let credential = try person(isForgotten ? "s0" : "s1")
      let verified = try await home.graph.verify(credential, by: home.anyone)
      let token = try await home.graph.storePendingCredential(verified)
      if isForgotten {
        try await home.forget()
      } else {
        try await home.setUp("https://b.example")
      }
      let kept = try await home.graph.pendingCredential(token.reveal(), by: caller)
      await expectError(.operationNotAllowed) {
        try await home.graph.linkForSession(kept, to: ada.id, by: caller)
      }
      await expectError(.operationNotAllowed) {
        try await home.graph.signIn(kept, by: home.anyone)
      }
      if isForgotten { try await home.setUp("https://a.example") }
    }
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test func `F15: a pending credential outlives a new client secret`() async throws {
    try await home.setUp("https://a.example")
    let verified = try await home.graph.verify(person("s1"), by: home.anyone)
    let token = try await home.graph.storePendingCredential(verified)
    _ = try await home.graph.configure(
      TestHome.issuer, values: [:], secrets: ["clientSecret": Secret("new")], by: home.admin)
    let kept = try await home.graph.pendingCredential(token.reveal(), by: home.anyone)
    #expect(try await home.graph.signIn(kept, by: home.anyone).isNewUser)
  }

  @Test func `F15: a sign-in that waits for its second factor ends with its provider`()
    async throws
  {
    try await home.setUp("https://a.example")
    let ada = try await home.signIn(person("s1", "ada@example.com")).account
    try await home.update(ada.id) { $0.emailVerified = true }
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let resolver = try await home.resolver { try await home.signIn(person("s1")) }
    try await home.forget()
    try await home.setUp("https://a.example")
    await expectError(.operationNotAllowed) {
      try await home.graph.resolve(
        resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
    }
  }

  @Test func `F20: a sign-in in flight while the provider is set up anew opens nothing`()
    async throws
  {
    try await home.setUp("https://a.example")
    let verified = try await home.graph.verify(person("s1"), by: home.anyone)
    try await home.setUp("https://b.example")
    await expectError(.operationNotAllowed) {
      try await home.graph.signIn(verified, by: home.anyone)
    }
    #expect(try await home.everything().isEmpty)
  }
}
