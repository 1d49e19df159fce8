import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

@Suite struct `Replays of recorded conflicts` {
  private static let start = Timestamp(milliseconds: 1_700_000_000_000)

  /// Writes a decision with an answer that may name the accounts by their masked uids.
  private func record(
    _ answer: PolicyJudgement.Ruling, _ id: String, in home: TestHome, at time: Timestamp = start,
    code: AuthError.Code = .credentialAlreadyInUse
  ) async throws {
    var (current, existing) = (
      Account(id: DecisionMask.current, scope: home.scope, createdAt: Self.start),
      Account(id: DecisionMask.existing, scope: home.scope, createdAt: Self.start)
    )
    current.displayName = "Ada"
    existing.displayName = "Grace"
    let conflict = MergeConflict(
      code: code, current: current, existing: existing, provider: .google,
      proof: MergeProof(current: true, existing: true), decidedAt: time)
    let decision = PolicyDecision(
      masking: JudgedConflict(conflict, [PolicyJudgement(policy: "old", ruling: answer)]), id: id,
      scope: home.scope, at: time)
    try await home.store.write { try $0.save(decision) }
  }

  private static func merge(
    into id: AccountID = DecisionMask.existing, _ rules: MergeRules = MergeRules()
  ) -> PolicyJudgement.Ruling {
    let from = id == DecisionMask.existing ? DecisionMask.current : DecisionMask.existing
    return .answer(.merge(into: id, from: from, rules))
  }

  private static let merging = ClosurePolicy { conflict in
    .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
  }

  @Test(
    arguments: [
      (merge(), nil), (merge(into: DecisionMask.current), .survivor),
      (merge(MergeRules(fields: [.displayName: .theirs])), .fields),
      (merge(MergeRules(fields: [.displayName: .keep])), nil),
      (.answer(.refuse("no")), .merged), (.answer(.review("why")), .merged),
      (.failure("broken"), .merged),
    ] as [(PolicyJudgement.Ruling, PolicyReplay.Change?)])
  func `a merge differs in its survivor or its fields`(
    _ before: PolicyJudgement.Ruling, _ change: PolicyReplay.Change?
  ) async throws {
    let home = TestHome()
    try await record(before, "e1", in: home)

    let replay = try await home.graph.replay(Self.merging, in: home.scope)

    #expect(replay.count == 1 && replay.same == (change == nil ? 1 : 0))
    #expect(replay.differences.map(\.change) == [change].compactMap(\.self))
    #expect(replay.differences.allSatisfy { $0.decision.id == "e1" })
  }

  @Test(
    arguments: [
      (.answer(.refuse("no")), .answer(.refuse("no")), nil),
      (.answer(.refuse("no")), .answer(.refuse("never")), .reason),
      (merge(), .answer(.refuse("no")), .refused),
      (merge(), .answer(.require(.secondFactor)), .required),
      (.answer(.require(.approval)), .answer(.require(.approval)), nil),
      (
        .answer(.require(.recentLogin(seconds: 5))), .answer(.require(.recentLogin(seconds: 6))),
        .required
      ),
      (merge(), .answer(.review("why")), .reviewed),
      (.answer(.review("why")), .answer(.review("why")), nil),
      (merge(), .failure("broken"), .failed), (.failure("so"), .failure("otherwise"), nil),
      (merge(), nil, .unasked),
      (
        merge(MergeRules(fields: [.displayName: .value(DecisionMask.hidden)])),
        merge(MergeRules(fields: [.displayName: .value("A. L.")])), nil
      ),
      (merge(MergeRules(fields: [.displayName: .value(DecisionMask.hidden)])), merge(), .fields),
    ]
      as [(PolicyJudgement.Ruling, PolicyJudgement.Ruling?, PolicyReplay.Change?)])
  func `two answers differ as a person would say`(
    _ before: PolicyJudgement.Ruling, _ now: PolicyJudgement.Ruling?,
    _ change: PolicyReplay.Change?
  ) {
    #expect(before.change(to: now) == change)
  }

  @Test func `a policy is asked with the time of the conflict, and only if it would be`()
    async throws
  {
    let home = TestHome()
    try await record(.answer(.refuse("too old")), "e1", in: home)
    try await record(Self.merge(), "e2", in: home, at: Self.start.adding(seconds: 100))
    try await record(Self.merge(), "e3", in: home, code: .emailAlreadyInUse)
    let policy = ClosurePolicy(triggers: [.credentialAlreadyInUse]) { conflict in
      conflict.decidedAt == Self.start
        ? .refuse("too old")
        : .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
    }

    let replay = try await home.graph.replay(policy, in: home.scope)

    #expect(replay.count == 3 && replay.same == 2)
    #expect(replay.changes == [.unasked: 1])
    #expect(replay.differences.first?.now == nil)
  }

  @Test func `a policy that fails or names another account is counted as failing`() async throws {
    let home = TestHome()
    try await record(Self.merge(), "e1", in: home)
    let policies = [
      ClosurePolicy { _ in throw AuthError(.invalidPolicy, "It is broken.") },
      ClosurePolicy {
        .merge(into: AccountID("elsewhere"), from: $0.current.id, MergeRules())
      },
    ]
    for policy in policies {
      let replay = try await home.graph.replay(policy, in: home.scope)
      #expect(replay.changes == [.failed: 1])
    }
  }

  @Test func `a replay goes over pages, since a time and up to a number, and writes nothing`()
    async throws
  {
    let home = TestHome()
    let count = AccountGraph.decisionsTogether + 7
    for number in 0..<count {
      let digits = String(number)
      try await record(
        Self.merge(), String(repeating: "0", count: 5 - digits.count) + digits, in: home,
        at: Self.start.adding(seconds: Int64(number)))
    }
    let refusing = ClosurePolicy { _ in .refuse("no") }

    let whole = try await home.graph.replay(refusing, in: home.scope)
    #expect(whole.count == count && whole.changes == [.refused: count])
    #expect(whole.differences.first?.decision.at == Self.start.adding(seconds: Int64(count - 1)))
    let since = Self.start.adding(seconds: Int64(count - 3))
    #expect(try await home.graph.replay(refusing, since: since, in: home.scope).count == 3)
    #expect(try await home.graph.replay(refusing, limit: 2, in: home.scope).count == 2)
    #expect(try await home.graph.decisions(limit: 10_000, in: home.scope).count == count)
    #expect(try await home.graph.events(limit: 10, in: home.scope).isEmpty)
  }

  @Test func `more differences than are kept are counted`() async throws {
    let home = TestHome()
    let decision = try await {
      try await record(Self.merge(), "e1", in: home)
      return try await home.graph.decision("e1", in: home.scope)
    }()
    var replay = PolicyReplay()
    for _ in 0..<PolicyReplay.mostDifferences + 5 {
      replay.add(decision, by: ClosurePolicy { _ in .refuse("no") })
    }
    #expect(replay.changes == [.refused: PolicyReplay.mostDifferences + 5])
    #expect(replay.differences.count == PolicyReplay.mostDifferences)
  }
}
