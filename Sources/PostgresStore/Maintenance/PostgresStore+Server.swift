import SQLAccounts

/// What a server of PostgreSQL says of itself.
package struct PostgresServerWord: Sendable {
  /// Such as `PostgreSQL 15.4`.
  package let version: String
  package let schema: String
  /// Whether it takes no changes, because it follows another one.
  package let isReadOnly: Bool
  /// Whether nobody on the way can read along; also where there is no way, but a socket of this machine.
  package let isEncrypted: Bool
  /// Whether a pooler is in between, which keeps each connection for its client.
  package let isPooled: Bool
  /// How many connections a process may have.
  package let connections: Int
  /// How many it takes from all processes; nil where it does not say.
  package let mostConnections: Int?
}

extension PostgresStore {
  /// Asks the server about itself; throws `store-unavailable` where it does not answer.
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

  /// Name and version without compiler and platform.
  private static func shortened(_ version: String) -> String {
    version.split(separator: " ").prefix(2).joined(separator: " ")
  }
}
