import AuthCore

extension SQLTransaction {
  private static let ofAccount = "project = ? AND tenant = ? AND uid = ?"

  func insert(_ account: Account) throws {
    let ownsEmail = try settings(of: account.scope).oneAccountPerEmail
    let row = SQLChange(
      AccountStatements.insert, Self.values(of: account, ownsEmail: ownsEmail),
      conflict: try self.conflictOfAccount(account))
    try session.run(
      [row] + insertingIdentities(of: account, from: 0)
        + inserting(account.predecessorRows, of: account) + insertingSecondFactors(of: account)
        + [inserting(account.searchTerms, of: account)].compactMap(\.self))
  }

  func update(_ account: Account, replacing old: Account) throws {
    precondition(
      account.id == old.id && account.scope == old.scope, "An update keeps the account's name.")
    let kept = account.identities.keptPlaces(of: old.identities)
    let oldRows = old.predecessorRows
    let rows = account.predecessorRows
    let values = account.scope.values(account.id)
    var changes = [try updatingRow(account, replacing: old)]
    if rows != oldRows && !oldRows.isEmpty {
      // Deleted first, because a key may move from a replaced identity to a current one.
      changes.append(
        SQLChange("DELETE FROM identities WHERE \(Self.ofAccount) AND position < 0", values))
    }
    changes += updatingIdentities(of: account, replacing: old, in: kept)
    if kept.count < old.identities.count {
      changes.append(
        SQLChange(
          "DELETE FROM identities WHERE \(Self.ofAccount) AND position >= ?",
          values + [.integer(Int64(kept.count))]))
    }
    changes += insertingIdentities(of: account, from: kept.count)
    if rows != oldRows { changes += inserting(rows, of: account) }
    if account.secondFactors != old.secondFactors {
      changes.append(SQLChange("DELETE FROM second_factors WHERE \(Self.ofAccount)", values))
      changes += insertingSecondFactors(of: account)
    }
    changes += updatingTerms(of: account, replacing: old)
    try session.run(changes)
  }

  func delete(_ account: Account) throws {
    // Identities and second factors are deleted by cascade.
    try later("DELETE FROM accounts WHERE \(Self.ofAccount)", account.scope.values(account.id))
    try session.run(deleting(account.searchTerms, of: account))
  }

  func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) throws {
    try later(
      """
      INSERT INTO aliases (project, tenant, absorbed, survivor) VALUES (?, ?, ?, ?)
      ON CONFLICT (project, tenant, absorbed) DO UPDATE SET survivor = excluded.survivor
      """,
      scope.values(absorbed) + [.text(survivor.rawValue)])
  }

  func removeAlias(_ absorbed: AccountID, in scope: Scope) throws {
    try later(
      "DELETE FROM aliases WHERE project = ? AND tenant = ? AND absorbed = ?",
      scope.values(absorbed))
  }

  func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) throws {
    let values = scope.values + [.text(name)]
    try session.announce(.checkpoint(name, scope))
    guard let value else {
      try later("DELETE FROM checkpoints WHERE project = ? AND tenant = ? AND name = ?", values)
      return
    }
    try later(
      """
      INSERT INTO checkpoints (project, tenant, name, value) VALUES (?, ?, ?, ?)
      ON CONFLICT (project, tenant, name) DO UPDATE SET value = excluded.value
      """,
      values + [.text(value)])
  }

  private func conflictOfAccount(_ account: Account) throws -> String {
    let values = account.scope.values(account.id)
    let exists = try first("SELECT 1 FROM accounts WHERE \(Self.ofAccount)", values) { _ in true }
    return exists == true
      ? "uid \(account.id)" : "verified e-mail \(account.email?.canonical ?? "")"
  }

  /// Replaces the account's own row if the store still holds the version that was read.
  private func updatingRow(_ account: Account, replacing old: Account) throws -> SQLChange {
    var statement = AccountStatements.update
    var values = AccountColumns.plainValues(of: account, revision: old.revision + 1)
    var conditionValues = account.scope.values(account.id) + [.integer(old.revision)]
    // An index is rewritten for every column that the statement names, even if its value stays the same.
    if !AccountColumns.indexedAreEqual(account, old) {
      let ownsEmail = try settings(of: account.scope).oneAccountPerEmail
      statement = AccountStatements.updateIndexed
      values += AccountColumns.indexedValues(of: account, ownsEmail: ownsEmail)
      if ownsEmail, account.emailVerified, let email = account.email?.canonical {
        statement = AccountStatements.updateUnlessOwned
        conditionValues +=
          account.scope.values + [.text(email), .text(account.id.rawValue)]
      }
    }
    return SQLChange(
      statement, values + conditionValues,
      conflict: "revision \(old.revision) or verified e-mail of uid \(account.id)")
  }

  /// Replaces the rows of identities that kept their key and position but changed otherwise.
  private func updatingIdentities(
    of account: Account, replacing old: Account, in kept: Range<Int>
  ) -> [SQLChange] {
    kept.filter { account.identities[$0] != old.identities[$0] }.map { position in
      let values = IdentityColumns.plainValues(of: account.identities[position])
      return SQLChange(
        IdentityStatements.update,
        values + account.scope.values(account.id) + [.integer(Int64(position))])
    }
  }

  private func insertingIdentities(of account: Account, from start: Int) -> [SQLChange] {
    (start..<account.identities.count).map { position in
      inserting(account.identities[position], of: account, at: position)
    }
  }

  private func inserting(_ rows: [PredecessorRow], of account: Account) -> [SQLChange] {
    rows.map { row in
      inserting(
        row.value.identity, of: account, at: row.position, IdentityStatements.insertPredecessor,
        row.values)
    }
  }

  private func inserting(
    _ identity: Identity, of account: Account, at position: Int,
    _ statement: String = IdentityStatements.insert, _ more: [SQLValue] = []
  ) -> SQLChange {
    let values =
      account.scope.values(account.id) + [.integer(Int64(position))]
      + IdentityColumns.keyValues(of: identity.key)
      + IdentityColumns.plainValues(of: identity) + more
    return SQLChange(statement, values, conflict: "identity \(identity.key)")
  }

  private static let insertingSecondFactor = """
    INSERT INTO second_factors (project, tenant, uid, position, \(SecondFactorColumns.all))
    VALUES \(SQLStatement.places(for: SecondFactorColumns.all, after: 4))
    """

  private func insertingSecondFactors(of account: Account) -> [SQLChange] {
    account.secondFactors.enumerated().map { position, factor in
      let values =
        account.scope.values(account.id) + [.integer(Int64(position))]
        + SecondFactorColumns.values(of: factor)
      return SQLChange(Self.insertingSecondFactor, values)
    }
  }
}

extension [Identity] {
  /// Returns the positions at which both lists have the same keys, up to the first difference.
  fileprivate func keptPlaces(of others: [Identity]) -> Range<Int> {
    let shared = 0..<Swift.min(count, others.count)
    return 0..<(shared.first { self[$0].key != others[$0].key } ?? shared.upperBound)
  }
}

/// Statements that write the rows of accounts, stored because their texts are long.
private enum AccountStatements {
  static let insert = """
    INSERT INTO accounts (project, tenant, uid, \(AccountColumns.plain), \(AccountColumns.indexed))
    VALUES \(SQLStatement.places(for: "\(AccountColumns.plain), \(AccountColumns.indexed)", after: 3))
    ON CONFLICT DO NOTHING
    """
  static let update = updating(AccountColumns.plain)
  static let updateIndexed = updating("\(AccountColumns.plain), \(AccountColumns.indexed)")
  /// Changes nothing if another account has verified the address.
  static let updateUnlessOwned = """
    \(updateIndexed) AND NOT EXISTS (
      SELECT 1 FROM accounts AS other WHERE other.project = ? AND other.tenant = ?
        AND other.verified_email = ? AND other.uid <> ?)
    """

  private static func updating(_ columns: String) -> String {
    """
    UPDATE accounts SET (\(columns)) = \(SQLStatement.places(for: columns))
    WHERE project = ? AND tenant = ? AND uid = ? AND revision = ?
    """
  }
}

/// Statements that write the rows of identities.
private enum IdentityStatements {
  static let insert = inserting("\(IdentityColumns.key), \(IdentityColumns.plain)")
  static let insertPredecessor = inserting(
    "\(IdentityColumns.key), \(IdentityColumns.plain), \(PredecessorRow.columns)")
  static let update = """
    UPDATE identities SET (\(IdentityColumns.plain)) = \(SQLStatement.places(for: IdentityColumns.plain))
    WHERE project = ? AND tenant = ? AND uid = ? AND position = ?
    """

  private static func inserting(_ columns: String) -> String {
    """
    INSERT INTO identities (project, tenant, uid, position, \(columns))
    VALUES \(SQLStatement.places(for: columns, after: 4)) ON CONFLICT DO NOTHING
    """
  }
}

extension SQLStatement {
  /// Returns a placeholder for each column, numbered after those of `before` others.
  fileprivate static func places(for columns: String, after before: Int = 0) -> String {
    let count = before + columns.split(separator: ",").count
    return "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
  }
}
