package import AuthCore
import SQLAccounts

extension PostgresStore {
  /// Returns the time of the PostgreSQL server's clock; throws `store-unavailable` if the server does not answer.
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
