import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

/// Three servers on one PostgreSQL database, and every fault that can happen to them.
///
/// Each fault of several servers occurs once, and others follow for `AUTHGRAPH_CHAOS_SECONDS` seconds.
/// `AUTHGRAPH_SEED` repeats the choice of faults.
@Suite(.serialized) struct `Three servers on one database` {
  private static let seconds = TestBudget.count("AUTHGRAPH_CHAOS_SECONDS", usual: 20, soak: 60)
  private static let seed = TestBudget.seed(usual: 20_260_721)
  private static let longestReturn = Duration.seconds(5)

  @Test func `lose nothing that they acknowledged if processes are killed or connections cut`()
    async throws
  {
    try await blocking {
      print("faults: seed \(Self.seed), \(Self.seconds) seconds")
      let cluster = try Cluster(in: try TemporaryFolder())
      let load = ClusterLoad(cluster, clients: 8, seed: Self.seed)
      var random = SeededGenerator(seed: Self.seed)
      var longest: [Fault: Duration] = [:]
      var windows: [ClosedRange<ContinuousClock.Instant>] = []
      var episodes = 0
      var waiting = Fault.ofSharing.shuffled(using: &random)
      let end = ContinuousClock.now + .seconds(Self.seconds)
      while ContinuousClock.now < end || !waiting.isEmpty {
        usleep(UInt32.random(in: 200_000...1_000_000, using: &random))
        let faults = waiting.popLast().map { [$0] } ?? Fault.random(cluster, using: &random)
        let began = ContinuousClock.now
        for fault in faults { try fault.begin(cluster) }
        usleep(UInt32.random(in: 0...2_500_000, using: &random))
        let recovery = try Recovery(of: cluster, from: faults)
        episodes += 1
        for fault in faults { longest[fault] = max(longest[fault] ?? .zero, recovery.longest) }
        if faults.contains(where: \.takesDatabaseAway) {
          windows.append(began...ContinuousClock.now)
        }
        #expect(recovery.longest < Self.longestReturn, "\(recovery)")
      }
      let result = load.end()
      let burst = cluster.burst.end()
      print(
        "faults: \(episodes), the longest returns \(longest); \(result.acknowledged) changes"
          + " acknowledged, \(result.lookups) lookups, unknown \(result.unknown), burst \(burst)")
      #expect(result.faults.filter { !$0.isExcused(by: windows) }.map(\.description) == [])
      #expect(Set(burst.keys).subtracting(["200"]) == [])
      try check(result, cluster)
    }
  }

  private func check(_ result: ClusterLoad.Result, _ cluster: Cluster) throws {
    #expect(result.failures == [])
    #expect(Ownership.conflicts(result.owned) == [])
    #expect(try ClusterInvariants.problems(of: cluster.database) == [])
    let accounts = try Accounts(cluster.server(0))
    #expect(result.accounts.compactMap { $0.difference(from: accounts.subjects) } == [])
    #expect(accounts.owners.filter { $0.value.count > 1 } == [:])
    #expect(result.acknowledged > 50)
  }
}
