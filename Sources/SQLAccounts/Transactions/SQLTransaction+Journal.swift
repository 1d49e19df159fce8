import AuthCore

/// The audit log.
extension SQLTransaction {
  func event(_ id: String, in scope: Scope) throws -> AuditEvent? {
    try lookUp(
      SQLStatement(
        "SELECT \(AuditEvent.columns) FROM events WHERE project = ? AND tenant = ? AND id = ?",
        scope.values + [.text(id)]), AuditEvent.init)
  }

  func events(
    matching filter: EventFilter, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    let limit = max(0, limit)
    guard limit > 0 else { return [] }
    var condition = EventCondition(filter)
    if let since = filter.since {
      let start = since.adding(seconds: -Self.disorder)
      guard let first = try sequence(at: start, in: scope) else { return [] }
      condition.requireSequence(from: first)
    }
    var before = before ?? .max
    if let until = filter.until {
      let end = until.adding(seconds: Self.disorder)
      if let first = try sequence(at: end, in: scope) { before = min(before, first) }
    }
    guard filter.requestID != nil else {
      return try page(filter, condition, before: before, limit: limit, in: scope)
    }
    // SQL knows only which events may be of the request.
    var found: [AuditEvent] = []
    while found.count < limit {
      let page = try page(filter, condition, before: before, limit: limit, in: scope)
      found += page.filter(filter.matchesRequest).prefix(limit - found.count)
      guard page.count == limit, let last = page.last else { break }
      before = last.sequence
    }
    return found
  }

  /// The seconds by which the times of events may disagree with their sequence, as clocks of servers do.
  private static let disorder: Int64 = 3600

  /// Returns a sequence before which events are earlier than a time; nil if all are.
  ///
  /// A binary search in the scope's events, which are in order of time but for ``disorder``.
  private func sequence(at time: Timestamp, in scope: Scope) throws -> Int64? {
    func end(_ order: String) throws -> (sequence: Int64, at: Int64)? {
      try first(
        """
        SELECT sequence, at FROM events WHERE project = ? AND tenant = ?
        ORDER BY sequence\(order) LIMIT 1
        """, scope.values
      ) { (try $0.integer(0), try $0.integer(1)) }
    }
    guard let newest = try end(" DESC"), newest.at >= time.milliseconds,
      let oldest = try end("")
    else { return nil }
    guard oldest.at < time.milliseconds else { return oldest.sequence }
    // The event at `low` is earlier, and the first one from `high` on is not.
    var (low, high) = (oldest.sequence, newest.sequence)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      let found = try first(
        """
        SELECT sequence, at FROM events WHERE project = ? AND tenant = ? AND sequence >= ?
        ORDER BY sequence LIMIT 1
        """, scope.values + [.integer(middle)]
      ) { (sequence: try $0.integer(0), at: try $0.integer(1)) }
      if let found, found.sequence < high, found.at < time.milliseconds {
        low = found.sequence
      } else {
        high = middle
      }
    }
    return high
  }

  /// Returns a page of the events that meet every condition, but for the request's, which they may meet.
  private func page(
    _ filter: EventFilter, _ condition: EventCondition, before: Int64, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    let page: [SQLValue] = [.integer(before), .integer(Int64(limit))]
    guard let accounts = filter.accounts else {
      return try rows(
        """
        SELECT \(AuditEvent.columns) FROM events
        WHERE project = ? AND tenant = ?\(condition.sql("")) AND sequence < ?
        ORDER BY sequence DESC LIMIT ?
        """, scope.values + condition.values + page, AuditEvent.init)
    }
    let join =
      condition.isEmpty
      ? ""
      : """
       JOIN events ON events.project = involved.project AND events.tenant = involved.tenant
          AND events.sequence = involved.sequence
      """
    var sequences: Set<Int64> = []
    for account in accounts {
      sequences.formUnion(
        try rows(
          """
          SELECT involved.sequence FROM event_accounts AS involved\(join)
          WHERE involved.project = ? AND involved.tenant = ? AND involved.uid = ?
            \(condition.sql("events.")) AND involved.sequence < ?
          ORDER BY involved.sequence DESC LIMIT ?
          """, scope.values(account) + condition.values + page
        ) { try $0.integer(0) })
    }
    return try sequences.sorted(by: >).prefix(limit).compactMap { sequence in
      try first(
        """
        SELECT \(AuditEvent.columns) FROM events
        WHERE project = ? AND tenant = ? AND sequence = ?
        """, scope.values + [.integer(sequence)], AuditEvent.init)
    }
  }

  func append(_ event: AuditEvent) throws {
    try session.append(try EventRow(event))
  }
}

extension EventRow {
  init(_ event: AuditEvent) throws {
    var accounts = event.relatedIDs.map(\.rawValue)
    if let account = event.accountID { accounts.append(account.rawValue) }
    var seen: Set<[UInt8]> = []
    self.init(
      values: try event.values, scope: event.scope.values,
      accounts: accounts.count < 2
        ? accounts : accounts.filter { seen.insert(Array($0.utf8)).inserted },
      conflict: "event \(event.id)")
  }
}

extension AuditEvent {
  static let columns = """
    events.sequence, project, tenant, id, at, actor, reason, action, account, related, \
    error_code, details, trace
    """

  fileprivate var values: [SQLValue] {
    get throws {
      scope.values + [
        .text(id), .time(at), .text(actor), .text(reason), .text(action.rawValue),
        .text(accountID?.rawValue),
        .text(
          relatedIDs.isEmpty ? nil : JSONValue.array(relatedIDs.map { .string($0.rawValue) }).text),
        .text(errorCode), .text(details.text),
        .text(trace.steps.isEmpty ? nil : trace.json),
      ]
    }
  }

  /// Reads the ``columns``.
  init(_ row: any SQLRow) throws {
    guard let at = try row.time(4), let action = Action(rawValue: try row.string(7)) else {
      throw DamagedRow(column: 7)
    }
    let tenant = try row.string(2)
    self.init(
      id: try row.string(3), sequence: try row.integer(0),
      scope: Scope(project: try row.string(1), tenant: tenant.isEmpty ? nil : tenant), at: at,
      actor: try row.string(5), reason: try row.text(6), action: action,
      accountID: try row.text(8).map { AccountID($0) },
      relatedIDs: try row.text(9).map(JSONColumn.value) ?? [], errorCode: try row.text(10),
      details: try JSONValue(text: try row.string(11)),
      trace: try row.text(12).map(JSONColumn.value) ?? Trace())
  }
}

/// The journal of merges.
extension SQLTransaction {
  func merge(_ id: String, in scope: Scope) throws -> MergeRecord? {
    try first(
      "SELECT json, ended_at FROM merges WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)], MergeRecord.init)
  }

  func merges(
    involving account: AccountID?, before: String?, limit: Int, in scope: Scope
  ) throws -> [MergeRecord] {
    let page = scope.values + [before.map { .text($0) } ?? .null, .integer(Int64(max(0, limit)))]
    let isOlder = """
      number < COALESCE(
        (SELECT number FROM merges WHERE project = ? AND tenant = ? AND id = ?), \(Int64.max))
      """
    guard let account else {
      return try rows(
        """
        SELECT json, ended_at FROM merges WHERE project = ? AND tenant = ? AND \(isOlder)
        ORDER BY number DESC LIMIT ?
        """, scope.values + page, MergeRecord.init)
    }
    return try rows(
      """
      SELECT json, ended_at FROM merges WHERE number IN (
        SELECT number FROM merges WHERE project = ? AND tenant = ? AND survivor = ?
        UNION ALL
        SELECT number FROM merges WHERE project = ? AND tenant = ? AND absorbed = ?)
      AND \(isOlder) ORDER BY number DESC LIMIT ?
      """, scope.values(account) + scope.values(account) + page, MergeRecord.init)
  }

  func save(_ merge: MergeRecord) throws {
    try later(
      """
      INSERT INTO merges (project, tenant, id, at, survivor, absorbed, state, json, ended_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (project, tenant, id) DO UPDATE SET at = excluded.at,
        survivor = excluded.survivor, absorbed = excluded.absorbed, state = excluded.state,
        json = excluded.json, ended_at = excluded.ended_at
      """,
      merge.scope.values + [
        .text(merge.id), .time(merge.at), .text(merge.survivor.rawValue),
        .text(merge.absorbed.rawValue), .text(merge.undoneBy == nil ? "standing" : "undone"),
        .text(merge.json), .time(merge.endedAt),
      ])
  }

  func endMerges(of account: AccountID, at end: Timestamp?, in scope: Scope) throws {
    for side in ["survivor", "absorbed"] {
      let entries = "project = ? AND tenant = ? AND \(side) = ?"
      guard let end else {
        try later("DELETE FROM merges WHERE \(entries)", scope.values(account))
        continue
      }
      try later(
        "UPDATE merges SET ended_at = ? WHERE \(entries) AND ended_at IS NULL",
        [.time(end)] + scope.values(account))
    }
  }

  func removeMerges(endedBefore moment: Timestamp, in scope: Scope) throws {
    try later(
      "DELETE FROM merges WHERE project = ? AND tenant = ? AND ended_at <= ?",
      scope.values + [.time(moment)])
  }
}

extension MergeRecord {
  fileprivate init(_ row: any SQLRow) throws {
    self = try JSONColumn.value(try row.string(0))
    // The end is set by a change of another record, which leaves the JSON as it is.
    endedAt = try row.time(1)
  }
}
