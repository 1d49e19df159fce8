import SQLAccounts
import Synchronization

/// Has the server look at new tables once there is something in them.
///
/// What PostgreSQL knows of a table it finds out by itself a minute later, or more. Until then it may look for one
/// e-mail address among all accounts of a project, so that the more of them are imported, the longer each takes.
final class NewTables: Sendable {
  /// After how many changes of this process it is asked what it knows, and of how many accounts that should be.
  private static let enough = 1000
  private static let size = SQLStatement(
    "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE oid = CAST('accounts' AS REGCLASS)", [])
  private static let analyze = SQLStatement(
    "ANALYZE accounts, identities, second_factors, events, event_accounts", [])

  private let changes = Atomic(0)

  /// Counts what was committed on a connection, which is free again; a failure is of no importance.
  func note(_ count: Int, on connection: PostgresConnection) {
    let before = changes.add(count, ordering: .relaxed).oldValue
    guard before < Self.enough, before + count >= Self.enough else { return }
    guard let answer = try? connection.exchange([Self.size]).answers.first, answer.rowCount > 0,
      let known = try? answer.row(0).optionalInteger(0), known < Self.enough
    else { return }
    _ = try? connection.exchange([Self.analyze])
  }
}
