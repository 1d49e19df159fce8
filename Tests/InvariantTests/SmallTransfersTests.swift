import SmallWorlds
import TestSupport
import Testing

/// Every split and every move between two small accounts, with the undo of each.
///
/// `AUTHGRAPH_PROVE_TRANSFERS` sets the total size of the accounts, 5 by default.
@Suite struct `Small splits and moves` {
  static let size = TestBudget.count("AUTHGRAPH_PROVE_TRANSFERS", usual: 5, soak: 6)

  @Test func `none breaks a law, and each is undone exactly`() throws {
    let result = try TransferProof(size: Self.size).run()
    print("small splits and moves: \(result.decided) decided, \(result.refused) refused")
    if let violation = result.violation { Issue.record("\(violation)") }
    #expect(Self.size < 5 || result.decided > 10_000)
    #expect(result.refused > 0)
  }

  @Test(arguments: PlantedTransfer.allCases) func `the laws find a planted fault`(
    _ fault: PlantedTransfer
  ) throws {
    let found = try TransferProof(size: 4, fault: fault).run().violation
    #expect(found?.name == fault.law, "\(fault): \(found.map { "\($0)" } ?? "not found")")
  }
}
