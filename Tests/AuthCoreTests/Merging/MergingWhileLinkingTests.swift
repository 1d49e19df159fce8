import AuthCore
import AuthTesting
import Synchronization
import Testing
import TestSupport

@Suite struct `Merging while linking` {
  /// A policy that merges into the account of the session, or into the other one.
  private func home(intoSession: Bool) async throws -> TestHome {
    let policy = ClosurePolicy { conflict in
      guard conflict.proof.current, conflict.proof.existing else { return .refuse("no proof") }
      let (current, existing) = (conflict.current.id, conflict.existing.id)
      return intoSession
        ? .merge(into: current, from: existing, MergeRules())
        : .merge(into: existing, from: current, MergeRules())
    }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    return home
  }

  @Test(arguments: [true, false])
  func `the survivor's session goes on, and the absorbed one's is over`(
    intoSession: Bool
  ) async throws {
    let home = try await home(intoSession: intoSession)
    try await OutboxConsumer.note(home.store, at: home.clock.now)
    let current = try await home.signIn(home.credential("1")).account
    let existing = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    home.clock.advance(seconds: 60)
    let sessions = [current.id: home.session(current.id), existing.id: home.session(existing.id)]

    let result = try await home.graph.linkForSession(
      home.credential("9", provider: TestHome.other), to: current.id,
      by: home.session(current.id))

    let survivor = intoSession ? current.id : existing.id
    let absorbed = intoSession ? existing.id : current.id
    #expect(result.account.id == survivor && result.session.account == survivor)
    #expect(result.mergedFrom == [absorbed])
    #expect(result.receipt.action == .merge)
    #expect(result.account.identities.count == 2)
    #expect(result.account == (try await home.account(survivor)))
    await expectError(.userNotFound) {
      try await home.graph.renewSession(
        provider: TestHome.fake, showing: nil, by: sessions[absorbed].unwrapped("session"))
    }
    let events = try await home.store.read { try $0.outbox(after: 0, limit: 1000) }
    let merges = events.filter { $0.action == .merge }
    #expect(merges.count == 1)
    #expect(merges.first?.accountID == survivor && merges.first?.mergedFrom == [absorbed])
    #expect(merges.first?.id == result.receipt.id)
    _ = try await home.graph.undoMerge(result.receipt.id, by: home.admin)
    #expect(try await home.everything().count == 2)
  }

  @Test func `a merge that waits for the second factor gives the same`() async throws {
    let home = try await home(intoSession: true)
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    let other = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    let resolver = try await home.resolver {
      try await home.graph.linkForSession(
        home.credential("9", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    }
    let result = try await home.graph.resolve(
      resolver, with: .totp(factorID: factor.id, code: home.code(secret)),
      by: home.session(ada.id))
    #expect(result.account.id == ada.id && result.mergedFrom == [other.id])
    #expect(result.session?.account == ada.id)
  }

  @Test(arguments: [true, false])
  func `a policy is asked among the writers if it is quick, and else beside them`(
    isQuick: Bool
  ) async throws {
    let policy = CountingPolicy(isQuick: isQuick)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))

    let result = try await home.graph.linkForSession(
      home.credential("9", provider: TestHome.other), to: current.id,
      by: home.session(current.id))

    #expect(result.receipt.action == .merge && result.account.id == current.id)
    #expect(policy.counts == (isQuick ? [1, 0] : [1, 1]))
    let steps = result.receipt.trace.steps.filter { $0.rule == "merge policy" }
    #expect(steps.count == 1, "Only the attempt that counts is told.")
  }

  @Test(arguments: [true, false])
  func `a merge of one's own two accounts asks in the same way`(isQuick: Bool) async throws {
    let policy = CountingPolicy(isQuick: isQuick)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    func proof(_ provider: ProviderID, _ subject: String) async throws -> ProvenSession {
      let account = try await home.signIn(home.credential(subject, provider: provider)).account
      return ProvenSession(
        scope: home.scope, account: account.id, signedInAt: home.clock.now, provider: provider,
        identity: account.identities.first?.key, secondFactor: nil)
    }

    let result = try await home.graph.merge(
      OwnMerge(await proof(TestHome.fake, "1"), into: await proof(TestHome.other, "9")))

    // The policy merges into the current account, which here is the one to be absorbed.
    #expect(result.receipt.action == .merge)
    #expect(policy.counts == (isQuick ? [1, 0] : [1, 1]))
  }
}

/// Merges into the account of the session, and counts its calls inside and outside the transaction.
private final class CountingPolicy: MergePolicy {
  let name = "counting"
  let triggers: Set<AuthError.Code> = [.credentialAlreadyInUse]
  private let isQuick: Bool
  private let asked = Mutex([0, 0])

  init(isQuick: Bool) { self.isQuick = isQuick }

  var counts: [Int] { asked.withLock(\.self) }

  func decide(_ conflict: MergeConflict) -> MergeAnswer {
    asked.withLock { $0[1] += 1 }
    return answer(conflict)
  }

  func decideAtOnce(_ conflict: MergeConflict) -> MergeAnswer? {
    asked.withLock { $0[0] += 1 }
    return isQuick ? answer(conflict) : nil
  }

  private func answer(_ conflict: MergeConflict) -> MergeAnswer {
    .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
  }
}
