package import AuthCore
import SQLAccounts

extension PostgresStore {
  /// The time by the clock of PostgreSQL's machine; throws `store-unavailable` if it does not answer.
  package func serverTime() async throws -> Timestamp? {
    try await perform(.statement) { session, _ in
      let statement = SQLStatement(
        "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)", [])
      let times = try session.rows(statement) { try $0.time(0) }
      try session.commit()
      return times.first ?? nil
    }
  }
}
