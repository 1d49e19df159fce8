import Foundation
import SmallWorlds
import Testing
import TestSupport

/// People, strangers and an admin in small worlds; `AUTHGRAPH_SEED` repeats a run.
///
/// `AUTHGRAPH_PEOPLE_OPERATIONS` sets the number of steps, 10,000 by default. After a violation the run continues in a
/// new world, so that it reports every kind of fault, each with its shortest history. `AUTHGRAPH_PEOPLE_WITHOUT` lists
/// kinds of steps to skip, separated by commas, such as `setUpTeam,oneAccountPerEmail`.
@Suite struct `People in accounts` {
  static let seed = TestBudget.seed(usual: 20_251_125)
  static let operations = TestBudget.count(
    "AUTHGRAPH_PEOPLE_OPERATIONS", usual: 10_000, soak: 100_000)
  static let without = Set(
    (ProcessInfo.processInfo.environment["AUTHGRAPH_PEOPLE_WITHOUT"] ?? "")
      .split(separator: ",").map(String.init))
  static let stepsOfWorld = 250

  @Test func `no person enters another's account, and no stranger shuts an owner out`()
    async throws
  {
    print("people in accounts: seed \(Self.seed)")
    var done = 0
    var worlds = 0
    var seed = Self.seed
    var faults: [String: Int] = [:]
    while done < Self.operations {
      let run = try await PeopleHistory.random(
        seed: seed, count: Self.stepsOfWorld, without: Self.without)
      // The next world's seed is far from those of a neighbouring run.
      defer { seed &+= 0xD1B5_4A32_D192_ED03 }
      worlds += 1
      done += run.history.steps.count
      guard let violation = run.violations.first else { continue }
      faults[violation.name, default: 0] += 1
      guard faults[violation.name] == 1 else { continue }
      let shortest = try await run.history.shrunk(to: violation.name)
      Issue.record(
        """
        \(violation)
        after \(done) operations, in the world of seed \(seed); its shortest history:
        \(shortest)
        """)
    }
    print("people in accounts: \(done) operations in \(worlds) worlds; \(faults)")
  }
}
