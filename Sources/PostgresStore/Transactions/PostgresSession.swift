import AuthCore
import SQLAccounts

/// A PostgreSQL transaction.
///
/// Statements without a result wait for the next query or for the commit and share its round trip. Only a
/// statement with many rows is sent immediately, so that the server runs it while the next one is prepared.
final class PostgresSession: SQLSession {
  private let connection: PostgresConnection
  private let options: ConnectionOptions
  private let announcing: Announcing
  /// The statements to run before anything else.
  private var queued: [Queued]
  /// The number of queued statements that begin the transaction.
  private let openingCount: Int
  /// The number of queued statements that were already sent.
  private var begun = 0
  private var hasBegun = false
  /// The prefetched queries, and the answers that were not read yet.
  private var expected: [SQLStatement] = []
  private var answered: [SQLStatement: PostgresAnswer] = [:]
  private let mode: Mode
  /// The number of events added, one for each change.
  private(set) var events = 0
  private var announced: Set<StoreChange> = []
  /// The failure that ended the transaction.
  private var failure: PostgresFailure?
  /// True if one round trip was not enough.
  private(set) var asksForMore = false

  let dialect = SQLDialect.postgres

  /// A statement that waits for the next exchange.
  private struct Queued {
    let statement: SQLStatement
    /// Names the key of a conflict if the statement fails; nil if it cannot conflict.
    ///
    /// The statement fails if it changes no row, finds a row, or violates uniqueness.
    var conflict: (() throws -> String)?

    /// Throws the error that the failure means.
    func fail(with failure: PostgresFailure) throws -> Never {
      guard let conflict, failure.isDivisionByZero || failure.isUniqueViolation else {
        throw failure
      }
      throw UniqueKeyConflict(key: (try? conflict()) ?? "row")
    }
  }

  enum Mode {
    case writing
    case reading
    /// Reads what a single round trip of prefetched queries can answer, without BEGIN. Anything else throws
    /// ``MoreThanOneExchange``.
    case glancing
    /// Runs statements that each see what was committed before them.
    case statement

    fileprivate var begin: String? {
      switch self {
      case .writing: "BEGIN ISOLATION LEVEL SERIALIZABLE"
      case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      case .glancing: nil
      case .statement: "BEGIN ISOLATION LEVEL READ COMMITTED"
      }
    }
  }

  /// The queries do not fit into one round trip.
  ///
  /// Thrown before any of them is sent.
  struct MoreThanOneExchange: Error {}

  init(
    _ connection: PostgresConnection, _ options: ConnectionOptions, _ announcing: Announcing,
    mode: Mode
  ) {
    self.connection = connection
    self.options = options
    self.announcing = announcing
    let mode = mode == .glancing && !connection.sharesSnapshots ? .reading : mode
    self.mode = mode
    let opening = [mode.begin.map { SQLStatement($0, []) }, connection.verification]
    queued = opening.compactMap(\.self).map { Queued(statement: $0) }
    openingCount = queued.count
  }

  /// True behind a pooler.
  var isPooled: Bool { connection.isPooled }

  func each(_ query: SQLStatement, _ body: (any SQLRow) throws -> Void) throws {
    let answer = try answer(to: query)
    for index in 0..<answer.rowCount { try body(answer.row(index)) }
  }

  func run(_ statement: SQLStatement) throws -> Int {
    try exchange([statement])[0].changedRows
  }

  func runLater(_ statement: SQLStatement) {
    queue(statement)
  }

  func run(_ changes: [SQLChange]) { changes.forEach(queueChecked) }

  func requireNone(_ query: String, for values: PackedRows, conflict: String) throws {
    queue(Queued(statement: .failing(where: query, finds: values), conflict: { conflict }))
    try begin()
  }

  func insert(_ rows: PackedRows, into table: BulkTable) throws {
    queue(
      Queued(statement: .inserting(rows, into: table), conflict: { "row of \(table.name)" }))
    try begin()
  }

  func append(_ event: EventRow) {
    events += 1
    queue(.appending(event))
  }

  func append(_ events: PackedEvents) throws {
    self.events += events.rows.count
    queue(.appending(events))
    try begin()
  }

  func expect(_ queries: [SQLStatement]) {
    if mode == .statement { answered = [:] }
    let unknown = queries.filter { answered[$0] == nil }
    guard let next = unknown.first, expected.first != next else { return }
    expected = unknown
  }

  func announce(_ change: StoreChange) {
    if announced.insert(change).inserted { queue(announcing.statement(change)) }
  }

  func unreadable(_ cause: any Error) -> AuthError {
    options.unavailable(
      "The store \(options.place) holds a row that cannot be read.",
      "Restore a backup if the database is damaged.", cause: cause)
  }

  /// Commits, in the same round trip as the statements that are left.
  func commit() throws {
    if let failure { throw failure }
    guard hasBegun || queued.count > openingCount else { return }
    do {
      _ = try exchange([.commit])
    } catch let failure as PostgresFailure
      where failure.isDisconnection && !failure.isBeforeLast && !failure.isPooler
    {
      var uncertain = failure
      uncertain.isUncertain = true
      throw uncertain
    }
  }

  /// Rolls back, after the queued statements have run and reported their conflicts.
  func takeBack() throws {
    if let failure { throw failure }
    if queued.count > openingCount { _ = try exchange([]) }
    queued = []
    if hasBegun { try connection.send([.rollback]) }
  }

  /// Ends a transaction that only read, without waiting for an answer.
  func finishReading() throws {
    if let failure { throw failure }
    if asksForMore { throw MoreThanOneExchange() }
    guard hasBegun, mode != .glancing else { return }
    try connection.send([.commit])
  }

  /// Rolls back; returns false if the connection cannot be used any more.
  func rollback() -> Bool {
    // Queued closures may hold this session, to name the key of a conflict.
    queued = []
    guard hasBegun, connection.isInTransaction else { return true }
    // If the transaction itself did not fail, there is no need to wait for the answer.
    if failure == nil, begun == 0 { return (try? connection.send([.rollback])) != nil }
    // The server skips everything that is sent together with a failed statement.
    if begun > 0, (try? connection.send([])) == nil { return false }
    guard let (_, failure) = try? connection.exchange([.rollback]) else { return false }
    return failure == nil
  }

  /// Sends what is queued, so that the server starts while more is prepared.
  private func begin() throws {
    if let failure { throw failure }
    hasBegun = true
    do {
      try connection.begin(queued[begun...].map(\.statement))
      begun = queued.count
    } catch {
      failure = error
      throw error
    }
  }

  private func queue(_ statement: SQLStatement) {
    queue(Queued(statement: statement))
  }

  /// Queues a change that fails the transaction unless it changes exactly one row.
  private func queueChecked(_ change: SQLChange) {
    guard let conflict = change.conflict else { return queue(change.statement) }
    queue(Queued(statement: .failingUnlessOne(change.statement), conflict: conflict))
  }

  private func queue(_ next: Queued) {
    queued.append(next)
    expected = []
    answered = [:]
  }

  private func answer(to query: SQLStatement) throws -> PostgresAnswer {
    // Not every prefetched query is read: without an account, the rest is not needed.
    if let answer = answered.removeValue(forKey: query) { return answer }
    let isExpected = expected.first == query
    if mode == .glancing, hasBegun || !isExpected {
      asksForMore = true
      throw MoreThanOneExchange()
    }
    let queries = isExpected ? expected : [query]
    // Nothing has changed since, so the other answers stay valid if the transaction has a snapshot.
    var known = mode == .statement ? [:] : answered
    let answers = try exchange(queries)
    for (query, answer) in zip(queries, answers).dropFirst() { known[query] = answer }
    answered = known
    return answers[0]
  }

  /// Runs what is queued and some statements, and returns the answers to the latter.
  private func exchange(_ statements: [SQLStatement]) throws -> [PostgresAnswer] {
    let (answers, failure) = try exchangeOrFail(statements)
    if let failure { throw failure }
    return answers
  }

  private func exchangeOrFail(
    _ statements: [SQLStatement]
  ) throws -> (answers: [PostgresAnswer], failure: PostgresFailure?) {
    if let failure { throw failure }
    let before = queued
    let unsent = before[begun...].map(\.statement)
    queued = []
    begun = 0
    expected = []
    answered = [:]
    hasBegun = true
    do {
      let (answers, failure) = try connection.exchange(unsent + statements)
      self.failure = failure
      guard let failure, answers.count < before.count else {
        return (Array(answers.dropFirst(before.count)), failure)
      }
      try before[answers.count].fail(with: failure)
    } catch {
      failure = failure ?? error as? PostgresFailure
      throw error
    }
  }
}

extension SQLDialect {
  static let postgres = SQLDialect(
    eventOfDelivery: """
      events.project = outbox.event_project AND events.tenant = outbox.event_tenant \
      AND events.sequence = outbox.sequence
      """, isRemote: true, passingOverLocked: "FOR UPDATE SKIP LOCKED",
    beyondASCII: { "octet_length(\($0)) <> char_length(\($0))" })
}
