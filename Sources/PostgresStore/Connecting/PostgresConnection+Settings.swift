extension PostgresConnection {
  /// Sets the session's parameters.
  ///
  /// An engine may lack some of them.
  func configure(_ options: ConnectionOptions) throws(PostgresFailure) {
    try execute("SET search_path TO \(options.schema)")
    if options.isReadOnly { try execute("SET default_transaction_read_only = on") }
    try identify()
    try set([
      "statement_timeout = '\(options.statementTimeout)s'",
      // A sequential scan is fast in a small table, but conflicts with every transaction that writes to it.
      "enable_seqscan = off",
      // A server that loses the connection has to release its locks.
      "idle_in_transaction_session_timeout = '10s'",
      "tcp_user_timeout = '10s'", "tcp_keepalives_idle = 5", "tcp_keepalives_interval = 2",
      "tcp_keepalives_count = 3", "client_connection_check_interval = '2s'",
    ])
  }

  /// Prepares a connection for the pool.
  func enterPool() throws(PostgresFailure) {
    try limitWaiting()
    try shareSnapshots()
    try beginPipeline()
  }

  /// Sets a short lock timeout, well below PostgreSQL's own deadlock detection.
  ///
  /// A transaction that waited for a row which another one has changed has to run again anyway.
  private func limitWaiting() throws(PostgresFailure) {
    try set([PostgresConnection.shortWait])
  }

  /// Makes queries that are sent together, outside of a transaction, read the same snapshot.
  ///
  /// PostgreSQL runs them as one transaction with the connection's default isolation.
  private func shareSnapshots() throws(PostgresFailure) {
    do {
      try execute("SET default_transaction_isolation = 'repeatable read'")
      sharesSnapshots = true
    } catch  where !error.isDisconnection {
      // Without it, each lookup is an explicit transaction.
    }
  }

  static let shortWait = "lock_timeout = '200ms'"

  private func set(_ settings: [String]) throws(PostgresFailure) {
    for setting in settings {
      do {
        try execute("SET \(setting)")
      } catch  where !error.isDisconnection {
        continue
      }
    }
  }
}
