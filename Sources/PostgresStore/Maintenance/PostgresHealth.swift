public import AuthCore
import SQLAccounts
import Synchronization

/// What is known of a database's readiness for changes.
final class PostgresHealth: Sendable {
  let writes = WriteHealth()
  /// When changes met a server that takes none, the first time and the last time.
  private let readOnly = Mutex<(since: ContinuousClock.Instant, until: ContinuousClock.Instant)?>(
    nil)

  /// For how long changes wait for another server when theirs became read-only.
  private static let patience = Attempts.patience
  /// After this long without such a failure the next one is the first again.
  private static let memory = Duration.seconds(5)

  /// Whether a failure has lasted for so long that another attempt is of no use.
  func lasts(_ failure: PostgresFailure) -> Bool {
    guard failure.isReadOnly else { return false }
    return readOnly.withLock { times in
      let now = ContinuousClock.now
      let last = times.flatMap { now - $0.until < Self.memory ? $0 : nil }
      times = (last?.since ?? now, now)
      return last.map { now - $0.since >= Self.patience } ?? false
    }
  }

  /// Notes that a change could be written.
  func succeeded() {
    readOnly.withLock { $0 = nil }
    writes.succeeded()
  }

  /// Notes an error if it is one that any change would meet.
  func note(_ error: any Error, _ options: ConnectionOptions) {
    guard let failure = error as? PostgresFailure, let reason = failure.outage else { return }
    writes.failed(StoreOutage(reason, options.translated(failure)))
  }
}

extension PostgresFailure {
  /// Why no change can be written; nil if the failure is of one transaction alone.
  var outage: StoreOutage.Reason? {
    if isUncertain { return nil }
    if isPooler { return .pooler }
    switch state {
    case "25006": return .readOnly
    case "53100": return .full
    case "53300": return .noConnection
    // The schema or a right on it is gone.
    case "3F000", "42P01", "42501", "3D000": return .failed
    default: return isDisconnection ? .unreachable : nil
    }
  }
}

extension PostgresStore: WriteChecking {
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
  /// How many rows a query sorts away on the disk: some hundred KiB.
  private static let rowsOfProbe = 20_000

  /// Writes something and takes it back; asks for room on the disk too, where the engine puts large results.
  ///
  /// Throws what a change would meet. A row alone would say nothing of a full disk: there may be room for it in a page
  /// that is there already.
  fileprivate func probeWriting(_ engine: Engine) throws(PostgresFailure) {
    var statements = [SQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED", [])]
    if engine == .postgres {
      statements += [
        SQLStatement("SET LOCAL work_mem = '64kB'", []),
        // That of the database itself.
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
