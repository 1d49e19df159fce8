public import AuthCore
import SQLAccounts
import Synchronization

/// The latest knowledge of the database's ability to take changes.
final class PostgresHealth: Sendable {
  let writes = WriteHealth()
  /// The first and the last time at which a change met a read-only server.
  private let readOnly = Mutex<(since: ContinuousClock.Instant, until: ContinuousClock.Instant)?>(
    nil)

  /// The time that changes wait for another server after theirs became read-only.
  private static let patience = Attempts.patience
  /// The time after which a new failure counts as the first again.
  private static let memory = Duration.seconds(5)

  /// Returns true if a failure has lasted so long that another attempt is useless.
  func lasts(_ failure: PostgresFailure) -> Bool {
    guard failure.isReadOnly else { return false }
    return readOnly.withLock { times in
      let now = ContinuousClock.now
      let last = times.flatMap { now - $0.until < Self.memory ? $0 : nil }
      times = (last?.since ?? now, now)
      return last.map { now - $0.since >= Self.patience } ?? false
    }
  }

  /// Records that a change was written.
  func succeeded() {
    readOnly.withLock { $0 = nil }
    writes.succeeded()
  }

  /// Records an error if every change would meet it.
  func note(_ error: any Error, _ options: ConnectionOptions) {
    guard let failure = error as? PostgresFailure, let reason = failure.outage else { return }
    writes.failed(StoreOutage(reason, options.translated(failure)))
  }
}

extension PostgresFailure {
  /// The reason that no change can be written; nil if the failure concerns one transaction alone.
  var outage: StoreOutage.Reason? {
    if isUncertain { return nil }
    if isPooler { return .pooler }
    switch state {
    case "25006": return .readOnly
    case "53100": return .full
    case "53300": return .noConnection
    // The schema, or the right to use it, is gone.
    case "3F000", "42P01", "42501", "3D000": return .failed
    default: return isDisconnection ? .unreachable : nil
    }
  }
}

extension PostgresStore: WriteChecking {
  /// Checks that changes can be written; throws the outage that a change would meet.
  public func checkWriting() async throws(StoreOutage) {
    let outage = await health.writes.outage { [pool, options, engine, health] in
      do {
        try await pool.perform(patience: .zero, isAhead: true) { slot, _ in
          do {
            try slot.connected().probeWriting(engine)
          } catch let failure as PostgresFailure {
            if failure.isReadOnly { slot.leaveServer() }
            if failure.isDisconnection { slot.disconnect() }
            throw failure
          }
        }
        health.succeeded()
        return nil
      } catch {
        let reason = (error as? PostgresFailure)?.outage
        return reason.map { StoreOutage($0, options.translated(error)) }
      }
    }
    if let outage { throw outage }
  }
}

extension PostgresConnection {
  /// The number of rows that make a query sort on disk, some hundred KiB.
  private static let rowsOfProbe = 20_000

  /// Writes something and rolls it back.
  ///
  /// Also makes the engine use disk space for a large result.
  ///
  /// Throws the failure that a change would meet. A row alone would not detect a full disk, because an existing page
  /// may have room for it.
  fileprivate func probeWriting(_ engine: Engine) throws(PostgresFailure) {
    var statements = [SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED", [])]
    if engine == .postgres {
      statements += [
        SQLStatement("SET LOCAL work_mem = '64kB'", []),
        // The tablespace of the database itself.
        SQLStatement("SET LOCAL temp_tablespaces = ''", []),
        SQLStatement("SELECT count(*) FROM generate_series(1, \(Self.rowsOfProbe))", []),
      ]
    }
    statements += [
      SQLStatement(
        """
        INSERT INTO counts (name, amount, expires_at)
        VALUES (concat('ready ', CAST(pg_backend_pid() AS TEXT)), 0, 0)
        """, []), .rollback,
    ]
    let (_, failure) = try exchange(statements)
    guard let failure else { return }
    if !failure.isDisconnection { _ = try exchange([.rollback]) }
    throw failure
  }
}
