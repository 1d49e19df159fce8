import SQLAccounts

/// The facts that a PostgreSQL server reports about itself.
package struct PostgresServerWord: Sendable {
  /// The product and version, such as `PostgreSQL 15.4`.
  package let version: String
  package let schema: String
  /// True if the server takes no changes, because it is a standby.
  package let isReadOnly: Bool
  /// True if the connection is encrypted, or is a local socket.
  package let isEncrypted: Bool
  /// True behind a pooler, which has to keep a server connection for each client.
  package let isPooled: Bool
  /// The maximum number of connections of a process.
  package let connections: Int
  /// The maximum number of connections of the server; nil if it does not report one.
  package let mostConnections: Int?
}

extension PostgresStore {
  /// Reads the server's facts; throws `store-unavailable` if it does not answer.
  package func server() async throws -> PostgresServerWord {
    try await perform(.statement) { [options] session, _ in
      let version = try session.rows(SQLStatement("SELECT version()", [])) { try $0.string(0) }
      let facts = try session.rows(SQLStatement(Self.facts, [])) { row in
        (
          isReadOnly: try row.text(0) == "on",
          isEncrypted: try row.text(1) == nil || row.text(1) == "true",
          most: try row.text(2).flatMap { Int($0) }
        )
      }
      try session.commit()
      return PostgresServerWord(
        version: version.first.map(Self.shortened) ?? "PostgreSQL", schema: options.schema,
        isReadOnly: facts.first?.isReadOnly ?? false,
        isEncrypted: facts.first?.isEncrypted ?? true, isPooled: session.isPooled,
        connections: options.connections,
        mostConnections: facts.first?.most)
    }
  }

  private static let facts = """
    SELECT current_setting('transaction_read_only'),
      (SELECT CAST(ssl AS TEXT) FROM pg_stat_ssl WHERE pid = pg_backend_pid()
        AND inet_client_addr() IS NOT NULL AND NOT inet_client_addr() <<= '127.0.0.0/8'
        AND NOT inet_client_addr() <<= '::1/128'),
      current_setting('max_connections', true)
    """

  /// Returns the product and version without compiler and platform.
  private static func shortened(_ version: String) -> String {
    version.split(separator: " ").prefix(2).joined(separator: " ")
  }
}
