/// The log of decisions by merge policies.
extension AccountGraph {
  /// The number of decisions that are read in one transaction.
  static let decisionsTogether = 500

  /// Returns the decision that an event records.
  ///
  /// Throws `event-not-found` if no policy was asked, or the decision's time in the log is over.
  public func decision(_ id: String, in scope: Scope) async throws -> PolicyDecision {
    guard let decision = try await store.read({ try $0.decision(id, in: scope) }) else {
      throw AuthError(
        .eventNotFound, "The log has no decision of a policy for the event \(id).", field: "id",
        remedy: """
          policy.decisions() lists them. The setting decisionRetentionDays says how long they are kept.
          """)
    }
    return decision
  }

  /// Returns decisions since a time, newest first.
  public func decisions(
    since: Timestamp? = nil, limit: Int, in scope: Scope
  ) async throws -> [PolicyDecision] {
    var found: [PolicyDecision] = []
    try await eachDecision(since: since, limit: limit, in: scope) { found += $0 }
    return found
  }

  /// Calls a closure with pages of decisions since a time, newest first, up to a number of decisions.
  func eachDecision(
    since: Timestamp?, limit: Int, in scope: Scope, _ body: ([PolicyDecision]) throws -> Void
  ) async throws {
    var (before, left): (String?, Int) = (nil, limit)
    while left > 0 {
      try Task.checkCancellation()
      let count = min(left, Self.decisionsTogether)
      let page = try await store.read(from: .replica) { [before] in
        try $0.decisions(before: before, limit: count, in: scope)
      }
      let recent = page.prefix { decision in since.map { $0 <= decision.at } ?? true }
      if !recent.isEmpty { try body(Array(recent)) }
      guard recent.count == count, let last = recent.last else { return }
      left -= count
      before = last.id
    }
  }

  /// Removes decisions whose time in the log is over; a part of ``sweep()``.
  func sweepDecisions() async throws -> Int {
    let now = clock()
    let scopes = try await store.read { try $0.scopes(having: .decisions) }
    var removed = 0
    for scope in scopes {
      while true {
        try Task.checkCancellation()
        let count = try await store.sweep { sweeper in
          let end = try sweeper.settings(of: scope).endOfDecisions(at: now)
          let page = try sweeper.oldestDecisions(limit: Self.sweptTogether, in: scope)
          let over = page.prefix { $0.at <= end }
          try sweeper.apply(over.map { .removeDecision($0.id) }, in: scope)
          return over.count
        }
        removed += count
        if count < Self.sweptTogether { break }
      }
    }
    return removed
  }
}
