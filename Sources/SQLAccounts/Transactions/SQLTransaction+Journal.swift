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
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    let page: [SQLValue] = [.integer(before ?? .max), .integer(Int64(max(0, limit)))]
    guard let accounts else {
      return try rows(
        """
        SELECT \(AuditEvent.columns) FROM events
        WHERE project = ? AND tenant = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?
        """, scope.values + page, AuditEvent.init)
    }
    var sequences: Set<Int64> = []
    for account in accounts {
      sequences.formUnion(
        try rows(
          """
          SELECT sequence FROM event_accounts
          WHERE project = ? AND tenant = ? AND uid = ? AND sequence < ?
          ORDER BY sequence DESC LIMIT ?
          """, scope.values(account) + page
        ) { try $0.integer(0) })
    }
    return try sequences.sorted(by: >).prefix(max(0, limit)).compactMap { sequence in
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
