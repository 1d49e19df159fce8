import SmallWorlds
import TestSupport
import Testing

/// Clients, servers, vendors and a store in an order that a seed determines; the same seed gives the same history.
///
/// `AUTHGRAPH_SIMULATIONS` sets the number of seeds, 40 by default.
@Suite struct Simulations {
  static let seeds = TestBudget.count("AUTHGRAPH_SIMULATIONS", usual: 40, soak: 2_000)
  static let seed = TestBudget.seed(usual: 20_261_126)

  @Test func `break no invariant`() async throws {
    var (steps, acknowledged, retries) = (0, 0, 0)
    for turn in 0..<UInt64(Self.seeds) {
      let report = try await Simulation(seed: Self.seed &+ turn).run()
      #expect(report.problems.isEmpty, "\(report)")
      steps += report.steps
      acknowledged += report.acknowledged
      retries += report.retries
    }
    print(
      "simulations: seed \(Self.seed), \(steps) steps, \(acknowledged) acknowledged, "
        + "\(retries) tried again")
    #expect(acknowledged > steps / 4)
    #expect(retries > 0)
  }

  @Test func `one seed replays everything`() async throws {
    for turn in 0..<4 as Range<UInt64> {
      let first = try await Simulation(seed: Self.seed &+ turn).run()
      let second = try await Simulation(seed: Self.seed &+ turn).run()
      #expect(first.digest == second.digest, "\(first)")
      #expect(first.pauses == second.pauses, "\(first)")
    }
    let other = try await Simulation(seed: Self.seed &+ 4).run()
    let first = try await Simulation(seed: Self.seed).run()
    #expect(other.digest != first.digest)
  }

  @Test(arguments: StoreFault.allCases) func `find a planted fault`(
    _ fault: StoreFault
  ) async throws {
    for turn in 0..<20 as Range<UInt64> {
      let report = try await Simulation(seed: Self.seed &+ turn, fault: fault).run()
      if !report.problems.isEmpty { return }
    }
    Issue.record("\(fault) is not found within 20 seeds from \(Self.seed).")
  }
}
