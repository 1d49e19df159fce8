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
  /// What was sent and not read yet, in order; nil ends what belongs together.
  private var unread: [Sent] = []
  /// Whether queries that are sent together, without a transaction of their own, see one state of the database.
  var sharesSnapshots = false
  /// How long an answer may take, whatever the server thinks.
  private let patience: Duration

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
      throw PostgresFailure(
        state: Self.stateInMessage(message), message: message, isDisconnection: true)
    }
    connection = made
    patience = .seconds(options.statementTimeout + 3)
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit {
    PQfinish(connection)
  }

  var isInTransaction: Bool { PQtransactionStatus(connection) != PQTRANS_IDLE }

  var serverVersion: Int32 { PQserverVersion(connection) }

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
    for (index, sent) in unread.enumerated() {
      let answer = try nextAnswer(sent)
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
        failure = failure ?? answer.failure
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
    let name = "s\(named)"
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

  private func lost() -> PostgresFailure {
    PostgresFailure(
      state: nil, message: message.isEmpty ? "the connection was lost" : message,
      isDisconnection: true)
  }

  /// A failure, and whether the connection went with it.
  private func completed(_ failure: PostgresFailure) -> PostgresFailure {
    var failure = failure
    failure.isDisconnection =
      PQstatus(connection) == CONNECTION_BAD
      || failure.state.map { PostgresFailure.disconnections.contains($0) } ?? true
    return failure
  }

  /// libpq tells why it cannot connect in words alone; those of a refusal are the server's.
  private static func stateInMessage(_ message: String) -> String? {
    if message.contains("password authentication failed") { return "28P01" }
    if message.contains("no pg_hba.conf entry") || message.contains("no password supplied") {
      return "28000"
    }
    if message.contains("database \""), message.contains("does not exist") { return "3D000" }
    if message.contains("role \""), message.contains("does not exist") { return "28000" }
    return nil
  }
}
