import CPostgres
import Foundation
import SQLAccounts

/// A connection to a server, used by one thread.
///
/// It stays in libpq's pipeline mode, so statements that are sent together cost one round trip. Each statement is
/// prepared when it first runs.
final class PostgresConnection {
  let connection: OpaquePointer
  /// The names of the prepared statements, by their SQL.
  private var prepared: [String: String] = [:]
  private var named = 0
  /// A prefix of statement names that is unique to this connection, so that a name never refers to another
  /// connection's statement.
  private let namePrefix = "authgraph_\(String(UInt64.random(in: 0...UInt64.max), radix: 36))_"
  /// The server's process ID; 0 until ``identify()`` ran.
  private(set) var backend: Int32 = 0
  /// True behind a pooler, which reports a process ID of its own.
  private(set) var isPooled = false
  /// The statements that were sent and not answered yet, in order; nil ends a group.
  private var unread: [Sent] = []
  /// True if queries that are sent together, outside of a transaction, read the same snapshot.
  var sharesSnapshots = false
  /// The time limit of an answer, independent of the server's own limits.
  private let patience: Duration
  private let beganReadOnly: Bool

  private enum Sent {
    case preparation(of: String)
    case statement
    /// A statement that this class runs for itself.
    case housekeeping
    case end
  }

  /// The maximum number of prepared statements.
  ///
  /// Only searches, whose conditions vary, can reach it.
  private static let mostPrepared = 400

  init(_ options: ConnectionOptions) throws(PostgresFailure) {
    let names = options.keywords.keys.sorted()
    let values = names.map { options.keywords[$0] ?? "" }
    let made = withCStrings(names) { names in
      withCStrings(values) { values in PQconnectdbParams(names, values, 0) }
    }
    guard let made else { throw PostgresFailure(state: nil, message: "out of memory") }
    guard PQstatus(made) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(made)).trimmingSpace
      PQfinish(made)
      throw PostgresFailure(unreachable: message)
    }
    connection = made
    beganReadOnly = Self.isReadOnly(made)
    patience = .seconds(options.statementTimeout + 3)
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit {
    PQfinish(connection)
  }

  var isInTransaction: Bool { PQtransactionStatus(connection) != PQTRANS_IDLE }

  var serverVersion: Int32 { PQserverVersion(connection) }

  /// True once the server takes no more changes.
  ///
  /// From version 14 on, PostgreSQL reports that with its next answer.
  var hasBecomeReadOnly: Bool { !beganReadOnly && Self.isReadOnly(connection) }

  private static func isReadOnly(_ connection: OpaquePointer) -> Bool {
    PQparameterStatus(connection, "default_transaction_read_only").map { String(cString: $0) }
      == "on"
  }

  /// Reads the ID of the server's process.
  func identify() throws(PostgresFailure) {
    let answer = try execute("SELECT CAST(pg_backend_pid() AS TEXT)")
    guard let process = answer.row(0).text(0).flatMap({ Int32($0) }) else { return }
    backend = process
    // CockroachDB reports the number of a session, which cannot be compared.
    isPooled =
      process > 0 && process != PQbackendPID(connection)
      && PQparameterStatus(connection, "crdb_version") == nil
  }

  /// A statement that fails if a pooler has switched to another process; nil without a pooler.
  var verification: SQLStatement? {
    guard isPooled else { return nil }
    // Not a constant, which PostgreSQL would convert at planning time and fail whatever the process is.
    return SQLStatement(
      "SELECT CASE WHEN pg_backend_pid() = \(backend) THEN 1 "
        + "ELSE CAST(concat('\(PostgresFailure.anotherBackend) ', pg_backend_pid()) AS INTEGER) END",
      [])
  }

  /// True if the server has not closed the connection, as far as the client can know without a query.
  var isAlive: Bool {
    // A server that ends a connection sends its reason and then closes. libpq keeps the reason for the next call.
    while PQstatus(connection) == CONNECTION_OK, isReadable(within: 0) {
      guard PQconsumeInput(connection) == 1 else { return false }
    }
    return PQstatus(connection) == CONNECTION_OK
  }

  /// Waits up to some milliseconds for something to read.
  func isReadable(within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  /// Runs SQL without values outside of the pipeline, possibly several statements.
  @discardableResult
  func execute(_ sql: String) throws(PostgresFailure) -> PostgresAnswer {
    guard let answer = PQexec(connection, sql).map(PostgresAnswer.init) else { throw lost() }
    if let failure = answer.failure { throw completed(failure) }
    return answer
  }

  /// Enters pipeline mode, in which ``execute(_:)`` cannot be used any more.
  func beginPipeline() throws(PostgresFailure) {
    PQsetnonblocking(connection, 1)
    guard PQenterPipelineMode(connection) == 1 else { throw lost() }
  }

  /// Runs statements in one round trip.
  ///
  /// The statements after a failed one are skipped.
  func exchange(
    _ statements: [SQLStatement]
  ) throws(PostgresFailure) -> (answers: [PostgresAnswer], failure: PostgresFailure?) {
    try send(statements)
    return try receive()
  }

  /// Sends statements whose answers are ignored.
  func send(_ statements: [SQLStatement]) throws(PostgresFailure) {
    for statement in statements { try queue(statement) }
    guard PQpipelineSync(connection) == 1 else { throw lost() }
    unread.append(.end)
    try flush()
  }

  /// Sends statements ahead, so that the server runs them meanwhile.
  ///
  /// Their answers belong to the next exchange.
  func begin(_ statements: [SQLStatement]) throws(PostgresFailure) {
    for statement in statements { try queue(statement) }
    try flush()
  }

  /// Sends what fits into the socket.
  ///
  /// The rest is sent while an answer is awaited.
  private func flush() throws(PostgresFailure) {
    guard PQflush(connection) >= 0 else { throw lost() }
  }

  /// Reads every outstanding answer and returns those of the last exchange.
  private func receive() throws(PostgresFailure) -> (
    answers: [PostgresAnswer], failure: PostgresFailure?
  ) {
    var answers: [PostgresAnswer] = []
    var failure: PostgresFailure?
    let last = unread.lastIndex { if case .statement = $0 { true } else { false } }
    for (index, sent) in unread.enumerated() {
      let answer: PostgresAnswer
      do throws(PostgresFailure) {
        answer = try nextAnswer(sent)
      } catch {
        var lost = failure ?? error
        lost.isDisconnection = true
        // The server sent this in place of an earlier answer, so it has not reached the last statement.
        if lost.state != nil, index < last ?? 0 { lost.isBeforeLast = true }
        throw lost
      }
      switch sent {
      case .end:
        guard index < unread.count - 1 else { continue }
        // The end of statements whose answers are ignored.
        answers = []
        failure = nil
      case .preparation(let sql):
        if answer.status != PGRES_COMMAND_OK { prepared[sql] = nil }
        failure = failure ?? answer.failure
      case .housekeeping:
        failure = failure ?? answer.failure
      case .statement:
        if answer.isDone, failure == nil { answers.append(answer) }
        if failure == nil, var own = answer.failure {
          own.isBeforeLast = index != last
          failure = own
        }
      }
    }
    unread = []
    return (answers, failure.map { completed($0) })
  }

  private func nextAnswer(_ sent: Sent) throws(PostgresFailure) -> PostgresAnswer {
    try waitForAnswer()
    guard let answer = PQgetResult(connection).map(PostgresAnswer.init) else { throw lost() }
    if PQstatus(connection) == CONNECTION_BAD { throw completed(answer.failure ?? lost()) }
    if case .end = sent {
      guard answer.status == PGRES_PIPELINE_SYNC else { throw lost() }
      return answer
    }
    // A nil result ends the answers of each statement.
    if let more = PQgetResult(connection).map(PostgresAnswer.init) {
      throw completed(more.failure ?? lost())
    }
    return answer
  }

  /// Waits until an answer is there.
  ///
  /// The client needs its own limit, because the server's does not help if the server hangs.
  private func waitForAnswer() throws(PostgresFailure) {
    let deadline = ContinuousClock.now + patience
    while PQisBusy(connection) == 1 {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      let unsent = PQflush(connection)
      guard unsent >= 0 else { throw lost() }
      var descriptor = pollfd(
        fd: PQsocket(connection), events: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN), revents: 0)
      guard poll(&descriptor, 1, Int32(max(0, left))) != 0 else {
        // Makes every further use of the connection fail at once.
        shutdown(PQsocket(connection), Int32(SHUT_RDWR))
        throw PostgresFailure(
          state: nil, message: "no answer within \(patience.components.seconds) seconds",
          isDisconnection: true)
      }
      guard PQconsumeInput(connection) == 1 else { throw lost() }
    }
  }

  private func queue(_ statement: SQLStatement) throws(PostgresFailure) {
    let name = try prepare(statement.sql)
    let isSent = ParameterTexts.with(statement.values) { pointers in
      PQsendQueryPrepared(
        connection, name, Int32(pointers.count), pointers.baseAddress, nil, nil, 0)
    }
    guard isSent == 1 else { throw lost() }
    unread.append(.statement)
  }

  /// Returns the name of a prepared statement; a new one is prepared in the same round trip.
  private func prepare(_ sql: String) throws(PostgresFailure) -> String {
    if let known = prepared[sql] { return known }
    if prepared.count >= Self.mostPrepared { try forgetAll() }
    named += 1
    let name = "\(namePrefix)\(named)"
    guard PQsendPrepare(connection, name, PlaceholderText.numbered(sql), 0, nil) == 1 else {
      throw lost()
    }
    unread.append(.preparation(of: sql))
    prepared[sql] = name
    return name
  }

  private func forgetAll() throws(PostgresFailure) {
    prepared = [:]
    guard PQsendQueryParams(connection, "DEALLOCATE ALL", 0, nil, nil, nil, nil, 0) == 1 else {
      throw lost()
    }
    unread.append(.housekeeping)
  }

  /// Returns the notifications received outside of the pipeline; throws if the server is gone.
  func notifications() throws(PostgresFailure) -> [String] {
    guard PQconsumeInput(connection) == 1 else { throw lost() }
    var payloads: [String] = []
    while let notification = PQnotifies(connection) {
      payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
      PQfreemem(notification)
    }
    return payloads
  }

  private var message: String {
    String(cString: PQerrorMessage(connection)).trimmingSpace
  }

  func lost() -> PostgresFailure {
    PostgresFailure(
      state: nil, message: message.isEmpty ? "the connection was lost" : message,
      isDisconnection: true)
  }

  /// Returns a failure that also says if the connection is lost.
  private func completed(_ failure: PostgresFailure) -> PostgresFailure {
    var failure = failure
    if isPooled, failure.isOfAnotherBackend { failure = .pooler }
    failure.isDisconnection =
      failure.isPooler || PQstatus(connection) == CONNECTION_BAD
      || failure.state.map { PostgresFailure.disconnections.contains($0) } ?? true
    return failure
  }
}
