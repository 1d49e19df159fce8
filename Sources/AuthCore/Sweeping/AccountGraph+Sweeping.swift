/// The sweep, which removes expired data from the store.
///
/// Transactions of clients remove only their own data. A server or an embedding app sweeps expired records every minute
/// and everything else every hour; `authgraph store sweep` sweeps once. Everything is removed in small transactions
/// that block no writer, and several processes may sweep one store at once.
extension AccountGraph {
  /// The number of rows that one transaction removes or examines.
  static let sweptTogether = 1000
  /// The seconds for which an expired record stays, so that a late use fails as expired.
  static let graceOfRecords: Int64 = 600
  /// The seconds for which an ended session stays, so that a refresh fails with the reason.
  static let graceOfSessions: Int64 = 30 * 86_400
  /// The seconds between two full sweeps.
  public static let sweepPeriod: Int64 = 3600

  /// Removes expired one-time records; returns their number.
  ///
  /// A server calls it every minute.
  @discardableResult
  public func sweepOneTimeRecords() async throws -> Int {
    let moment = clock().adding(seconds: -Self.graceOfRecords)
    var removed = 0
    while true {
      try Task.checkCancellation()
      let count = try await store.sweep { sweeper in
        let expired = try sweeper.expiredRecords(by: moment, limit: Self.sweptTogether)
        for found in expired { try sweeper.removeOneTimeRecord(found.record.id, in: found.scope) }
        return expired.count
      }
      removed += count
      if count < Self.sweptTogether { return removed }
    }
  }

  /// Removes all expired data: one-time records, sessions, events, deliveries without a consumer, ended merges and
  /// decisions of merge policies.
  ///
  /// The lifetimes are in each scope's settings: ``ProjectSettings/eventRetentionDays``,
  /// ``ProjectSettings/sessionRetentionDays``, ``ProjectSettings/mergeRetentionDays`` and
  /// ``ProjectSettings/decisionRetentionDays``. Throws an error of the store; removals up to then are kept.
  @discardableResult
  public func sweep() async throws -> SweepOutcome {
    try await SweepState.note(clock(), in: store)
    var outcome = SweepOutcome()
    outcome.oneTimeRecords = try await sweepOneTimeRecords()
    try await sweepMerges()
    outcome.sessions = try await sweepSessions()
    outcome.deliveries = try await sweepDeliveries()
    outcome.events = try await sweepEvents()
    outcome.decisions = try await sweepDecisions()
    return outcome
  }

  /// Sweeps everything, unless another process did so within the last hour.
  ///
  /// Returns nil if there was nothing to do.
  @discardableResult
  public func sweepIfDue() async throws -> SweepOutcome? {
    let last = try await lastSweep()
    let age = last.map { clock().milliseconds - $0.milliseconds }
    if let age, (0..<Self.sweepPeriod * 1000).contains(age) { return nil }
    return try await sweep()
  }

  /// Returns the time of the last full sweep by any process; nil if there was none.
  public func lastSweep() async throws -> Timestamp? { try await SweepState.last(in: store) }

  /// Removes sessions that cannot continue, one page at a time.
  private func sweepSessions() async throws -> Int {
    let now = clock()
    var removed = 0
    var place: SessionPlace?
    while true {
      try Task.checkCancellation()
      let after = place
      let page = try await store.sweep {
        try $0.sessions(after: after, limit: Self.sweptTogether)
      }
      let over = try await store.read { try page.over(at: now, $0) }
      if !over.isEmpty { removed += try await remove(over) }
      guard page.count == Self.sweptTogether, let last = page.last else { return removed }
      place = last.place
    }
  }

  /// Removes sessions, except those that changed since they were read.
  private func remove(_ sessions: [PlacedSession]) async throws -> Int {
    try await store.sweep { sweeper in
      let same = try sessions.filter {
        try sweeper.session($0.session.id, in: $0.scope) == $0.session
      }
      for session in same { try sweeper.removeSession(session.session.id, in: session.scope) }
      return same.count
    }
  }

  /// Removes old events, one scope at a time, except those that wait for a webhook.
  private func sweepEvents() async throws -> Int {
    let now = clock()
    var removed = 0
    var scope: Scope?
    while let next = try await store.sweep({ [scope] in
      try $0.scopes(having: .events, after: scope, limit: 1).first
    }) {
      removed += try await sweepEvents(of: next, at: now)
      scope = next
    }
    return removed
  }

  private func sweepEvents(of scope: Scope, at now: Timestamp) async throws -> Int {
    var removed = 0
    var place: Int64 = 0
    while true {
      try Task.checkCancellation()
      let after = place
      let (count, last) = try await store.sweep { sweeper -> (Int, Int64?) in
        guard let end = try sweeper.settings(of: scope).endOfEvents(at: now) else {
          return (0, nil)
        }
        let first = try sweeper.oldestEvents(after: after, limit: 1, in: scope).first
        guard let first, first.at <= end else { return (0, nil) }
        let page = try sweeper.oldestEvents(after: after, limit: Self.sweptTogether, in: scope)
        let old = page.filter { $0.at <= end }
        // Events are in order of time, apart from differences between the servers' clocks.
        let isLast = old.isEmpty || page.count < Self.sweptTogether
        let waiting = try sweeper.waiting(from: after, through: page.last?.sequence ?? after)
        let over = old.filter { !waiting.contains($0.sequence) }
        try sweeper.apply(over.map(StoreWrite.removeEvent), in: scope)
        return (over.count, isLast ? nil : page.last?.sequence)
      }
      removed += count
      guard let last else { return removed }
      place = last
    }
  }

  /// Removes the deliveries of a store without a consumer.
  private func sweepDeliveries() async throws -> Int {
    let now = clock()
    let hasConsumer = try await store.read { try OutboxConsumer.isThere($0, at: now) }
    guard !hasConsumer else { return 0 }
    try await OutboxConsumer.forget(store, at: now)
    let end = now.adding(seconds: -OutboxConsumer.patience)
    var removed = 0
    while true {
      try Task.checkCancellation()
      let count = try await store.sweep { sweeper in
        let page = try sweeper.outbox(after: 0, limit: Self.sweptTogether)
        let old = page.filter { $0.at <= end }
        for event in old { try sweeper.removeDelivery(event.sequence) }
        return old.count
      }
      removed += count
      if count < Self.sweptTogether { return removed }
    }
  }
}

extension AccountReader {
  /// Returns the sequences of undelivered events after one and up to another.
  fileprivate func waiting(from after: Int64, through last: Int64) throws -> Set<Int64> {
    var waiting: Set<Int64> = []
    var place = after
    while place < last {
      let page = try outbox(after: place, limit: 500)
      waiting.formUnion(page.map(\.sequence))
      guard page.count == 500, let end = page.last?.sequence else { break }
      place = end
    }
    return waiting
  }
}
