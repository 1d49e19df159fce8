import Synchronization

/// A list of operations that are decided now and committed later, together or not at all.
///
/// Each operation is decided on the state that the earlier ones leave. For that, all of them run in one transaction,
/// which is rolled back. Nothing is written, and no transaction stays open, until ``commit(reason:replacing:)`` decides
/// them all again in one transaction. If others changed an account meanwhile, it commits nothing.
public final class Rehearsal: Sendable {
  /// The maximum number of operations, each of which is decided again for every later one.
  public static let mostSteps = 500

  /// An operation of the list.
  struct Step: Sendable {
    typealias Run = @Sendable (any AccountWriter, Moment, Caller) throws -> Verdict

    let moment: Moment
    let caller: Caller
    /// Decides and writes; an operation that is refused, or wants something else first, writes nothing.
    let run: Run
    /// The last decision.
    var verdict = Verdict(action: .update)

    init(moment: Moment, caller: Caller, run: @escaping Run) {
      self.moment = moment
      self.caller = caller
      self.run = run
    }
  }

  /// An operation as it was decided last.
  public struct Entry: Sendable {
    /// The receipt, which is valid once the list is committed.
    public let receipt: Receipt
    /// The account after the operation; nil if it concerns none, or deletes it.
    public let account: Account?
    /// The event, which is stored by the commit.
    public let event: AuditEvent
  }

  private let store: any AccountStore
  private let clock: @Sendable () -> Timestamp
  private let mostSteps: Int
  private let steps = Mutex<[Step]>([])

  /// Makes an empty list for a graph; ``AccountGraph/rehearsing(in:)`` appends to it.
  public init(of graph: AccountGraph, mostSteps: Int = mostSteps) {
    self.mostSteps = mostSteps
    store = graph.store
    clock = graph.clock
  }

  /// The operations, in order.
  public var entries: [Entry] { steps.withLock { $0.map(\.entry) } }

  /// The number of operations.
  public var count: Int { steps.withLock(\.count) }

  /// Decides an operation after the others, and appends it unless it is refused.
  func perform(_ step: Step) async throws -> Verdict {
    let earlier = steps.withLock { $0 }
    guard step.caller.dryRun || earlier.count < mostSteps else {
      throw AuthError(
        .operationNotAllowed, "A rehearsal has at most \(mostSteps) changes.",
        remedy: "Commit them first.", step: .commit)
    }
    let verdict: Verdict
    do {
      verdict = try await trying { writer in
        _ = try earlier.decideAgain(on: writer)
        return try step.run(writer, step.moment, step.caller)
      }
    } catch let conflict as UniqueKeyConflict {
      // The conflict may be that of an earlier operation.
      _ = try await decideAgain(earlier)
      throw conflict
    }
    guard verdict.wanted == nil, verdict.error == nil, !verdict.changesNothing,
      !step.caller.dryRun
    else { return verdict }
    var step = step
    step.verdict = verdict
    steps.withLock { [step] in $0.append(step) }
    return verdict
  }

  /// Reads the state that the operations leave.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    let steps = steps.withLock { $0 }
    do {
      return try await trying { writer in
        _ = try steps.decideAgain(on: writer)
        return try body(writer)
      }
    } catch is UniqueKeyConflict {
      throw AuthError.rehearsalOutdated("Others changed what the rehearsal changes.")
    }
  }

  /// Commits the operations in one transaction, at the present time, and empties the list.
  ///
  /// The reason, if there is one, replaces those that `isReplaced` accepts. Throws `too-much-contention` if others
  /// changed an account of the list since it was decided. ``entries`` then has the new decisions, and a second call
  /// commits those.
  public func commit(
    reason: String? = nil,
    replacing isReplaced: @escaping @Sendable (String?) -> Bool = { _ in true }
  ) async throws -> [Entry] {
    let known = steps.withLock { $0 }
    guard !known.isEmpty else { return [] }
    var fresh = known
    for (index, verdict) in try await decideAgain(known).enumerated() {
      fresh[index].verdict = verdict
    }
    let changed = zip(known, fresh).enumerated().flatMap { index, pair in
      pair.0.verdict.differences(from: pair.1.verdict).map { "\($0) (\(index + 1))" }
    }
    steps.withLock { [fresh] in $0 = fresh }
    guard changed.isEmpty else {
      throw AuthError(
        .tooMuchContention,
        "Others changed what the rehearsal changes: \(changed.joined(separator: ", ")).",
        remedy: "Look at the plan again, which shows the present state, and commit then.",
        step: .commit)
    }
    let now = clock()
    let done = try await committing(fresh, at: now) { caller in
      guard let reason, isReplaced(caller.reason) else { return caller }
      var caller = caller
      caller.reason = reason
      return caller
    }
    steps.withLock { $0 = [] }
    return done.map(\.entry)
  }

  private func committing(
    _ steps: [Step], at now: Timestamp, as caller: @escaping @Sendable (Caller) -> Caller
  ) async throws -> [Step] {
    do {
      return try await store.transact(.change) { writer in
        var done: [Step] = []
        for step in steps {
          var moment = step.moment
          moment.now = now
          var again = Step(moment: moment, caller: caller(step.caller), run: step.run)
          again.verdict = try again.run(writer, again.moment, again.caller)
          // The decision was the same a moment ago; this time the transaction is that of the commit.
          guard again.verdict.error == nil, again.verdict.wanted == nil,
            again.verdict.changesTheSame(as: step.verdict)
          else { throw UniqueKeyConflict(key: "plan") }
          done.append(again)
        }
        return .commit(done)
      }
    } catch is UniqueKeyConflict {
      throw AuthError.rehearsalOutdated("Others changed an account during the commit.")
    }
  }

  private func decideAgain(_ steps: [Step]) async throws -> [Verdict] {
    do {
      return try await trying { try steps.decideAgain(on: $0) }
    } catch is UniqueKeyConflict {
      throw AuthError.rehearsalOutdated(
        "Others took an address or an identity that the rehearsal gives.")
    }
  }

  /// Runs a closure in a transaction that is rolled back.
  private func trying<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    try await store.transact(.change) { .takeBack(try body($0)) }
  }
}

extension [Rehearsal.Step] {
  /// Decides and writes the operations as before, at the same times; throws if one is refused now.
  fileprivate func decideAgain(on writer: any AccountWriter) throws -> [Verdict] {
    try enumerated().map { index, step in
      let verdict = try step.run(writer, step.moment, step.caller)
      guard verdict.error == nil, verdict.wanted == nil else {
        let reason = verdict.error.map { ": \($0.message)" } ?? "."
        throw AuthError.rehearsalOutdated(
          "Change \(index + 1) of the rehearsal, \(verdict.action.rawValue), cannot be done any more\(reason)"
        )
      }
      return verdict
    }
  }
}

extension Rehearsal.Step {
  fileprivate var entry: Rehearsal.Entry {
    Rehearsal.Entry(
      receipt: verdict.receipt(
        about: verdict.accountID ?? AccountID(""), at: moment, dryRun: false),
      account: verdict.account, event: verdict.event(at: moment, by: caller))
  }
}

extension Verdict {
  /// Returns the names of what differs from another decision on the same operation: uids, and "settings".
  ///
  /// The activity of a person, such as a sign-in, is no difference.
  fileprivate func differences(from other: Verdict) -> [String] {
    var names: [String] = []
    let (mine, others) = (changes.states, other.changes.states)
    for id in Set(mine.keys).union(others.keys).sorted() {
      let pairs = zip(mine[id] ?? [], others[id] ?? [])
      let isSame =
        mine[id]?.count == others[id]?.count && pairs.allSatisfy { $0.equalsIgnoringActivity($1) }
      if !isSame { names.append(id.rawValue) }
    }
    if changes.settings != other.changes.settings { names.append("settings") }
    if names.isEmpty && changes.aliases != other.changes.aliases {
      names = changes.aliases.keys.map(\.rawValue).sorted()
    }
    // A deletion that was undone meanwhile, and done again, is another one.
    if names.isEmpty && details["deletion"] != other.details["deletion"] {
      names = [accountID?.rawValue].compactMap(\.self)
    }
    return names
  }

  /// Tells whether a decision changes the same revisions of the same accounts.
  fileprivate func changesTheSame(as other: Verdict) -> Bool {
    changes.inserted.map(\.id) == other.changes.inserted.map(\.id)
      && changes.updated.map(\.old.revisionKey) == other.changes.updated.map(\.old.revisionKey)
      && changes.deleted.map(\.revisionKey) == other.changes.deleted.map(\.revisionKey)
      && changes.aliases == other.changes.aliases
      && details["deletion"] == other.details["deletion"]
      && (changes.settings == nil) == (other.changes.settings == nil)
  }
}

extension ChangeSet {
  /// The states of each account that the change reads and leaves, by uid.
  fileprivate var states: [AccountID: [Account]] {
    var states: [AccountID: [Account]] = [:]
    for account in inserted + deleted { states[account.id, default: []].append(account) }
    for update in updated { states[update.new.id, default: []] += [update.old, update.new] }
    return states
  }
}

extension Account {
  fileprivate var revisionKey: String { "\(id)\0\(revision)" }
}

/// A store that reads what a rehearsal's operations leave, and takes no other write.
struct RehearsedStore: AccountStore {
  let base: any AccountStore
  let rehearsal: Rehearsal

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    guard rehearsal.count > 0 else { return try await base.read(from: source, body) }
    return try await rehearsal.read(body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    throw AuthError.notRehearsed("This")
  }
}

extension AuthError {
  /// The refusal of an operation that cannot be appended to a rehearsal.
  package static func notRehearsed(_ what: String) -> AuthError {
    AuthError(
      .operationNotAllowed, "\(what) cannot be rehearsed.",
      remedy: "Do it before begin(), or after commit() or nevermind().", step: .decision)
  }

  fileprivate static func rehearsalOutdated(_ message: String) -> AuthError {
    AuthError(
      .tooMuchContention, message,
      remedy: "Nothing was written. nevermind() ends the rehearsal; begin() starts another.",
      step: .commit)
  }
}
