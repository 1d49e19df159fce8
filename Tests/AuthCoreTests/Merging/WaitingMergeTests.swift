import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Merges that wait` {
  /// A home with a policy of this answer, an account that links, and the owner of the identity `9`.
  private func home(
    _ answer: @escaping @Sendable (MergeConflict) throws -> MergeAnswer
  ) async throws -> (home: TestHome, current: Account, existing: Account) {
    let policy = ClosurePolicy(answer: answer)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let existing = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    home.clock.advance(seconds: 1)
    let current = try await home.signIn(home.credential("1")).account
    return (home, current, existing)
  }

  private static func merge(_ conflict: MergeConflict) -> MergeAnswer {
    .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
  }

  /// Links the other account's credential; returns the error and the newest event.
  private func refused(
    _ home: TestHome, _ current: AccountID, by caller: Caller? = nil
  ) async throws -> (error: AuthError, event: AuditEvent) {
    let error = try await #require(throws: AuthError.self) {
      try await home.graph.linkForSession(
        home.credential("9", provider: TestHome.other), to: current,
        by: caller ?? home.session(current))
    }
    let event = try #require(try await home.graph.events(limit: 1, in: home.scope).first)
    return (error, event)
  }

  @Test func `a review is an offer with its reason, and an admin carries it out`() async throws {
    let (home, current, existing) = try await home { conflict in
      conflict.isApproved ? Self.merge(conflict) : .review("both are old")
    }
    let (error, event) = try await refused(home, current.id)
    #expect(error.code == .credentialAlreadyInUse)
    #expect(!error.description.contains("both are old"))
    #expect(event.details["requirement"] == "approval")
    #expect(event.details["offer"]?["reason"] == "both are old")
    #expect(try await home.everything().count == 2)

    let offer = try #require(
      try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.first)
    #expect(offer.reason == "both are old" && offer.notShown.isEmpty)
    #expect(offer.survivor == existing.id && offer.absorbed == current.id)
    let plan = try await home.graph.plan(offer.id, in: home.scope)
    #expect(plan.survivor.id == existing.id && plan.decidedBy == "policy closure")
    _ = try await home.graph.commit(plan, by: home.admin)
    #expect(try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.isEmpty)
  }

  @Test func `a review names the merge that the policy would make`() async throws {
    let (home, current, _) = try await home { conflict in
      conflict.isApproved
        ? .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
        : .review("look")
    }
    _ = try await refused(home, current.id)
    let offer = try #require(
      try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.first)
    #expect(offer.survivor == current.id)
  }

  @Test func `a policy that fails once it is approved still asks for its review`() async throws {
    struct Broken: Error {}
    let (home, current, existing) = try await home { conflict in
      if conflict.isApproved { throw Broken() }
      return .review("look")
    }
    let (error, event) = try await refused(home, current.id)
    #expect(error.code == .credentialAlreadyInUse)
    #expect(event.details["offer"]?["into"] == .string(existing.id.rawValue))
  }

  @Test func `a review without a merge leaves the plan to the admin`() async throws {
    let (home, current, existing) = try await home { _ in .review("look") }
    _ = try await refused(home, current.id)
    let offer = try #require(
      try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.first)
    #expect(offer.survivor == existing.id)
    await expectError(.mergeRefused) { try await home.graph.plan(offer.id, in: home.scope) }
    let plan = try await home.graph.planMerge(
      keep: offer.survivor, absorb: offer.absorbed, in: home.scope)
    _ = try await home.graph.commit(plan, by: home.admin)
  }

  @Test(arguments: [
    (Requirement.secondFactor, AuthError.Code.requiresRecentLogin, "second factor"),
    (.recentLogin(seconds: 60), .requiresRecentLogin, "recent login"),
    (.verifiedAddress, .unverifiedEmail, "verified address"),
    (.approval, .credentialAlreadyInUse, "approval"),
  ])
  func `a requirement is the client's error if the client can meet it`(
    requirement: Requirement, code: AuthError.Code, name: String
  ) async throws {
    let (home, current, existing) = try await home { _ in .require(requirement) }
    let (error, event) = try await refused(home, current.id)
    #expect(error.code == code, "\(error)")
    #expect(event.details["requirement"] == .string(name))
    #expect((event.details["offer"] != nil) == (requirement == .approval))
    #expect(try await home.account(existing.id).identities.count == 1)
  }

  @Test func `attack: an unmet second factor does not sign in to the other account`() async throws {
    let (home, current, _) = try await home { _ in .require(.secondFactor) }
    let (error, event) = try await refused(home, current.id)
    // The code of a sign-in's second factor would continue with a session of the credential's owner.
    #expect(error.code != .secondFactorRequired && error.resolver == nil)
    #expect(event.action != .signIn)
  }

  @Test func `the client repeats the link after it has met the requirement`() async throws {
    let (home, current, existing) = try await home { conflict in
      let requirement = Requirement.recentLogin(seconds: 60)
      return requirement.isMet(in: conflict) ? Self.merge(conflict) : .require(requirement)
    }
    let early = home.session(current.id)
    home.clock.advance(seconds: 61)
    let (error, _) = try await refused(home, current.id, by: early)
    #expect(error.code == .requiresRecentLogin)
    let result = try await home.graph.linkForSession(
      home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id))
    #expect(result.account.id == existing.id && result.mergedFrom == [current.id])
  }

  @Test func `an admin meets every requirement`() async throws {
    let (home, current, existing) = try await home { conflict in
      Requirement.approval.isMet(in: conflict) ? Self.merge(conflict) : .require(.approval)
    }
    let receipt = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: current.id, by: home.admin)
    #expect(receipt.action == .merge && receipt.accountID == existing.id)
  }

  @Test func `the policy sees the credential and the session of the link`() async throws {
    let (home, current, _) = try await home { conflict in
      .refuse(
        MergeRefusal(
          """
          \(conflict.operation) \(conflict.credential.subject ?? "") \
          \(conflict.session.secondFactor) \(conflict.session.recentSeconds)
          """, code: "seen"))
    }
    let (error, event) = try await refused(
      home, current.id, by: home.session(current.id, secondFactor: true))
    #expect(error.code == .credentialAlreadyInUse)
    #expect(event.details["refusal"] == ["reason": "link 9 true 300", "code": "seen"])
  }

  @Test(arguments: [true, false])
  func `a person's own merge waits too, and its refusal has the app's code`(
    isReview: Bool
  ) async throws {
    let (home, current, existing) = try await home { conflict in
      isReview ? .review("look") : .refuse(MergeRefusal("no", code: "shops"))
    }
    func session(_ id: AccountID) -> ProvenSession {
      ProvenSession(
        scope: home.scope, account: id, signedInAt: home.clock.now, provider: TestHome.fake,
        identity: nil, secondFactor: nil)
    }
    let merge = OwnMerge(session(current.id), into: session(existing.id))
    let error = try await #require(throws: AuthError.self) { try await home.graph.merge(merge) }
    #expect(error.code == .mergeRefused)
    #expect(error.refusalCode == (isReview ? nil : "shops"))
    let offers = try await home.graph.mergeOffers(limit: 10, in: home.scope).offers
    #expect(offers.map(\.reason) == (isReview ? ["look"] : []))
    #expect(try await home.everything().count == 2)
  }
}
