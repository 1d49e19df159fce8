import SmallWorlds
import TestSupport
import Testing

/// Every short history of two people and an admin; `Scripts/prove` goes further.
///
/// `AUTHGRAPH_PROVE_STATES` sets the number of states to visit, 1,500 by default.
@Suite struct `Small worlds` {
  static let states = TestBudget.count("AUTHGRAPH_PROVE_STATES", usual: 1_500, soak: 100_000)
  static let seed = TestBudget.seed(usual: 20_251_126)

  @Test func `no short history breaks an invariant`() async throws {
    var bounds = SmallWorldSearch.Bounds()
    (bounds.states, bounds.seconds) = (Self.states, 600)
    let result = try await SmallWorldSearch(bounds).run()
    print("small worlds: \(result.states) states, \(result.operations) operations")
    if let found = result.counterexample { Issue.record("\(found)") }
    #expect(result.counterexample != nil || result.states >= Self.states)
  }

  @Test(arguments: PlantedFault.allCases) func `the search finds a planted fault`(
    _ fault: PlantedFault
  ) async throws {
    var bounds = SmallWorldSearch.Bounds()
    (bounds.depth, bounds.seconds) = (PlantedFault.depth, 600)
    let result = try await SmallWorldSearch(from: [fault.start], fault: fault, bounds).run()
    let found = try #require(result.counterexample, "\(fault) (\(fault.kinds)) is not found.")
    // The violation comes from the fault alone: without it the rules have no such history.
    let plain = try await found.history.repeated()
    #expect(plain.isEmpty, "\(found)")
  }

  @Test func `the store of the search equals the one in memory`() async throws {
    print("small worlds: seed \(Self.seed)")
    for turn in 0..<4 as Range<UInt64> {
      let run = try await PeopleHistory.random(seed: Self.seed &+ turn, count: 250)
      let disagreement = try await run.history.disagreement()
      #expect(disagreement == nil)
    }
  }
}
