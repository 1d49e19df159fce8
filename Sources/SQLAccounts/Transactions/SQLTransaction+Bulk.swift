import AuthCore

/// Writes of many accounts at once.
extension SQLTransaction {
  /// The number of rows from which one statement for all of them is faster than one for each.
  private static let many = 16

  func insert(_ accounts: [Account]) throws {
    guard accounts.count >= Self.many else { return try accounts.forEach(insert) }
    // Sorted like the tables, so that neighbouring rows are written one after the other.
    let ids = accounts.map(\.id)
    let order = ids.indices.sorted { ids[$0] < ids[$1] }
    guard let scope = accounts.first?.scope else { return }
    let ownsEmail = try settings(of: scope).oneAccountPerEmail
    let rows = RowsAhead(order) { places in
      let accounts = places.map { accounts[$0] }
      return AccountsAsRows(
        accounts: PackedRows(accounts.map { Self.values(of: $0, ownsEmail: ownsEmail) }),
        identities: PackedRows(accounts.flatMap(\.identityRows)),
        secondFactors: PackedRows(accounts.flatMap(\.secondFactorRows)),
        terms: PackedRows(accounts.flatMap(\.termRows)))
    }
    try rows.forEach { rows in
      try insert(rows.accounts, into: .accounts)
      try insert(rows.identities, into: .identities)
      try insert(rows.secondFactors, into: .secondFactors)
      try insert(rows.terms, into: .searchTerms)
    }
  }

  /// The rows of several accounts, by table.
  private struct AccountsAsRows: Sendable {
    let accounts: PackedRows
    let identities: PackedRows
    let secondFactors: PackedRows
    let terms: PackedRows
  }

  private func insert(_ rows: PackedRows, into table: BulkTable) throws {
    if !rows.isEmpty { try session.insert(rows, into: table) }
  }

  /// A row of ``BulkTable/accounts``.
  static func values(of account: Account, ownsEmail: Bool) -> [SQLValue] {
    account.scope.values(account.id)
      + AccountColumns.plainValues(of: account, revision: 1)
      + AccountColumns.indexedValues(of: account, ownsEmail: ownsEmail)
  }

  func append(_ events: [AuditEvent]) throws {
    guard events.count >= Self.many else { return try events.forEach(append) }
    let rows = RowsAhead(events) { events in
      let events = try events.map { try EventRow($0) }
      return PackedEvents(events).map(EventsAsRows.together) ?? .each(events)
    }
    try rows.forEach { rows in
      switch rows {
      case .together(let events): try session.append(events)
      case .each(let events): for event in events { try session.append(event) }
      }
    }
  }

  private enum EventsAsRows: Sendable {
    case together(PackedEvents)
    case each([EventRow])
  }

  func requireUnknown(_ keys: [AccountKey], in scope: Scope) throws {
    let rows = RowsAhead(keys) { keys in
      var values: [KeyQuery: [[SQLValue]]] = [:]
      for key in keys {
        let query = KeyQuery(key)
        values[query, default: []].append(query.values(key, in: scope))
      }
      return values.mapValues(PackedRows.init)
    }
    try rows.forEach { values in
      for query in KeyQuery.allCases {
        guard let values = values[query] else { continue }
        try session.requireNone(query.sql, for: values, conflict: "\(query)")
      }
    }
  }

  func requireUnmerged(_ ids: [AccountID], in scope: Scope) throws {
    let anyMerged = SQLStatement(
      "SELECT 1 FROM aliases WHERE project = ? AND tenant = ? LIMIT 1", scope.values)
    // Adding accounts needs the settings as well; asking later would take another round trip.
    session.expect([anyMerged, Self.settingsRevision(scope)])
    let isAnyMerged = try first(anyMerged.sql, anyMerged.values) { _ in true } ?? false
    _ = try settings(of: scope)
    // Many stores hold no merge at all.
    guard isAnyMerged else { return }
    let rows = RowsAhead(ids) { ids in PackedRows(ids.map { scope.values($0) + scope.values($0) }) }
    try rows.forEach { values in
      try session.requireNone(KeyQuery.mergedAway, for: values, conflict: "merged uid")
    }
  }
}

/// Queries for the owner of a key.
private enum KeyQuery: CaseIterable {
  case uid, identity, email, phone

  init(_ key: AccountKey) {
    self =
      switch key {
      case .uid: .uid
      case .identity: .identity
      case .email: .email
      case .phone: .phone
      }
  }

  private static let inScope = "project = ? AND tenant = ?"

  /// Finds uids that were absorbed in a merge, or that survived one.
  static let mergedAway = """
    SELECT 1 FROM aliases WHERE \(inScope) AND absorbed = ?
    UNION ALL SELECT 1 FROM aliases WHERE \(inScope) AND survivor = ?
    """

  var sql: String {
    switch self {
    case .uid:
      """
      SELECT 1 FROM accounts WHERE \(Self.inScope) AND uid = ? UNION ALL \(Self.mergedAway)
      """
    case .identity:
      """
      SELECT 1 FROM identities WHERE \(Self.inScope) AND provider = ? AND issuer = ? AND subject = ?
      """
    case .email: "SELECT 1 FROM accounts WHERE \(Self.inScope) AND email_canonical = ?"
    case .phone: "SELECT 1 FROM accounts WHERE \(Self.inScope) AND phone = ?"
    }
  }

  /// Returns the values of the query's placeholders.
  func values(_ key: AccountKey, in scope: Scope) -> [SQLValue] {
    switch key {
    case .uid(let id):
      let values = scope.values(id)
      return values + values + values
    case .identity(let identity): return scope.values + IdentityColumns.keyValues(of: identity)
    case .email(let email): return scope.values + [.text(email.canonical)]
    case .phone(let number): return scope.values + [.text(number.text)]
    }
  }
}

extension BulkTable {
  fileprivate static let accounts = BulkTable(
    "accounts", "project, tenant, uid, \(AccountColumns.plain), \(AccountColumns.indexed)")
  fileprivate static let identities = BulkTable(
    "identities",
    """
    project, tenant, uid, position, \(IdentityColumns.key), \(IdentityColumns.plain), \(PredecessorRow.columns)
    """)
  fileprivate static let secondFactors = BulkTable(
    "second_factors", "project, tenant, uid, position, \(SecondFactorColumns.all)")
}

extension Account {
  /// Rows of ``BulkTable/identities``.
  fileprivate var identityRows: [[SQLValue]] {
    let owner = scope.values(id)
    let noPredecessor = Array(repeating: SQLValue.null, count: 4)
    func row(_ identity: Identity, at position: Int, _ more: [SQLValue]) -> [SQLValue] {
      var row: [SQLValue] = []
      row.reserveCapacity(BulkTable.identities.columns.count)
      row += owner
      row.append(.integer(Int64(position)))
      row += IdentityColumns.keyValues(of: identity.key)
      row += IdentityColumns.plainValues(of: identity)
      row += more
      return row
    }
    return identities.enumerated().map { row($1, at: $0, noPredecessor) }
      + predecessorRows.map { row($0.value.identity, at: $0.position, $0.values) }
  }

  /// Rows of ``BulkTable/secondFactors``.
  fileprivate var secondFactorRows: [[SQLValue]] {
    secondFactors.enumerated().map { position, factor in
      scope.values(id) + [.integer(Int64(position))] + SecondFactorColumns.values(of: factor)
    }
  }
}
