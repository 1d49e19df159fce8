import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `C10: a policy receives the graph's time` {
  private static let policy = ClosurePolicy { .refuse("\($0.decidedAt.milliseconds)") }

  @Test func `C10: of the link that met a conflict, each time it is tried`() async throws {
    let home = TestHome(policies: [Self.policy])
    try await home.use(Self.policy)
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    for _ in 0..<2 {
      home.clock.advance(seconds: 100)
      let error = await expectError(.credentialAlreadyInUse) {
        try await home.graph.link(
          home.credential("9", provider: TestHome.other), to: current.id,
          by: home.session(current.id))
      }
      let event = try await home.graph.event(#require(error?.eventID), in: home.scope)
      #expect(
        event.trace.steps.last?.result == "refused: \(home.clock.now.milliseconds)",
        "\(event.trace)")
      #expect(event.at == home.clock.now)
    }
  }

  @Test func `C10: of the plan of an offer, and not that of the offer`() async throws {
    let offering = OfferingPolicy()
    let home = TestHome(policies: [offering])
    try await home.use(offering)
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    _ = await expectError(.credentialAlreadyInUse) {
      try await home.graph.assert(
        IdentityKey(TestHome.other, subject: "9"), profile: IdentityProfile(), on: current.id,
        by: home.admin)
    }
    home.clock.advance(seconds: 5000)
    let offer = try #require(
      try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.first)
    let plan = try await home.graph.plan(offer.id, in: home.scope)
    #expect(plan.result.displayName == "\(home.clock.now.milliseconds)")
  }
}

/// Offers a merge, and names the result by the time of the decision.
private struct OfferingPolicy: MergePolicy {
  let name = "offering"
  let triggers: Set<AuthError.Code> = [.credentialAlreadyInUse]
  let answersUnproven = true

  func decide(_ conflict: MergeConflict) -> MergeAnswer {
    .merge(
      into: conflict.current.id, from: conflict.existing.id,
      MergeRules(fields: [.displayName: .value(.string("\(conflict.decidedAt.milliseconds)"))]))
  }
}
