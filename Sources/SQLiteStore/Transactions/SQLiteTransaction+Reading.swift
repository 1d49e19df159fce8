import AuthCore
import GRDB

extension SQLiteTransaction: AccountReader {
  private static let inScope = "project = ? AND tenant = ?"

  func account(_ id: AccountID, in scope: Scope) throws -> Account? {
    let values = scope.values(id)
    let found = try first(
      "SELECT \(AccountColumns.read) FROM accounts WHERE \(Self.inScope) AND uid = ?", values
    ) { try Account($0, in: scope) }
    guard var account = found else { return nil }
    try complete(&account, values)
    return account
  }

  private func complete(_ account: inout Account, _ values: [DatabaseValue]) throws {
    let identities = try rows(
      """
      SELECT \(IdentityRow.columns) FROM identities
      WHERE \(Self.inScope) AND uid = ? ORDER BY position
      """, values, IdentityRow.init)
    account.identities = try IdentityRow.identities(identities)
    account.secondFactors = try rows(
      """
      SELECT \(SecondFactorColumns.all) FROM second_factors
      WHERE \(Self.inScope) AND uid = ? ORDER BY position
      """, values, SecondFactor.init)
  }

  func survivor(of absorbed: AccountID, in scope: Scope) throws -> AccountID? {
    try first(
      "SELECT survivor FROM aliases WHERE \(Self.inScope) AND absorbed = ?",
      scope.values(absorbed), AccountID.init)
  }

  func aliases(of survivor: AccountID, in scope: Scope) throws -> [AccountID] {
    try rows(
      "SELECT absorbed FROM aliases WHERE \(Self.inScope) AND survivor = ? ORDER BY absorbed",
      scope.values(survivor), AccountID.init)
  }

  func owner(of key: IdentityKey, in scope: Scope) throws -> AccountID? {
    try first(
      """
      SELECT uid FROM identities
      WHERE \(Self.inScope) AND provider = ? AND issuer = ? AND subject = ?
      """, scope.values + IdentityColumns.keyValues(of: key), AccountID.init)
  }

  func accountIDs(withEmail canonical: String, in scope: Scope) throws -> [AccountID] {
    try rows(
      "SELECT uid FROM accounts WHERE \(Self.inScope) AND email_canonical = ? ORDER BY uid",
      scope.values + [.text(canonical)], AccountID.init)
  }

  func accountIDs(withPhone number: String, in scope: Scope) throws -> [AccountID] {
    try rows(
      "SELECT uid FROM accounts WHERE \(Self.inScope) AND phone = ? ORDER BY uid",
      scope.values + [.text(number)], AccountID.init)
  }

  func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) throws -> [Account] {
    var search = AccountSearch(scope)
    if let after { search.require("uid > ?", .text(after.rawValue)) }
    search.require(filter)
    var accounts = try rows(
      """
      SELECT \(AccountColumns.read) FROM accounts
      WHERE \(search.condition) ORDER BY uid LIMIT ?
      """, search.values + [.integer(Int64(max(0, limit)))]
    ) { try Account($0, in: scope) }
    for index in accounts.indices {
      try complete(&accounts[index], scope.values(accounts[index].id))
    }
    return accounts
  }

  func accountCount(in scope: Scope) throws -> Int {
    let count = try first(
      "SELECT count(*) FROM accounts WHERE \(Self.inScope)", scope.values
    ) { try $0.integer(0) }
    return Int(count ?? 0)
  }

  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) throws -> [DuplicateGroup] {
    let column = key == .phone ? "phone" : "email_canonical"
    let verified = """
      AND EXISTS (
        SELECT 1 FROM accounts AS other
        WHERE other.project = accounts.project AND other.tenant = accounts.tenant
          AND other.email_canonical = accounts.email_canonical AND other.email_verified)
      """
    let keys = try rows(
      """
      SELECT \(column) FROM accounts
      WHERE \(Self.inScope) AND \(column) > ?
      GROUP BY project, tenant, \(column)
      HAVING count(*) > 1 \(key == .verifiedEmail ? verified : "")
      ORDER BY project, tenant, \(column) LIMIT ?
      """, scope.values + [.text(after ?? ""), .integer(Int64(max(0, limit)))]
    ) { try $0.string(0) }
    return try keys.map { value in
      DuplicateGroup(
        key: value,
        accounts: key == .phone
          ? try accountIDs(withPhone: value, in: scope)
          : try accountIDs(withEmail: value, in: scope))
    }
  }

  func checkpoint(_ name: String, in scope: Scope) throws -> String? {
    try first(
      "SELECT value FROM checkpoints WHERE \(Self.inScope) AND name = ?",
      scope.values + [.text(name)]
    ) { try $0.string(0) }
  }
}

extension AccountID {
  fileprivate init(_ row: Row) throws {
    self.init(try row.string(0))
  }
}

/// The conditions of a search, as SQL that uses the indexes there are.
private struct AccountSearch {
  private var conditions = ["project = ?", "tenant = ?"]
  private(set) var values: [DatabaseValue]
  private let scope: Scope

  init(_ scope: Scope) {
    self.scope = scope
    values = scope.values
  }

  var condition: String { conditions.joined(separator: " AND ") }

  mutating func require(_ condition: String, _ values: DatabaseValue...) {
    conditions.append(condition)
    self.values += values
  }

  mutating func require(_ filter: AccountFilter) {
    if let email = filter.email { requireAmong("email_canonical", .text(email.canonical)) }
    if let number = filter.phoneNumber { requireAmong("phone", .text(number.text)) }
    if let name = filter.displayName { require("display_name = ?", .text(name)) }
    if let disabled = filter.disabled { require("disabled = ?", .flag(disabled)) }
    requireIdentity(filter.providerID, filter.subject)
  }

  /// Finds the few accounts by an index first; SQLite would rather go through all of them in order of uid.
  private mutating func requireAmong(_ column: String, _ value: DatabaseValue) {
    conditions.append(
      "uid IN (SELECT uid FROM accounts WHERE project = ? AND tenant = ? AND \(column) = ?)")
    values += scope.values + [value]
  }

  /// A provider's subject finds its few accounts by the unique key; without one, every account's own identities
  /// are looked at.
  private mutating func requireIdentity(_ provider: ProviderID?, _ subject: String?) {
    // The plus keeps SQLite from going through all identities of the provider for each account.
    let own = """
      SELECT 1 FROM identities WHERE identities.project = accounts.project
        AND identities.tenant = accounts.tenant AND identities.uid = accounts.uid AND +identities.
      """
    switch (provider, subject) {
    case (let provider?, let subject?):
      conditions.append(
        """
        uid IN (SELECT uid FROM identities
          WHERE project = ? AND tenant = ? AND provider = ? AND subject = ?)
        """)
      values += scope.values + [.text(provider.rawValue), .text(subject)]
    case (let provider?, nil):
      require("EXISTS (\(own)provider = ?)", .text(provider.rawValue))
    case (nil, let subject?):
      require("EXISTS (\(own)subject = ?)", .text(subject))
    case (nil, nil): break
    }
  }
}
