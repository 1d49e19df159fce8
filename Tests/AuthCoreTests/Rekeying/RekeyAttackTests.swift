import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Rekeying under attack` {
  let home = TestHome()

  private func owner(_ subject: String) async throws -> AccountID? {
    let key = IdentityKey(TestHome.fake, subject: subject)
    return try await home.store.read { [scope = home.scope] in try $0.owner(of: key, in: scope) }
  }

  @Test func `an account that has the new subject already keeps it`() async throws {
    let ada = try await home.signIn(home.credential("old")).account
    let other = try await home.signIn(home.credential("new")).account
    let rekey = try await home.rekey()
    let outcome = try await home.preview(rekey, ["old": "new"])
    #expect(outcome.conflicts.map(\.cause) == [.ownedBy(other.id)])
    let progress = try await home.commit(rekey, ["old": "new"])
    #expect(progress.conflicts == 1 && progress.rekeyed == 0)
    #expect(try await home.account(ada.id) == ada)
    #expect(try await home.account(other.id) == other)
  }

  @Test func `one new subject for two old ones goes to neither`() async throws {
    _ = try await home.signIn(home.credential("a"))
    _ = try await home.signIn(home.credential("b"))
    let before = try await home.everything()
    let rekey = try await home.rekey()
    let progress = try await home.commit(rekey, ["a": "x", "b": "x"])
    #expect(progress.conflicts == 2)
    #expect(try await home.everything() == before)
    // Across pages, the keys of the other pages decide.
    let (page, last) = try await home.graph.page(
      of: rekey, after: nil, limit: 1, in: home.scope)
    let key = rekey.to.key("x")
    let result = try await home.graph.commit(
      rekey, page, last: last, map: [page.keys[0]: key], shared: [key],
      progress: RekeyProgress(), by: home.admin)
    #expect(result.progress.conflicts == 1 && result.progress.rekeyed == 0)
  }

  @Test func `swapped subjects and chains move nothing to another account`() async throws {
    let a = try await home.signIn(home.credential("a")).account
    let b = try await home.signIn(home.credential("b")).account
    let progress = try await home.commit(home.rekey(), ["a": "b", "b": "c"])
    #expect(progress.conflicts == 1 && progress.rekeyed == 1)
    #expect(try await owner("a") == a.id)
    #expect(try await owner("b") == b.id)
    #expect(try await owner("c") == b.id)
  }

  @Test func `subjects that only look the same are other people`() async throws {
    let composed = try await home.signIn(home.credential("\u{E9}")).account
    let rekey = try await home.rekey()
    let (page, last) = try await home.graph.page(of: rekey, after: nil, limit: 9, in: home.scope)
    _ = try await home.graph.commit(
      rekey, page, last: last, map: [rekey.from.key("e\u{301}"): rekey.to.key("new")],
      progress: RekeyProgress(), by: home.admin)
    #expect(try await home.account(composed.id) == composed)
  }

  @Test func `neither key can be linked by another account`() async throws {
    _ = try await home.signIn(home.credential("old"))
    try await home.commit(home.rekey(), ["old": "new"])
    let eve = try await home.signIn(home.credential("e", provider: TestHome.other)).account
    for subject in ["old", "new"] {
      await expectError(.credentialAlreadyInUse) {
        try await home.graph.link(
          home.credential(subject), to: eve.id, by: home.session(eve.id))
      }
      await expectError(.credentialAlreadyInUse) {
        try await home.graph.assert(
          IdentityKey(TestHome.fake, subject: subject), profile: IdentityProfile(), on: eve.id,
          by: home.admin)
      }
    }
    #expect(try await home.account(eve.id).identities.count == 1)
  }

  @Test func `an account does not link its own replaced subject again`() async throws {
    let ada = try await home.signIn(home.credential("old")).account
    try await home.commit(home.rekey(to: IdentitySource(TestHome.other)), ["old": "new"])
    await expectError(.providerAlreadyLinked) {
      try await home.graph.link(home.credential("old"), to: ada.id, by: home.session(ada.id))
    }
  }

  @Test func `unlinking, deleting and a take-over take both keys away`() async throws {
    let ada = try await home.signIn(home.credential("1", email: "ada@example.com")).account
    let bob = try await home.signIn(home.credential("2")).account
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["1": "n1", "2": "n2"])
    _ = try await home.graph.unlink(
      TestHome.fake, subject: "2", from: bob.id, force: true, by: home.admin)
    #expect(try await owner("2") == nil)
    #expect(try await owner("n2") == nil)

    try await home.trust(TestHome.other)
    let taken = try await home.signIn(
      home.credential(
        "9", email: "ada@example.com", verified: "true", provider: TestHome.other))
    #expect(
      taken.account.id == ada.id && taken.receipt.action == .signIn || taken.account.id == ada.id)
    #expect(try await home.account(ada.id).identities.map(\.provider) == [TestHome.other])
    #expect(try await owner("1") == nil)
    #expect(try await owner("n1") == nil)
  }

  @Test func `a new subject with a recycled address is still a new person after a rename`()
    async throws
  {
    try await home.trust(TestHome.fake)
    let ada = try await home.signIn(
      home.credential("1", email: "ada@example.com", verified: "true")
    ).account
    try await home.commit(
      home.rekey(to: IdentitySource(TestHome.other), keepsSubjects: true), ["1": "1"])
    await expectError(.accountExistsWithDifferentCredential) {
      try await home.signIn(home.credential("2", email: "ada@example.com", verified: "true"))
    }
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test func `only admins rekey, and refusals are kept`() async throws {
    let ada = try await home.signIn(home.credential("old")).account
    await expectError(.operationNotAllowed) {
      try await home.graph.planRekey(
        from: IdentitySource(TestHome.fake), to: IdentitySource(TestHome.other),
        keepsSubjects: true, by: home.session(ada.id))
    }
    let rekey = try await home.rekey()
    for caller in [home.session(ada.id), home.anyone] {
      await expectError(.operationNotAllowed) {
        try await home.commit(rekey, ["old": "new"], by: caller)
      }
    }
    try await home.commit(rekey, ["old": "new"])
    for caller in [home.session(ada.id), home.anyone] {
      await expectError(.operationNotAllowed) { try await home.rollBack(rekey, by: caller) }
      await expectError(.operationNotAllowed) {
        try await home.finish(rekey, force: true, by: caller)
      }
    }
    let refused = try await home.graph.events(limit: 100, in: home.scope)
      .filter { $0.errorCode == "operation-not-allowed" }
    #expect(refused.count == 6)
  }

  @Test
  func `an identity that the person linked under the new subject is joined, and parted again`()
    async throws
  {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.identitiesPerProvider = .many }
    let ada = try await home.signIn(home.credential("old")).account
    _ = try await home.graph.link(home.credential("new"), to: ada.id, by: home.session(ada.id))
    let before = try await home.contents()
    let rekey = try await home.rekey()
    let outcome = try await home.preview(rekey, ["old": "new"])
    #expect(outcome.joined == 1 && outcome.conflicts.isEmpty)
    try await home.commit(rekey, ["old": "new"])
    #expect(try await home.account(ada.id).identities.map(\.key.subject) == ["new"])
    #expect(try await home.signIn(home.credential("old")).account.id == ada.id)
    try await home.rollBack(rekey)
    let after = try await home.contents()
    #expect(after[0].identities.map(\.key) == before[0].identities.map(\.key))
  }

  @Test func `a rekey on top of another is rolled back before it`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let before = try await home.contents()
    let first = try await home.rekey(to: IdentitySource(TestHome.other), keepsSubjects: true)
    try await home.commit(first, ["1": "1"])
    let second = try await home.rekey(
      from: IdentitySource(TestHome.other), to: IdentitySource(TestHome.other, issuer: "i"))
    home.clock.advance(seconds: 1)
    try await home.commit(second, ["1": "2"])
    for (subject, provider) in [("1", TestHome.fake), ("1", TestHome.other)] {
      let entered = try await home.signIn(home.credential(subject, provider: provider))
      #expect(entered.account.id == ada.id)
    }
    await expectError(.operationNotAllowed) { try await home.rollBack(first) }
    try await home.rollBack(second)
    try await home.rollBack(first)
    let after = try await home.contents()
    #expect(
      after.map(\.identities).flatMap { $0 }.map(\.key) == before.flatMap(\.identities).map(\.key))
  }
}
