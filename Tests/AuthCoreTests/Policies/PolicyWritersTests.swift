import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

/// Eight writers, while an admin puts policies to use, on trial and back.
///
/// Each event is compared with the policies that were in force when it was committed, which the events of the changes
/// before it say. `AUTHGRAPH_POLICY_DECISIONS` sets the number of decisions; a soak makes a million.
@Suite struct `Policies under writers` {
  private static let decisions = TestBudget.count(
    "AUTHGRAPH_POLICY_DECISIONS", usual: 2_000, soak: 1_000_000)
  private static let writers = 8
  /// The number of decisions of one store.
  private static let round = 2_000

  private static let policies = [
    NamedPolicy("old", .refuses), NamedPolicy("new", .refuses),
    NamedPolicy("slow", .refuses, isSlow: true), NamedPolicy("broken", .fails),
  ]

  /// The policies in force at one event.
  private struct InForce {
    var inUse: Int?
    var shadow: Int?
    var canary: Int?

    mutating func follow(_ event: AuditEvent) {
      let number = event.policyVersion
      if let trial = event.details["policyTrial"] {
        let text = trial["to"]?.stringValue ?? ""
        (shadow, canary) = (nil, nil)
        if text.contains("shadow") { shadow = number }
        if text.contains("canary") { canary = number }
      }
      if event.details["mergePolicy"] != nil { inUse = number }
    }
  }

  @Test func `decide as the version in use says, and record what the shadow says`() async throws {
    var (left, seed) = (Self.decisions, TestBudget.seed(usual: 37))
    while left > 0 {
      try await Self.try(min(left, Self.round), seed: seed)
      left -= Self.round
      seed &+= 1
    }
  }

  private static func `try`(_ decisions: Int, seed: UInt64) async throws {
    let home = TestHome(policies: policies)
    try await home.putToUse(policies[0])
    var pairs: [(current: Account, existing: Account)] = []
    for number in 0..<(writers * 4) { pairs.append(try await home.pair(number)) }
    let known = pairs
    // One conflict is sure to have a shadow, however the tasks take turns.
    try await home.putToUse(policies[1], as: PolicyUse(.shadow))
    _ = try await home.linked(0, to: known[0].current.id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for turn in 0..<(decisions / writers) {
            let number = writer * 4 + turn % 4
            _ = try await home.linked(number, to: known[number].current.id)
          }
        }
      }
      group.addTask {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<(decisions / 20) {
          try await change(home, &random)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    try await check(home, decisions: decisions / writers * writers + 1, seed: seed)
  }

  private static func change(_ home: TestHome, _ random: inout SeededGenerator) async throws {
    let policy = policies[Int(random.next() % UInt64(policies.count))]
    switch random.next() % 5 {
    case 0: try await home.putToUse(policy)
    case 1, 2: try await home.putToUse(policy, as: PolicyUse(.shadow))
    case 3: try await home.putToUse(policy, as: PolicyUse(canary: 0.5))
    default: _ = try await home.graph.removePolicy(onlyTrial: true, by: home.admin)
    }
  }

  private static func check(_ home: TestHome, decisions: Int, seed: UInt64) async throws {
    var versions: [Int: NamedPolicy] = [:]
    for version in try await home.graph.policyHistory(limit: .max, in: home.scope) {
      versions[version.number] = policies.first { $0.source == version.source }
    }
    var events: [AuditEvent] = []
    while true {
      let page = try await home.graph.events(
        before: events.last?.sequence, limit: 1_000, in: home.scope)
      events += page
      if page.count < 1_000 { break }
    }
    var force = InForce()
    var (checked, shadowed) = (0, 0)
    for event in events.reversed() {
      if event.action == .changeSettings { force.follow(event) }
      guard event.action == .link else { continue }
      checked += 1
      let pair = [event.accountID, event.relatedIDs.first].compactMap(\.self)
      try #require(pair.count == 2)
      let isCanary = force.canary != nil && PairShare(0.5).contains(pair[0], pair[1])
      let decider = try #require(isCanary ? force.canary : force.inUse)
      let policy = try #require(versions[decider])
      #expect(event.policyVersion == decider, "seed \(seed), \(event.id)")
      let said = event.policyStep("merge policy")
      #expect(said?.version == "\(decider)" && said?.result == expected(policy), "seed \(seed)")

      let shadow = event.policyStep("shadow policy")
      #expect(shadow?.version == force.shadow.map(String.init), "seed \(seed), \(event.id)")
      guard let shadow, let asked = force.shadow.flatMap({ versions[$0] }) else { continue }
      shadowed += 1
      let isLate = asked.isSlow && shadow.result == "failed: no answer in time"
      #expect(isLate || shadow.result == expected(asked), "seed \(seed), \(event.id)")
    }
    #expect(checked == decisions)
    #expect(shadowed > 0, "seed \(seed)")
    #expect(try await home.everything().count == writers * 8)
  }

  private static func expected(_ policy: NamedPolicy) -> String {
    policy.answer == .fails
      ? "failed: \(policy.name) is broken." : "refused: \(policy.name) says no"
  }
}
