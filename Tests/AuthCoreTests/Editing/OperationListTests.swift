import AuthCore
import AuthTesting
import Testing
import TestSupport

/// An update is a list of operations, each of which is decided alone, on the result of the earlier ones.
@Suite struct `A list of operations` {
  /// Returns the rules of an event's trace with their results.
  private func story(_ home: TestHome) async throws -> [String] {
    let event = try await home.graph.events(limit: 1, in: home.scope).first
    return try event.unwrapped("event").trace.steps.map { "\($0.rule): \($0.result)" }
  }

  /// Makes two accounts, one of which is to take an identity of the other.
  private func home(_ policies: [any MergePolicy] = []) async throws -> (
    home: TestHome, ada: Account, bo: Account
  ) {
    let home = TestHome(policies: policies)
    for policy in policies { try await home.use(policy) }
    let ada = try await home.signIn(home.credential("1")).account
    let bo = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    return (home, ada, bo)
  }

  private static let key = IdentityKey(TestHome.other, subject: "9")

  private func asserting(_ key: IdentityKey = key) -> AccountUpdate {
    var update = AccountUpdate()
    update.links = [AssertedIdentity(key: key)]
    return update
  }

  @Test func `an assertion is refused with the same story`() async throws {
    let (home, ada, _) = try await home()
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.assert(Self.key, profile: IdentityProfile(), on: ada.id, by: home.admin)
    }
    let alone = try await story(home)
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.update(ada.id, asserting(), by: home.admin)
    }
    #expect(try await story(home) == alone)
  }

  @Test func `a merge policy is asked about an assertion in a list, too`() async throws {
    let policy = ClosurePolicy(answersUnproven: true) {
      .merge(into: $0.current.id, from: $0.existing.id, MergeRules())
    }
    var stories: [[String]] = []
    for isAlone in [true, false] {
      let (home, ada, bo) = try await home([policy])
      await expectError(.credentialAlreadyInUse) {
        if isAlone {
          _ = try await home.graph.assert(
            Self.key, profile: IdentityProfile(), on: ada.id, by: home.admin)
        } else {
          _ = try await home.graph.update(ada.id, asserting(), by: home.admin)
        }
      }
      let event = try await home.graph.events(limit: 1, in: home.scope).first
      #expect(event?.details["offer"] != nil)
      #expect(event?.relatedIDs == [bo.id])
      stories.append(try await story(home))
    }
    #expect(stories[0] == stories[1])
  }

  @Test func `operations before a refusal in the list are not done`() async throws {
    let (home, ada, bo) = try await home()
    var update = asserting()
    update.profile.displayName = .set("Ada")
    update.unlinks = [TestHome.fake]
    update.endsSessions = true
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.update(ada.id, update, by: home.admin)
    }
    #expect(try await home.account(ada.id) == ada)
    #expect(try await home.account(bo.id) == bo)
  }

  @Test func `several identities of a provider are ambiguous, and nothing is changed`()
    async throws
  {
    let (home, ada, _) = try await home()
    _ = try await home.graph.changeSettings(by: home.admin) { $0.identitiesPerProvider = .many }
    _ = try await home.graph.link(home.credential("2"), to: ada.id, by: home.session(ada.id))
    _ = try await home.graph.link(
      home.credential("10", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    let before = try await home.account(ada.id)
    var update = AccountUpdate()
    update.profile.displayName = .set("Ada")
    update.unlinks = [TestHome.other, TestHome.fake]
    await expectError(.ambiguous) {
      try await home.graph.unlink(TestHome.fake, from: ada.id, by: home.admin)
    }
    await expectError(.ambiguous) { try await home.graph.update(ada.id, update, by: home.admin) }
    #expect(try await home.account(ada.id) == before)
  }

  @Test func `a way in may go if another comes, and not if none does`() async throws {
    let (home, ada, _) = try await home()
    var update = asserting(IdentityKey(TestHome.other, subject: "10"))
    update.unlinks = [TestHome.fake]
    let moved = try await home.graph.update(ada.id, update, by: home.admin)
    #expect(moved.account.identities.map(\.key.subject) == ["10"])

    var last = AccountUpdate()
    last.unlinks = [TestHome.other]
    await expectError(.lastSignInMethod) {
      try await home.graph.update(ada.id, last, by: home.session(ada.id))
    }
    let inList = try await story(home)
    await expectError(.lastSignInMethod) {
      try await home.graph.unlink(TestHome.other, from: ada.id, by: home.session(ada.id))
    }
    #expect(try await story(home) == inList)
  }

  @Test func `an identity that was freed in the list can be linked in it`() async throws {
    let (home, ada, _) = try await home()
    let key = IdentityKey(TestHome.fake, subject: "1")
    var update = asserting(key)
    update.unlinks = [TestHome.fake]
    let again = try await home.graph.update(ada.id, update, by: home.admin).account
    #expect(again.identities.map(\.key) == [key])
    #expect(again.identities.first?.origin == .assertion)
  }
}
