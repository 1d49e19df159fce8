import AuthCore
import AuthTesting
import Foundation
import Testing

/// Three servers on one PostgreSQL, and whatever can happen to them.
///
/// `AUTHGRAPH_CHAOS_SECONDS` is how long it goes on; `AUTHGRAPH_SEED` repeats the choices of faults.
@Suite(.serialized) struct `Three servers on one database` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["AUTHGRAPH_CHAOS_SECONDS"].flatMap(Int.init) ?? 20
  private static let seed = environment["AUTHGRAPH_SEED"].flatMap(UInt64.init) ?? 20_260_721
  private static let longestReturn = Duration.seconds(5)

  @Test func `lose nothing that they acknowledged, whatever is killed or cut`() async throws {
    try await blocking {
      print("faults: seed \(Self.seed), \(Self.seconds) seconds")
      let cluster = try Cluster(in: try TemporaryFolder())
      let load = ClusterLoad(cluster, clients: 8, seed: Self.seed)
      var random = SeededGenerator(seed: Self.seed)
      var longest = Duration.zero
      var episodes = 0
      let end = ContinuousClock.now + .seconds(Self.seconds)
      while ContinuousClock.now < end {
        usleep(UInt32.random(in: 200_000...1_000_000, using: &random))
        let faults = Fault.random(cluster, using: &random)
        for fault in faults { try fault.begin(cluster) }
        usleep(UInt32.random(in: 0...2_500_000, using: &random))
        let recovery = try Recovery(of: cluster, from: faults)
        episodes += 1
        longest = max(longest, recovery.longest)
        #expect(recovery.longest < Self.longestReturn, "\(recovery)")
      }
      let result = load.end()
      print(
        "faults: \(episodes), the longest return \(longest); \(result.acknowledged) changes"
          + " acknowledged, \(result.lookups) lookups, unknown \(result.unknown)")
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
