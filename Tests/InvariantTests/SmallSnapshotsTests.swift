import SmallWorlds
import TestSupport
import Testing

/// Every request by every caller on every small snapshot, up to renaming; `Scripts/prove` takes larger ones.
///
/// `AUTHGRAPH_PROVE_SIZE` sets the size of the snapshots, 4 by default.
@Suite struct `Small snapshots` {
  static let size = TestBudget.count("AUTHGRAPH_PROVE_SIZE", usual: 4, soak: 5)
  static let seed = TestBudget.seed(usual: 20_261_127)

  @Test func `no decision breaks a law`() async throws {
    var bounds = SnapshotProof.Bounds()
    (bounds.size, bounds.seconds, bounds.seed) = (Self.size, 1_200, Self.seed)
    let result = try await SnapshotProof(bounds).run()
    print(
      "small snapshots: seed \(Self.seed), \(result.decided) decided, standing for "
        + "\(result.states) states, \(result.duration)")
    if let found = result.counterexample {
      Issue.record("\(found)")
    }
    #expect(result.isComplete)
    #expect(Self.size < 4 || result.states >= 10_000_000)
  }

  @Test(arguments: PlantedRule.allCases) func `the laws find a planted fault`(
    _ fault: PlantedRule
  ) async throws {
    var bounds = SnapshotProof.Bounds()
    (bounds.size, bounds.seconds, bounds.tasks) = (PlantedRule.size, 600, 1)
    let result = try await SnapshotProof(fault: fault, bounds).run()
    let found = try #require(result.counterexample, "\(fault) is not found.")
    #expect(found.violation.name == fault.law)
    #expect(found.script.contains("settings.set"))
    // The violation comes from the fault alone.
    #expect(!found.isOfTheRules)
  }

  @Test func `a count of snapshots by orbits equals a count one by one`() {
    let count = SnapshotCount(weight: 2)
    print("small snapshots: \(count.representatives) stand for \(count.oneByOne) of a tiny world")
    #expect(count.byOrbits == count.oneByOne)
    #expect(count.representatives < count.oneByOne / 20)
  }
}
