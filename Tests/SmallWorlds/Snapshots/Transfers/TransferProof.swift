import AuthCore
import BuiltInProviders
import FakeVendors
import RandomOperations
import TestSupport

/// Tries every split and every move of small accounts, and the undo of each, without a store.
package struct TransferProof: Sendable {
  package struct Result: Sendable {
    /// The number of changes that were decided, refusals included.
    package var decided = 0
    package var refused = 0
    package var violation: Violation?
  }

  private let size: Int
  private let fault: PlantedTransfer?

  /// Makes a proof for accounts up to a total size: the number of their addresses, identities and flags.
  package init(size: Int, fault: PlantedTransfer? = nil) {
    (self.size, self.fault) = (size, fault)
  }

  package func run() throws -> Result {
    let graph = AccountGraph(
      store: WorldStore(),
      providers: ProviderRegistry(
        SnapshotNames.providers.map { FakeProvider(id: $0) }
          + [FakePasswords(), EmailLinkProvider()]),
      policies: MergingPolicy(), services: GraphServices(secrets: PlainSealing()),
      clock: { SnapshotNames.now })
    var result = Result()
    try TransferCase.forEach(size: size) { asked in
      result.decided += 1
      do {
        var judged = try JudgedTransfer(asked, by: graph)
        fault?.plant(in: &judged)
        result.violation = TransferLaw.violation(of: judged)
      } catch let error as AuthError {
        result.refused += 1
        result.violation = TransferLaw.violation(ofRefusing: asked, with: error)
      }
      return result.violation == nil
    }
    return result
  }
}
