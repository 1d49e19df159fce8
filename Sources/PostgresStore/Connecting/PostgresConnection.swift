import CPostgres
import Foundation
import SQLAccounts

/// A connection to a server, used by one thread.
///
/// Always in libpq's pipeline mode: what is sent together costs one round trip. Statements are prepared when they
/// are first met.
final class PostgresConnection {
  let connection: OpaquePointer
  /// Names of prepared statements.
  private var prepared: [String: String] = [:]
  private var named = 0
  /// Begins the names of this connection's prepared statements, so that none ever runs another connection's.
  private let namePrefix = "authgraph_\(String(UInt64.random(in: 0...UInt64.max), radix: 36))_"
  /// The server's process; 0 until it was asked for.
  private(set) var backend: Int32 = 0
  /// Whether a pooler is in between: it tells a process of its own invention.
  private(set) var isPooled = false
  /// What was sent and not read yet, in order; nil ends what belongs together.
  private var unread: [Sent] = []
  /// Whether queries that are sent together, without a transaction of their own, see one state of the database.
  var sharesSnapshots = false
  /// How long an answer may take, whatever the server thinks.
  private let patience: Duration
  private let beganReadOnly: Bool

  private enum Sent {
    case preparation(of: String)
    case statement
    /// A statement of this class's own.
    case housekeeping
    case end
  }

  /// Statements of searches differ by their conditions; all others are few.
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

  /// Whether the server takes no changes any more; PostgreSQL reports it, from version 14 on, with its next answer.
  var hasBecomeReadOnly: Bool { !beganReadOnly && Self.isReadOnly(connection) }

  private static func isReadOnly(_ connection: OpaquePointer) -> Bool {
    PQparameterStatus(connection, "default_transaction_read_only").map { String(cString: $0) }
      == "on"
  }

  /// Learns which of the server's processes it leads to.
  func identify() throws(PostgresFailure) {
    let answer = try execute("SELECT CAST(pg_backend_pid() AS TEXT)")
    guard let process = answer.row(0).text(0).flatMap({ Int32($0) }) else { return }
    backend = process
    // CockroachDB's number is of a session, and none that can be compared.
    isPooled =
      process > 0 && process != PQbackendPID(connection)
      && PQparameterStatus(connection, "crdb_version") == nil
  }

  /// A statement that fails unless a pooler still leads to the same process; nil without a pooler.
  var verification: SQLStatement? {
    guard isPooled else { return nil }
    // No constant, which PostgreSQL would convert, and fail, whichever process it is.
    return SQLStatement(
      "SELECT CASE WHEN pg_backend_pid() = \(backend) THEN 1 "
        + "ELSE CAST(concat('\(PostgresFailure.anotherBackend) ', pg_backend_pid()) AS INTEGER) END",
      [])
  }

  /// Whether the server has not hung up, as far as can be told without asking it.
  var isAlive: Bool {
    // A server that ends a connection says so, and then hangs up; libpq keeps what it said before for whoever asks.
    while PQstatus(connection) == CONNECTION_OK, isReadable(within: 0) {
      guard PQconsumeInput(connection) == 1 else { return false }
    }
    return PQstatus(connection) == CONNECTION_OK
  }

  /// Waits for something to read, for some milliseconds.
  func isReadable(within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  /// Runs SQL without values outside of the pipeline; may be several statements.
  @discardableResult
  func execute(_ sql: String) throws(PostgresFailure) -> PostgresAnswer {
    guard let answer = PQexec(connection, sql).map(PostgresAnswer.init) else { throw lost() }
    if let failure = answer.failure { throw completed(failure) }
    return answer
  }

  /// Goes over to pipeline mode, where ``execute(_:)`` is of no use any more.
  func beginPipeline() throws(PostgresFailure) {
    PQsetnonblocking(connection, 1)
    guard PQenterPipelineMode(connection) == 1 else { throw lost() }
  }

  /// Runs statements in one round trip; those behind one that fails are not run.
  func exchange(
    _ statements: [SQLStatement]
  ) throws(PostgresFailure) -> (answers: [PostgresAnswer], failure: PostgresFailure?) {
    try send(statements)
    return try receive()
  }

  /// Sends statements whose answers nobody waits for.
  func send(_ statements: [SQLStatement]) throws(PostgresFailure) {
    for statement in statements { try queue(statement) }
    guard PQpipelineSync(connection) == 1 else { throw lost() }
    unread.append(.end)
    try flush()
  }

  /// Sends statements whose answers are part of the next exchange's, so that the server runs them meanwhile.
  func begin(_ statements: [SQLStatement]) throws(PostgresFailure) {
    for statement in statements { try queue(statement) }
    try flush()
  }

  /// Sends what fits into the socket; the rest goes out while an answer is waited for.
  private func flush() throws(PostgresFailure) {
    guard PQflush(connection) >= 0 else { throw lost() }
  }

  /// Reads every answer that is due; gives those of the last exchange.
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
        // The server said so in place of an earlier answer: it has not come to the last statement.
        if lost.state != nil, index < last ?? 0 { lost.isBeforeLast = true }
        throw lost
      }
      switch sent {
      case .end:
        guard index < unread.count - 1 else { continue }
        // That of statements whose answers nobody waited for.
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
    // Each statement's answers end with nothing.
    if let more = PQgetResult(connection).map(PostgresAnswer.init) {
      throw completed(more.failure ?? lost())
    }
    return answer
  }

  /// Waits until there is an answer to take.
  ///
  /// The server's own limit on statements is of no use where the server stands still.
  private func waitForAnswer() throws(PostgresFailure) {
    let deadline = ContinuousClock.now + patience
    while PQisBusy(connection) == 1 {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      let unsent = PQflush(connection)
      guard unsent >= 0 else { throw lost() }
      var descriptor = pollfd(
        fd: PQsocket(connection), events: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN), revents: 0)
      guard poll(&descriptor, 1, Int32(max(0, left))) != 0 else {
        // Whatever is still tried on it fails at once.
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

  /// The name of a prepared statement, which is prepared in the same round trip where it is new.
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

  /// The notifications that have come, outside of the pipeline; throws where the server is gone.
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

  /// A failure, and whether the connection went with it.
  private func completed(_ failure: PostgresFailure) -> PostgresFailure {
    var failure = failure
    if isPooled, failure.isOfAnotherBackend { failure = .pooler }
    failure.isDisconnection =
      failure.isPooler || PQstatus(connection) == CONNECTION_BAD
      || failure.state.map { PostgresFailure.disconnections.contains($0) } ?? true
    return failure
  }
}
