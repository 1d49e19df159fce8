import SQLAccounts
import Synchronization

/// The schedule for analysing tables that the server has no statistics of yet.
///
/// PostgreSQL gathers statistics by itself after a minute or more. Until then all indexes of a scope look equal to
/// it, so that it reads every row of a project to find one by its key. Imports slow down with size, and transactions
/// that share no row conflict. Statistics of ten rows are enough.
final class NewTables: Sendable {
  /// The number of this process's changes before the first analysis.
  ///
  /// The number doubles each time.
  private static let first = 10

  private let changes = Atomic(0)

  /// Counts committed changes; returns true if an analysis is due, once for each step.
  func areDue(after count: Int) -> Bool {
    let before = changes.add(count, ordering: .relaxed).oldValue
    return Self.step(before) != Self.step(before + count)
  }

  /// Returns the number of analyses that are due after a number of changes.
  private static func step(_ changes: Int) -> Int {
    Int.bitWidth - (changes / first).leadingZeroBitCount
  }
}

extension PostgresStore {
  /// Returns a query for the tables without statistics that are larger than a size in bytes.
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

  /// A time limit, because the caller waits for the analysis.
  ///
  /// The server itself analyses large tables, such as restored ones.
  private static let briefly = SQLStatement("SET LOCAL statement_timeout = '1s'", [])

  private struct GivenUp: Error {}

  /// Analyses every table without statistics.
  ///
  /// Failures are ignored.
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
        // Any other error would be retried for long.
        throw GivenUp()
      }
    }
  }

  /// The size from which a table without statistics is reported, in bytes.
  private static let largeTable = 1 << 20

  /// Returns the large tables that were never analysed, as after a restore.
  ///
  /// Queries on them are slow.
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
