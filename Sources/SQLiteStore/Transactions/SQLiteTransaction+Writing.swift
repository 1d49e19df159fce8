import AuthCore
import GRDB

extension SQLiteTransaction: AccountWriter {
  private static let ofAccount = "project = ? AND tenant = ? AND uid = ?"

  func insert(_ account: Account) throws {
    let scope = account.scope
    let ownsEmail = try settings(of: scope).oneAccountPerEmail
    // A conflict in the first statement leaves nothing; later ones have to take it back.
    try run(
      """
      INSERT INTO accounts (project, tenant, uid, \(AccountColumns.plain), \(AccountColumns.indexed))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      try scope.values(account.id) + AccountColumns.plainValues(of: account, revision: 1)
        + AccountColumns.indexedValues(of: account, ownsEmail: ownsEmail),
      conflict: try conflictOfAccount(account))
    do {
      try insertIdentities(of: account, from: 0)
      try insert(account.predecessorRows, of: account)
      try insertSecondFactors(of: account)
    } catch let conflict as UniqueKeyConflict {
      try delete(account)
      throw conflict
    }
  }

  func update(_ account: Account, replacing old: Account) throws {
    precondition(
      account.id == old.id && account.scope == old.scope, "An update keeps the account's name.")
    let kept = zip(account.identities, old.identities).prefix { $0.key.isExactly($1.key) }
    let hasSameKeys = kept.count == account.identities.count && kept.count == old.identities.count
    let oldRows = old.predecessorRows
    let rows = account.predecessorRows
    guard !hasSameKeys || account.secondFactors != old.secondFactors || rows != oldRows else {
      try updateRow(account, replacing: old)
      try updateIdentities(of: account, Array(kept))
      return
    }
    try together {
      try updateRow(account, replacing: old)
      if rows != oldRows && !oldRows.isEmpty {
        // First, because a key may go from one that was replaced to one that was not.
        try run(
          "DELETE FROM identities WHERE \(Self.ofAccount) AND position < 0",
          account.scope.values(account.id))
      }
      try updateIdentities(of: account, Array(kept))
      if kept.count < old.identities.count {
        try run(
          "DELETE FROM identities WHERE \(Self.ofAccount) AND position >= ?",
          account.scope.values(account.id) + [.integer(Int64(kept.count))])
      }
      try insertIdentities(of: account, from: kept.count)
      if rows != oldRows { try insert(rows, of: account) }
      if account.secondFactors != old.secondFactors {
        try run(
          "DELETE FROM second_factors WHERE \(Self.ofAccount)", account.scope.values(account.id))
        try insertSecondFactors(of: account)
      }
    }
  }

  func delete(_ account: Account) throws {
    // Identities and second factors go with it.
    try run("DELETE FROM accounts WHERE \(Self.ofAccount)", account.scope.values(account.id))
  }

  func setAlias(_ absorbed: AccountID, for survivor: AccountID, in scope: Scope) throws {
    try run(
      "INSERT OR REPLACE INTO aliases (project, tenant, absorbed, survivor) VALUES (?, ?, ?, ?)",
      scope.values(absorbed) + [.text(survivor.rawValue)])
  }

  func removeAlias(_ absorbed: AccountID, in scope: Scope) throws {
    try run(
      "DELETE FROM aliases WHERE project = ? AND tenant = ? AND absorbed = ?",
      scope.values(absorbed))
  }

  func saveCheckpoint(_ name: String, _ value: String?, in scope: Scope) throws {
    let values = scope.values + [.text(name)]
    guard let value else {
      try run("DELETE FROM checkpoints WHERE project = ? AND tenant = ? AND name = ?", values)
      return
    }
    try run(
      "INSERT OR REPLACE INTO checkpoints (project, tenant, name, value) VALUES (?, ?, ?, ?)",
      values + [.text(value)])
  }

  private func conflictOfAccount(_ account: Account) throws -> String {
    let values = account.scope.values(account.id)
    let exists = try first("SELECT 1 FROM accounts WHERE \(Self.ofAccount)", values) { _ in true }
    return exists == true
      ? "uid \(account.id)" : "verified e-mail \(account.email?.canonical ?? "")"
  }

  /// Replaces the account's own row, where the store still holds the one that was read.
  private func updateRow(_ account: Account, replacing old: Account) throws {
    var columns = AccountColumns.plain
    var values = try AccountColumns.plainValues(of: account, revision: old.revision + 1)
    // An index is rewritten for every column that is named, also for one that stays the same.
    if !AccountColumns.indexedAreEqual(account, old) {
      columns += ", " + AccountColumns.indexed
      values += AccountColumns.indexedValues(
        of: account, ownsEmail: try settings(of: account.scope).oneAccountPerEmail)
    }
    let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
    let changed = try run(
      """
      UPDATE accounts SET (\(columns)) = (\(places)) WHERE \(Self.ofAccount) AND revision = ?
      """,
      values + account.scope.values(account.id) + [.integer(old.revision)],
      conflict: "verified e-mail \(account.email?.canonical ?? "")")
    guard changed == 1 else {
      throw UniqueKeyConflict(key: "revision \(old.revision) of uid \(account.id)")
    }
  }

  /// Replaces the rows of identities that kept their key and their place, where something else changed.
  private func updateIdentities(
    of account: Account, _ kept: [(new: Identity, old: Identity)]
  ) throws {
    for (position, pair) in kept.enumerated() where pair.new != pair.old {
      try run(
        """
        UPDATE identities SET (\(IdentityColumns.plain)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        WHERE \(Self.ofAccount) AND position = ?
        """,
        IdentityColumns.plainValues(of: pair.new) + account.scope.values(account.id)
          + [.integer(Int64(position))])
    }
  }

  private func insertIdentities(of account: Account, from start: Int) throws {
    for (position, identity) in account.identities.enumerated().dropFirst(start) {
      try insert(identity, of: account, at: position)
    }
  }

  private func insert(_ rows: [PredecessorRow], of account: Account) throws {
    for row in rows {
      try insert(
        row.value.identity, of: account, at: row.position, ", \(PredecessorRow.columns)",
        row.values)
    }
  }

  private func insert(
    _ identity: Identity, of account: Account, at position: Int, _ columns: String = "",
    _ values: [DatabaseValue] = []
  ) throws {
    let places = Array(repeating: "?", count: 20 + values.count).joined(separator: ", ")
    try run(
      """
      INSERT INTO identities
        (project, tenant, uid, position, \(IdentityColumns.key), \(IdentityColumns.plain)\(columns))
      VALUES (\(places))
      """,
      account.scope.values(account.id) + [.integer(Int64(position))]
        + IdentityColumns.keyValues(of: identity.key)
        + IdentityColumns.plainValues(of: identity) + values,
      conflict: "identity \(identity.key)")
  }

  private func insertSecondFactors(of account: Account) throws {
    for (position, factor) in account.secondFactors.enumerated() {
      try run(
        """
        INSERT INTO second_factors
          (project, tenant, uid, position, \(SecondFactorColumns.all))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        account.scope.values(account.id) + [.integer(Int64(position))]
          + SecondFactorColumns.values(of: factor))
    }
  }
}

extension IdentityKey {
  /// Compares byte by byte, as the unique key does: two forms of é are two subjects.
  fileprivate func isExactly(_ other: IdentityKey) -> Bool {
    provider == other.provider && issuer.utf8.elementsEqual(other.issuer.utf8)
      && subject.utf8.elementsEqual(other.subject.utf8)
  }
}
