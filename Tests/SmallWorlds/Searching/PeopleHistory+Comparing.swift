import AuthCore
import AuthTesting

extension PeopleHistory {
  /// Performs the steps on the store of a search and on the in-memory one, which passes every check of a store.
  ///
  /// Returns the first step after which the accounts or the answers differ.
  package func disagreement() async throws -> String? {
    let (searched, checked) = (
      try await PeopleWorld(store: WorldStore()), try await PeopleWorld(store: MemoryStore())
    )
    for (number, step) in steps {
      _ = try await searched.act(step, as: number)
      _ = try await checked.act(step, as: number)
      let (accounts, others) = (await searched.accounts, await checked.accounts)
      let (error, other) = (await searched.last?.outcome.error, await checked.last?.outcome.error)
      // Without events, the store of the search does not know what has left the journal.
      let isForgotten = error?.code == .eventNotFound && other?.code == .undoRefused
      guard accounts == others, error?.code == other?.code || isForgotten else {
        let errors = [error, other].map { $0?.description ?? "no error" }
        return "\(number): \(step)\n\(errors.joined(separator: "\n"))\n\(accounts)\n\(others)"
      }
    }
    return nil
  }
}
