import AuthCore
import GRDB

/// The audit.
extension SQLiteTransaction {
  func event(_ id: String, in scope: Scope) throws -> AuditEvent? {
    try first(
      "SELECT \(AuditEvent.columns) FROM events WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)], AuditEvent.init)
  }

  func events(
    about accounts: [AccountID]?, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [AuditEvent] {
    let page: [DatabaseValue] = [.integer(before ?? .max), .integer(Int64(max(0, limit)))]
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
        "SELECT \(AuditEvent.columns) FROM events WHERE sequence = ?", [.integer(sequence)],
        AuditEvent.init)
    }
  }

  @discardableResult
  func append(_ event: AuditEvent) throws -> Int64 {
    try run(
      """
      INSERT INTO events (project, tenant, id, at, actor, reason, action, account, related,
        error_code, details, trace)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, try event.values, conflict: "event \(event.id)")
    let sequence = database.lastInsertedRowID
    var involved = event.relatedIDs
    if let account = event.accountID { involved.append(account) }
    for account in involved {
      try run(
        "INSERT OR IGNORE INTO event_accounts (project, tenant, uid, sequence) VALUES (?, ?, ?, ?)",
        event.scope.values(account) + [.integer(sequence)])
    }
    try run("INSERT INTO outbox (sequence) VALUES (?)", [.integer(sequence)])
    return sequence
  }
}

extension AuditEvent {
  static let columns = """
    events.sequence, project, tenant, id, at, actor, reason, action, account, related, \
    error_code, details, trace
    """

  fileprivate var values: [DatabaseValue] {
    get throws {
      scope.values + [
        .text(id), .time(at), .text(actor), .text(reason), .text(action.rawValue),
        .text(accountID?.rawValue),
        .text(relatedIDs.isEmpty ? nil : try JSONColumn.text(relatedIDs)),
        .text(errorCode), .text(details.text),
        .text(trace.steps.isEmpty ? nil : try JSONColumn.text(trace)),
      ]
    }
  }

  /// Reads the ``columns``.
  init(_ row: Row) throws {
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
extension SQLiteTransaction {
  func merge(_ id: String, in scope: Scope) throws -> MergeRecord? {
    try first(
      "SELECT json FROM merges WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)], MergeRecord.init)
  }

  func merges(
    involving account: AccountID?, before: Int64?, limit: Int, in scope: Scope
  ) throws -> [MergeRecord] {
    let page: [DatabaseValue] = [.integer(before ?? .max), .integer(Int64(max(0, limit)))]
    guard let account else {
      return try rows(
        """
        SELECT json FROM merges WHERE project = ? AND tenant = ? AND at < ?
        ORDER BY number DESC LIMIT ?
        """, scope.values + page, MergeRecord.init)
    }
    return try rows(
      """
      SELECT json FROM merges WHERE number IN (
        SELECT number FROM merges WHERE project = ? AND tenant = ? AND survivor = ?
        UNION ALL
        SELECT number FROM merges WHERE project = ? AND tenant = ? AND absorbed = ?)
      AND at < ? ORDER BY number DESC LIMIT ?
      """, scope.values(account) + scope.values(account) + page, MergeRecord.init)
  }

  func save(_ merge: MergeRecord) throws {
    try run(
      """
      INSERT INTO merges (project, tenant, id, at, survivor, absorbed, state, json)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (project, tenant, id) DO UPDATE SET at = excluded.at,
        survivor = excluded.survivor, absorbed = excluded.absorbed, state = excluded.state,
        json = excluded.json
      """,
      merge.scope.values + [
        .text(merge.id), .time(merge.at), .text(merge.survivor.rawValue),
        .text(merge.absorbed.rawValue), .text(merge.undoneBy == nil ? "standing" : "undone"),
        .text(try JSONColumn.text(merge)),
      ])
  }
}

extension MergeRecord {
  fileprivate init(_ row: Row) throws {
    self = try JSONColumn.value(try row.string(0))
  }
}
