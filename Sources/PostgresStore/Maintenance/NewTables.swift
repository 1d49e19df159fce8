import SQLAccounts
import Synchronization

/// Tells when the server should look at new tables, because there is something in them.
///
/// What PostgreSQL knows of a table it finds out by itself a minute later, or more. Until then it may look for one
/// e-mail address among all accounts of a project, so that the more of them are imported, the longer each takes.
final class NewTables: Sendable {
  /// After how many changes of this process the server is asked what it knows.
  private static let manyChanges = 1000

  private let changes = Atomic(0)

  /// Counts changes that were committed; true where it is time to look, which happens once.
  func areDue(after count: Int) -> Bool {
    let before = changes.add(count, ordering: .relaxed).oldValue
    return before < Self.manyChanges && before + count >= Self.manyChanges
  }
}

extension PostgresStore {
  /// Of how many accounts a server has to know that has looked at the tables.
  private static let manyAccounts = 1000
  private static let knownAccounts = SQLStatement(
    "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE oid = CAST('accounts' AS REGCLASS)", [])
  private static let look = SQLStatement(
    "ANALYZE accounts, identities, second_factors, events, event_accounts", [])
  /// Somebody whose change is committed waits; large tables, as those that were restored, the server looks at by itself.
  private static let briefly = SQLStatement("SET LOCAL statement_timeout = '1s'", [])

  private struct GivenUp: Error {}

  /// Has the server look at new tables, unless it has done so; a failure is of no importance.
  func lookAtNewTables() async {
    try? await perform(.statement) { session, _ in
      do {
        let known = try session.rows(Self.knownAccounts) { try $0.optionalInteger(0) ?? 0 }
        if known.allSatisfy({ $0 < Self.manyAccounts }) {
          session.runLater(Self.briefly)
          _ = try session.run(Self.look)
        }
        try session.commit()
      } catch {
        // Another kind of error would be tried again for long.
        throw GivenUp()
      }
    }
  }
}
