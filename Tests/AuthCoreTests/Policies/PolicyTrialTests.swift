import AuthTesting
import Synchronization
import Testing
import TestSupport

@testable import AuthCore

@Suite struct `Policies on trial` {
  private static let refusing = NamedPolicy("refusing", .refuses)
  private static let merging = NamedPolicy("merging", .mergesIntoCurrent)

  private func home(_ others: NamedPolicy...) -> TestHome {
    TestHome(policies: [Self.refusing, Self.merging] + others)
  }

  // MARK: Versions in events

  @Test func `the event and its rule name the version that decided`() async throws {
    let home = home()
    try await home.putToUse(Self.refusing)
    try await home.putToUse(Self.merging)
    let pair = try await home.pair(1)
    let event = try await home.linked(1, to: pair.current.id)
    #expect(event.action == .merge && event.policyVersion == 2)
    #expect(event.policyStep("merge policy")?.version == "2")
    #expect(event.trace.steps.first { $0.rule == "merge policy" }?.inputs.first?.value == "merging")
  }

  @Test func `an own merge and a merge of a list name the version`() async throws {
    let home = home()
    try await home.putToUse(Self.merging)
    let pair = try await home.pair(1)
    let merged = try await home.graph.merge(
      OwnMerge(home.pairProof(pair.current), into: home.pairProof(pair.existing)))
    #expect(try await home.graph.event(merged.receipt.id, in: home.scope).policyVersion == 1)

    let listing = ClosurePolicy(name: "listing", answersUnproven: true) {
      .merge(into: $0.current.id, from: $0.existing.id, MergeRules())
    }
    let other = TestHome(policies: [listing])
    try await other.use(listing)
    try await other.add("a", verified: true)
    try await other.add("b")
    let policies = try #require(try await other.graph.policiesInForce(in: other.scope))
    let group = try #require(
      try await other.graph.mergeGroups(by: .email, limit: 9, in: other.scope).first)
    let proposals = try group.proposals(by: .policy(policies))
    #expect(proposals.map(\.pair.policyVersion?.number) == [1])
    try await other.commit(proposals, asBatch: "list")
    let event = try #require(try await other.graph.events(limit: 1, in: other.scope).first)
    #expect(event.action == .merge && event.policyVersion == 1)
  }

  @Test func `a change on another server is in force at once`() async throws {
    let home = home()
    let other = home.graph.on(home.store)
    try await home.putToUse(Self.refusing)
    let pair = try await home.pair(1)
    #expect(try await home.linked(1, to: pair.current.id).policyVersion == 1)
    _ = try await other.usePolicy(Self.merging.source, as: PolicyUse(.shadow), by: home.admin)
    #expect(try await home.linked(1, to: pair.current.id).policyStep("shadow policy") != nil)
    _ = try await other.promotePolicy(by: home.admin)
    #expect(try await home.linked(1, to: pair.current.id).policyVersion == 2)
    #expect(try await other.policyHistory(limit: 9, in: home.scope).map(\.number) == [2, 1])
  }

  // MARK: Shadow

  @Test func `a shadow is recorded, and the policy in use decides`() async throws {
    let home = home()
    try await home.putToUse(Self.refusing)
    try await home.putToUse(Self.merging, as: PolicyUse(.shadow))
    let pair = try await home.pair(1)
    let event = try await home.linked(1, to: pair.current.id)
    #expect(event.errorCode == AuthError.Code.credentialAlreadyInUse.rawValue)
    #expect(event.policyVersion == 1)
    #expect(event.policyStep("merge policy")?.result == "refused: refusing says no")
    let shadow = event.policyStep("shadow policy")
    #expect(shadow?.version == "2" && shadow?.result.hasPrefix("merge ") == true)
    #expect(try await home.everything().count == 2)
  }

  @Test func `a shadow alone changes nothing: a conflict stays an error`() async throws {
    let home = home()
    try await home.putToUse(Self.merging, as: PolicyUse(.shadow))
    let pair = try await home.pair(1)
    let event = try await home.linked(1, to: pair.current.id)
    #expect(event.errorCode == AuthError.Code.credentialAlreadyInUse.rawValue)
    #expect(event.details["policyVersion"] == nil)
    #expect(event.policyStep("shadow policy")?.result.hasPrefix("merge ") == true)
    #expect(try await home.everything().count == 2)
  }

  @Test(arguments: [NamedPolicy.Answer.fails, .refuses, .mergesIntoExisting], [true, false])
  func `whatever a shadow does, a merge is made as without it`(
    answer: NamedPolicy.Answer, isSlow: Bool
  ) async throws {
    let shadow = NamedPolicy("shadow", answer, isSlow: isSlow)
    let (plain, home) = (home(), home(shadow))
    for home in [plain, home] { try await home.putToUse(Self.merging) }
    try await home.putToUse(shadow, as: PolicyUse(.shadow))
    var results: [[Account]] = []
    for home in [plain, home] {
      let pair = try await home.pair(1)
      let event = try await home.linked(1, to: pair.current.id)
      #expect(event.action == .merge && event.errorCode == nil)
      #expect(event.policyVersion == 1)
      let recorded = event.policyStep("shadow policy")?.result
      #expect(recorded?.contains("in time") != true, "It has time outside the transaction.")
      results.append(try await home.everything())
    }
    #expect(results[0].map(\.identities) == results[1].map(\.identities))
    #expect(results[1].count == 1)
  }

  @Test func `a shadow that cannot be compiled does not stop a link`() async throws {
    let home = home()
    try await home.putToUse(Self.merging)
    try await home.putToUse(NamedPolicy("gone", .refuses), as: PolicyUse(.shadow))
    let pair = try await home.pair(1)
    let reports = Mutex<[AppScriptFailure]>([])
    let receipt = try await home.graph.reporting { failure in
      reports.withLock { $0.append(failure) }
    }.link(
      home.credential("b1", provider: TestHome.other), to: pair.current.id,
      by: home.session(pair.current.id))
    let event = try await home.graph.event(receipt.id, in: home.scope)
    #expect(event.action == .merge && event.errorCode == nil)
    #expect(event.policyStep("shadow policy")?.result.hasPrefix("failed: ") == true)
    let failures = reports.withLock(\.self)
    #expect(failures.map(\.name) == ["gone"] && failures.first?.eventID == event.id)
  }

  // MARK: Advise

  @Test func `a policy that advises leaves its merges to an admin`() async throws {
    let home = home()
    try await home.putToUse(Self.merging, as: PolicyUse(.advise))
    let pair = try await home.pair(1)
    let event = try await home.linked(1, to: pair.current.id)
    #expect(event.errorCode == AuthError.Code.credentialAlreadyInUse.rawValue)
    #expect(event.policyVersion == 1)
    let offers = try await home.graph.mergeOffers(limit: 9, in: home.scope).offers
    #expect(offers.map(\.id) == [event.id] && offers.first?.notShown == [])

    let plan = try await home.graph.plan(event.id, in: home.scope)
    #expect(plan.survivor.id == pair.current.id && plan.policyVersion?.number == 1)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    #expect(try await home.graph.event(receipt.id, in: home.scope).policyVersion == 1)
    #expect(try await home.everything().count == 1)
  }

  @Test func `an own merge waits for an admin, too`() async throws {
    let home = home()
    try await home.putToUse(Self.merging, as: PolicyUse(.advise))
    let pair = try await home.pair(1)
    let error = await expectError(.mergeRefused) {
      try await home.graph.merge(
        OwnMerge(home.pairProof(pair.current), into: home.pairProof(pair.existing)))
    }
    let offers = try await home.graph.mergeOffers(limit: 9, in: home.scope).offers
    #expect(offers.map(\.id) == [try #require(error?.eventID)])
    #expect(try await home.everything().count == 2)
  }

  // MARK: Canary

  @Test func `a canary decides its share of the pairs, and the policy in use the others`()
    async throws
  {
    let home = home()
    try await home.putToUse(Self.refusing)
    try await home.putToUse(Self.merging, as: PolicyUse(canary: 0.5))
    var decided: Set<Int> = []
    for number in 1...20 {
      let pair = try await home.pair(number)
      let isCanary = PairShare(0.5).contains(pair.existing.id, pair.current.id)
      let event = try await home.linked(number, to: pair.current.id)
      #expect(event.policyVersion == (isCanary ? 2 : 1))
      #expect((event.action == .merge) == isCanary)
      #expect(event.policyStep("shadow policy") == nil)
      decided.insert(try #require(event.policyVersion))
    }
    #expect(decided == [1, 2])
  }

  @Test func `a canary without a policy in use leaves the other pairs in conflict`() async throws {
    let home = home()
    try await home.putToUse(Self.merging, as: PolicyUse(canary: 0.5))
    for number in 1...20 {
      let pair = try await home.pair(number)
      let isCanary = PairShare(0.5).contains(pair.current.id, pair.existing.id)
      let event = try await home.linked(number, to: pair.current.id)
      #expect((event.action == .merge) == isCanary)
      #expect(event.policyVersion == (isCanary ? 1 : nil))
    }
  }

  @Test func `a share is more than nothing and less than all`() throws {
    for share in [0, 1, -0.5, 1.5, 1e-9, .nan, .infinity] {
      let error = #expect(throws: AuthError.self) { try PolicyUse(canary: share) }
      #expect(error?.field == "canary", "\(share)")
    }
  }

  // MARK: The end of a trial

  @Test(arguments: [PolicyUse(.shadow), try? PolicyUse(canary: 0.25)].compactMap(\.self))
  func `a promotion puts the trial to use`(use: PolicyUse) async throws {
    let home = home()
    try await home.putToUse(Self.refusing, as: PolicyUse(.advise))
    try await home.putToUse(Self.merging, as: use)
    let (_, version) = try await home.graph.promotePolicy(by: home.admin)
    let settings = try await home.graph.settings(of: home.scope)
    #expect(version?.number == 2 && settings.policyVersions?.inUse == version)
    #expect(settings.mergePolicy == Self.merging.source && settings.policyTrial == nil)
    #expect(settings.policyLevel == nil)
    await expectError(.operationNotAllowed) { try await home.graph.promotePolicy(by: home.admin) }
  }

  @Test func `a promotion lets the policy that advises decide`() async throws {
    let home = home()
    try await home.putToUse(Self.merging, as: PolicyUse(.advise))
    _ = try await home.graph.promotePolicy(by: home.admin)
    let pair = try await home.pair(1)
    #expect(try await home.linked(1, to: pair.current.id).action == .merge)
  }

  @Test func `a policy in use ends a trial, and a removal ends both`() async throws {
    let home = home()
    try await home.putToUse(Self.refusing)
    try await home.putToUse(Self.merging, as: PolicyUse(.shadow))
    _ = try await home.graph.removePolicy(onlyTrial: true, by: home.admin)
    var settings = try await home.graph.settings(of: home.scope)
    #expect(settings.policyTrial == nil && settings.mergePolicy == Self.refusing.source)
    try await home.putToUse(Self.merging, as: PolicyUse(.shadow))
    try await home.putToUse(Self.refusing)
    #expect(try await home.graph.settings(of: home.scope).policyTrial == nil)
    try await home.putToUse(Self.merging, as: PolicyUse(.shadow))
    _ = try await home.graph.removePolicy(by: home.admin)
    settings = try await home.graph.settings(of: home.scope)
    #expect(settings.policyTrial == nil && settings.mergePolicy == nil)
    #expect(settings.policyVersions?.last == 4)
    #expect(try await home.graph.policyHistory(limit: 9, in: home.scope).count == 4)
  }
}
