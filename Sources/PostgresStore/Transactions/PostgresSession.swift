import AuthCore
import SQLAccounts

/// A transaction of PostgreSQL.
///
/// What nobody waits for is sent together with what somebody does, and the rest with the commit; only statements of many
/// rows go out at once, so that the server runs them while the next are made.
final class PostgresSession: SQLSession {
  private let connection: PostgresConnection
  private let options: ConnectionOptions
  private let announcing: Announcing
  /// What has to be run before anything else.
  private var queued: [Queued]
  /// How many of these begin the transaction.
  private let openingCount: Int
  /// How many of them the server has been sent already.
  private var begun = 0
  private var hasBegun = false
  /// Queries that were told of, and answers to them that nobody has asked for yet.
  private var expected: [SQLStatement] = []
  private var answered: [SQLStatement: PostgresAnswer] = [:]
  private let mode: Mode
  /// How many events it has added: one for each change.
  private(set) var events = 0
  private var announced: Set<StoreChange> = []
  /// What the transaction failed with; it cannot go on.
  private var failure: PostgresFailure?
  /// Whether a glance was not enough.
  private(set) var asksForMore = false

  let dialect = SQLDialect.postgres

  /// A statement that waits for the next exchange.
  private struct Queued {
    let statement: SQLStatement
    /// What its failure means: that it changes no row, finds one, or meets a key that is taken; nil where it may.
    var conflict: (() throws -> String)?

    /// Throws what its failure means; nothing can be asked any more.
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
    /// For what was told of and one exchange answers, which is a transaction by itself where snapshots are shared; all
    /// else throws ``MoreThanOneExchange``.
    case glancing
    /// For statements that each see what was committed before them.
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

  /// Thrown before anything is asked that a glance is not for.
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

  /// Whether a pooler is in between.
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
      "Restore a backup where the database is damaged.", cause: cause)
  }

  /// Commits what was done, in the round trip of whatever is left to do.
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

  /// Takes back what was done, after whatever is in the way of it was found.
  func takeBack() throws {
    if let failure { throw failure }
    if queued.count > openingCount { _ = try exchange([]) }
    queued = []
    if hasBegun { try connection.send([.rollback]) }
  }

  /// Ends a transaction that only read; nobody waits for it.
  func finishReading() throws {
    if let failure { throw failure }
    if asksForMore { throw MoreThanOneExchange() }
    guard hasBegun, mode != .glancing else { return }
    try connection.send([.commit])
  }

  /// Takes everything back; false where the connection is of no use any more.
  func rollback() -> Bool {
    // What is queued may name this session, to say what was in its way.
    queued = []
    guard hasBegun, connection.isInTransaction else { return true }
    // Where nothing is wrong with the transaction itself, nobody has to wait.
    if failure == nil, begun == 0 { return (try? connection.send([.rollback])) != nil }
    // The server runs nothing that is sent together with what has failed.
    if begun > 0, (try? connection.send([])) == nil { return false }
    guard let (_, failure) = try? connection.exchange([.rollback]) else { return false }
    return failure == nil
  }

  /// Has the server begin with what is queued, while there is more to come.
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

  /// Queues a change that fails, and the transaction with it, where it does not change its one row.
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
    // What was told of is not always asked for: where there is no account, nobody asks what belongs to it.
    if let answer = answered.removeValue(forKey: query) { return answer }
    let isExpected = expected.first == query
    if mode == .glancing, hasBegun || !isExpected {
      asksForMore = true
      throw MoreThanOneExchange()
    }
    let queries = isExpected ? expected : [query]
    // Nothing was changed since, and where a transaction sees no one else's changes either the rest stays true.
    var known = mode == .statement ? [:] : answered
    let answers = try exchange(queries)
    for (query, answer) in zip(queries, answers).dropFirst() { known[query] = answer }
    answered = known
    return answers[0]
  }

  /// Runs what is queued and some statements, and gives the answers to these.
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
      """, isRemote: true, passingOverLocked: "FOR UPDATE SKIP LOCKED")
}
