import AuthCore

extension SQLTransaction {
  func oneTimeRecord(_ id: String, in scope: Scope) throws -> OneTimeRecord? {
    try lookUp(Self.oneTimeRecordQuery(id, in: scope), OneTimeRecord.init)
  }

  static func oneTimeRecordQuery(_ id: String, in scope: Scope) -> SQLStatement {
    SQLStatement(
      """
      SELECT \(OneTimeRecord.columns) FROM one_time_records
      WHERE project = ? AND tenant = ? AND id = ?
      """, scope.values + [.text(id)])
  }

  func oneTimeRecords(
    _ kind: OneTimeRecord.Kind, after: String?, limit: Int, in scope: Scope
  ) throws -> [OneTimeRecord] {
    // Without this, SQLite goes through the records of every kind in order of ID.
    try rows(
      """
      SELECT \(OneTimeRecord.columns) FROM one_time_records
      \(session.dialect.indexedBy("one_time_records_by_kind"))
      WHERE project = ? AND tenant = ? AND kind = ? AND id > ? ORDER BY id LIMIT ?
      """,
      scope.values + [
        .text(kind.rawValue), .text(after ?? ""), .integer(Int64(max(0, limit))),
      ], OneTimeRecord.init)
  }

  func save(_ record: OneTimeRecord, in scope: Scope) throws {
    try later(
      """
      INSERT INTO one_time_records
        (project, tenant, id, kind, account, expires_at, attempts, content)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (project, tenant, id) DO UPDATE SET kind = excluded.kind,
        account = excluded.account, expires_at = excluded.expires_at,
        attempts = excluded.attempts, content = excluded.content
      """,
      scope.values + [
        .text(record.id), .text(record.kind.rawValue), .text(record.account?.rawValue),
        .time(record.expiresAt), .integer(Int64(record.attempts)), .text(record.content),
      ])
  }

  /// Returns true if a use is recorded.
  ///
  /// A change in a remote store assumes that it is not.
  ///
  /// A lookup of a missing record would conflict with every transaction that adds one.
  func isUsed(_ use: OneTimeUse, in scope: Scope) throws -> Bool {
    guard assumesUnused else { return try oneTimeRecord(use.recordID, in: scope) != nil }
    assumedUnused.insert(use.recordID)
    return false
  }

  func record(_ use: OneTimeUse, in scope: Scope) throws {
    let record = use.record
    guard assumedUnused.remove(record.id) != nil else { return try save(record, in: scope) }
    try session.run([
      SQLChange(
        """
        INSERT INTO one_time_records
          (project, tenant, id, kind, account, expires_at, attempts, content)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
        scope.values + [
          .text(record.id), .text(record.kind.rawValue), .text(record.account?.rawValue),
          .time(record.expiresAt), .integer(Int64(record.attempts)), .text(record.content),
        ], conflict: "one-time use")
    ])
  }

  func removeOneTimeRecord(_ id: String, in scope: Scope) throws {
    try later(
      "DELETE FROM one_time_records WHERE project = ? AND tenant = ? AND id = ?",
      scope.values + [.text(id)])
  }

  func removeOneTimeRecords(of account: AccountID, in scope: Scope) throws {
    try later(
      "DELETE FROM one_time_records WHERE project = ? AND tenant = ? AND account = ?",
      scope.values(account))
  }
}

extension OneTimeRecord {
  static let columns = "id, kind, account, expires_at, attempts, content"
  /// The number of ``columns``.
  static let columnCount = 6

  /// Reads the ``columns``.
  init(_ row: any SQLRow) throws {
    guard let kind = Kind(rawValue: try row.string(1)) else { throw DamagedRow(column: 1) }
    self.init(
      id: try row.string(0), kind: kind, account: try row.text(2).map { AccountID($0) },
      expiresAt: Timestamp(milliseconds: try row.integer(3)), attempts: Int(try row.integer(4)),
      content: try row.string(5))
  }
}
