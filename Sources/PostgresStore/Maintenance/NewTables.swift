import SQLAccounts
import Synchronization

/// Tells when the server should look at tables that it knows nothing of yet.
///
/// What PostgreSQL knows of a table it finds out by itself a minute later, or more. Until then all indexes of a scope are
/// the same to it, and it reads every row of a project to find one by its key: each import takes longer than the one
/// before, and transactions of people who share no row get into each other's way. Statistics of ten rows are enough.
final class NewTables: Sendable {
  /// After how many changes of this process the server is first asked what it knows; and after twice as many each time.
  private static let first = 10

  private let changes = Atomic(0)

  /// Counts changes that were committed; true where it is time to look, which happens once for each step.
  func areDue(after count: Int) -> Bool {
    let before = changes.add(count, ordering: .relaxed).oldValue
    return Self.step(before) != Self.step(before + count)
  }

  /// How often it was time to look by then.
  private static func step(_ changes: Int) -> Int {
    Int.bitWidth - (changes / first).leadingZeroBitCount
  }
}

extension PostgresStore {
  /// Tables of which the server has no statistics, although they are larger than a size in bytes.
  private static func unknownTables(of schema: String, largerThan bytes: Int) -> SQLStatement {
    SQLStatement(
      """
      SELECT CAST(tables.relname AS TEXT) FROM pg_class AS tables
      JOIN pg_namespace AS schemas ON schemas.oid = tables.relnamespace
      WHERE schemas.nspname = ? AND tables.relkind = 'r' AND pg_relation_size(tables.oid) > ?
        AND NOT EXISTS (SELECT 1 FROM pg_stats WHERE pg_stats.schemaname = schemas.nspname
          AND pg_stats.tablename = tables.relname)
      ORDER BY tables.relname
      """, [.string(schema), .integer(Int64(bytes))])
  }

  /// A caller whose change is committed waits; large tables, as those that were restored, the server looks at by itself.
  private static let briefly = SQLStatement("SET LOCAL statement_timeout = '1s'", [])

  private struct GivenUp: Error {}

  /// Has the server look at every table that it knows nothing of; a failure is of no importance.
  func lookAtNewTables() async {
    try? await perform(.statement) { [schema = options.schema] session, _ in
      do {
        let unknown = try session.rows(Self.unknownTables(of: schema, largerThan: 0)) {
          try $0.string(0)
        }
        let ours = CopiedTable.all.map(\.name).filter(unknown.contains)
        if !ours.isEmpty {
          session.runLater(Self.briefly)
          _ = try session.run(SQLStatement("ANALYZE \(ours.joined(separator: ", "))", []))
        }
        try session.commit()
      } catch {
        // Another kind of error would be tried again for long.
        throw GivenUp()
      }
    }
  }

  /// How large a table is without statistics before that is worth a word, in bytes.
  private static let largeTable = 1 << 20

  /// Large tables that the server was never made to look at, as after a restore: it finds bad ways through them.
  package func unanalysedTables() async throws -> [String] {
    guard engine == .postgres else { return [] }
    return try await perform(.statement) { [schema = options.schema] session, _ in
      let unknown = try session.rows(
        Self.unknownTables(of: schema, largerThan: Self.largeTable)
      ) { try $0.string(0) }
      try session.commit()
      return unknown
    }
  }
}
