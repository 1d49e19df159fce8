extension PostgresConnection {
  /// Says how the session is to behave; an engine may not know all of it.
  func configure(_ options: ConnectionOptions) throws(PostgresFailure) {
    try execute("SET search_path TO \(options.schema)")
    try identify()
    try set([
      "statement_timeout = '\(options.statementTimeout)s'",
      // A scan of a whole table, which is quick where it is small, would conflict with everybody who writes to it.
      "enable_seqscan = off",
      // A server that lost us lets go of our locks.
      "idle_in_transaction_session_timeout = '10s'",
      "tcp_user_timeout = '10s'", "tcp_keepalives_idle = 5", "tcp_keepalives_interval = 2",
      "tcp_keepalives_count = 3", "client_connection_check_interval = '2s'",
    ])
  }

  /// Goes over to how connections of a pool behave.
  func enterPool() throws(PostgresFailure) {
    try limitWaiting()
    try shareSnapshots()
    try beginPipeline()
  }

  /// Has transactions that wait for each other give way long before PostgreSQL looks for deadlocks.
  ///
  /// Whoever waited for a row that another has changed has to begin again anyway.
  private func limitWaiting() throws(PostgresFailure) {
    try set([PostgresConnection.shortWait])
  }

  /// Has queries that are sent together, without a transaction of their own, see one state of the database.
  ///
  /// PostgreSQL runs what is sent together as one transaction, with the isolation that is usual for the connection.
  private func shareSnapshots() throws(PostgresFailure) {
    do {
      try execute("SET default_transaction_isolation = 'repeatable read'")
      sharesSnapshots = true
    } catch  where !error.isDisconnection {
      // Then each lookup is a transaction that is begun and ended.
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
