public import AuthCore
import SQLAccounts

extension PostgresStore {
  /// Adds to shared counts and returns the totals.
  public func add(_ counts: [SharedCount]) async throws -> [Int] {
    try await perform(.statement) { session, _ in
      // The same order everywhere, so that two servers never deadlock.
      var totals: [String: Int] = [:]
      for count in counts.sorted(by: { $0.name < $1.name }) {
        let total = try session.rows(
          SQLStatement(
            """
            INSERT INTO counts (name, amount, expires_at) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET amount = counts.amount + excluded.amount
            RETURNING amount
            """,
            [
              .string(count.name), .integer(Int64(count.amount)),
              .integer(count.expiresAt.milliseconds),
            ])
        ) { Int(try $0.integer(0)) }
        totals[count.name] = total.first
      }
      session.runLater(
        SQLStatement(
          """
          DELETE FROM counts WHERE name IN (
            SELECT name FROM counts WHERE expires_at <= ? ORDER BY expires_at LIMIT 100)
          """, [.integer(Timestamp.now().milliseconds)]))
      try session.commit()
      return counts.map { totals[$0.name] ?? 0 }
    }
  }
}
