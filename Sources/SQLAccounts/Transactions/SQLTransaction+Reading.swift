import AuthCore

extension SQLTransaction {
  private static let inScope = "project = ? AND tenant = ?"

  func account(_ id: AccountID, in scope: Scope) throws -> Account? {
    try account(AccountQueries.ofUID, scope.values(id), in: scope)
  }

  func account(owning key: IdentityKey, in scope: Scope) throws -> Account? {
    let values = Self.ownerValues(key, in: scope)
    guard !session.dialect.isRemote else {
      return try account(AccountQueries.ofOwner, values, in: scope)
    }
    let found = try first(AccountQueries.ofOwner.account, values) {
      try Account.read($0, in: scope)
    }
    guard var account = found else { return nil }
    try complete(&account, AccountQueries.ofUID, scope.values(account.id))
    return account
  }

  /// Reads an account in one round trip.
  private func account(
    _ queries: AccountQueries, _ values: [SQLValue], in scope: Scope
  ) throws -> Account? {
    session.expect(queries.statements(values))
    let found = try first(queries.account, values) { try Account.read($0, in: scope) }
    guard var account = found else { return nil }
    try complete(&account, queries, values)
    return account
  }

  private func complete(
    _ account: inout Account, _ queries: AccountQueries, _ values: [SQLValue]
  ) throws {
    var identities = IdentityRows(of: account)
    try each(queries.identities, values) { try identities.add($0) }
    account.identities = identities.identities
    account.secondFactors = try rows(queries.secondFactors, values, SecondFactor.init)
  }

  /// The number of keys from which most are expected to be unknown, as in an import.
  private static let manyKeys = 50

  /// Prefetches the queries of a snapshot, assuming that no account was absorbed or is found by two keys.
  func ask(for keys: [AccountKey], uses: [OneTimeUse], in scope: Scope) throws {
    guard session.dialect.isRemote else { return }
    var statements: [SQLStatement] = []
    if knownSettings[scope] == nil {
      statements.append(Self.settingsRevision(scope))
      if !assumesUnused {
        statements += uses.map { Self.oneTimeRecordQuery($0.recordID, in: scope) }
      }
    }
    // A request for an account by uid adds an identity, which most likely has no owner yet.
    let isForAccount = keys.contains { if case .uid = $0 { true } else { false } }
    let areMany = keys.count >= Self.manyKeys
    for key in keys {
      switch key {
      case .uid(let id):
        let values = scope.values(id)
        statements +=
          areMany
          ? [AccountQueries.ofUID.account, Self.survivorOfUID].map { SQLStatement($0, values) }
          : AccountQueries.ofUID.statements(values)
      case .identity(let identity):
        statements += AccountQueries.ofOwner.statements(Self.ownerValues(identity, in: scope))
          .prefix(isForAccount ? 1 : .max)
      case .email, .phone: statements += Self.contactQuery(key, in: scope)
      }
    }
    session.expect(statements)
  }

  private static func ownerValues(_ key: IdentityKey, in scope: Scope) -> [SQLValue] {
    // One literal rather than a concatenation of three arrays, because every sign-in runs this.
    let (project, tenant) = (SQLValue.text(scope.project), SQLValue.text(scope.tenant ?? ""))
    return [
      project, tenant, project, tenant, .text(key.provider.rawValue), .text(key.issuer),
      .text(key.subject),
    ]
  }

  /// Returns the query of ``accountIDs(withEmail:in:)`` or ``accountIDs(withPhone:in:)``; none for other keys.
  private static func contactQuery(_ key: AccountKey, in scope: Scope) -> [SQLStatement] {
    switch key {
    case .email(let email):
      [SQLStatement(idsByEmail, scope.values + [.text(email.canonical)])]
    case .phone(let number): [SQLStatement(idsByPhone, scope.values + [.text(number.text)])]
    case .uid, .identity: []
    }
  }

  func survivor(of absorbed: AccountID, in scope: Scope) throws -> AccountID? {
    try first(Self.survivorOfUID, scope.values(absorbed), AccountID.init)
  }

  func aliases(of survivor: AccountID, in scope: Scope) throws -> [AccountID] {
    try sorted(Self.aliasesOfUID, scope.values(survivor))
  }

  private static let survivorOfUID =
    "SELECT survivor FROM aliases WHERE \(inScope) AND absorbed = ?"
  private static let aliasesOfUID =
    "SELECT absorbed FROM aliases WHERE \(inScope) AND survivor = ?"

  func accountIDs(withEmail canonical: String, in scope: Scope) throws -> [AccountID] {
    try sorted(Self.idsByEmail, scope.values + [.text(canonical)])
  }

  func accountIDs(withPhone number: String, in scope: Scope) throws -> [AccountID] {
    try sorted(Self.idsByPhone, scope.values + [.text(number)])
  }

  /// Reads the few uids of a column, sorted.
  ///
  /// The sort is not left to the engine. Without statistics about a table it would read the whole table in that order
  /// instead of using the column's index.
  private func sorted(_ sql: String, _ values: [SQLValue]) throws -> [AccountID] {
    try rows(sql, values, AccountID.init).sorted()
  }

  private static let idsByEmail =
    "SELECT uid FROM accounts WHERE \(inScope) AND email_canonical = ?"
  private static let idsByPhone =
    "SELECT uid FROM accounts WHERE \(inScope) AND phone = ?"

  func accounts(
    matching filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) throws -> [Account] {
    guard !filter.claims.isEmpty else {
      return try page(filter, after: after, limit: limit, in: scope)
    }
    // SQL knows only which accounts have claims at all.
    var (found, last) = ([Account](), after)
    while found.count < limit {
      let page = try page(filter, after: last, limit: Self.pageOfClaims, in: scope)
      found += page.filter(filter.matchesClaims).prefix(limit - found.count)
      guard page.count == Self.pageOfClaims else { break }
      last = page.last?.id
    }
    return found
  }

  /// The number of accounts with claims that are read at a time.
  private static let pageOfClaims = 500

  /// Returns a page of the accounts that meet every condition but those of claims, which have to exist.
  private func page(
    _ filter: AccountFilter, after: AccountID?, limit: Int, in scope: Scope
  ) throws -> [Account] {
    var condition = AccountCondition(scope, session.dialect)
    let order = AccountOrderSQL(filter.order)
    if let after, !(try require(after, order, in: scope, &condition)) { return [] }
    condition.require(filter)
    var accounts = try rows(
      """
      SELECT \(AccountColumns.read) FROM accounts
      WHERE \(condition.sql) ORDER BY \(order.columns) LIMIT ?
      """, condition.values + [.integer(Int64(max(0, limit)))]
    ) { try Account.read($0, in: scope) }
    guard filter != AccountFilter() else {
      try completePage(&accounts, in: scope)
      return accounts
    }
    session.expect(
      accounts.flatMap {
        AccountQueries.ofUID.statements(scope.values($0.id)).dropFirst()
      })
    for index in accounts.indices {
      try complete(&accounts[index], AccountQueries.ofUID, scope.values(accounts[index].id))
    }
    return accounts
  }

  /// Requires a place behind an account; returns false if the order needs that account and it is gone.
  private func require(
    _ after: AccountID, _ order: AccountOrderSQL, in scope: Scope,
    _ condition: inout AccountCondition
  ) throws -> Bool {
    let uid = SQLValue.text(after.rawValue)
    guard let key = order.key else {
      condition.require("uid > ?", uid)
      return true
    }
    let found = try first(
      "SELECT \(key) FROM accounts WHERE \(Self.inScope) AND uid = ?", scope.values(after)
    ) { try $0.integer(0) }
    guard let found else { return false }
    condition.require(
      "(\(key) > ? OR (\(key) = ? AND uid > ?))", .integer(found), .integer(found), uid)
    return true
  }

  /// Reads the identities and second factors of a page of consecutive accounts.
  private func completePage(_ accounts: inout [Account], in scope: Scope) throws {
    guard let first = accounts.first?.id.rawValue, let last = accounts.last?.id.rawValue else {
      return
    }
    let values = scope.values + [.text(first), .text(last)]
    session.expect([
      SQLStatement(Self.identitiesOfPage, values), SQLStatement(Self.secondFactorsOfPage, values),
    ])
    var place = PlaceInPage(accounts)
    var gathered = IdentityRows(of: accounts[place.index])
    try each(Self.identitiesOfPage, values) { row in
      let before = place.index
      guard place.move(to: row, column: IdentityRows.count) else { return }
      if place.index != before {
        accounts[before].identities = gathered.identities
        gathered = IdentityRows(of: accounts[place.index])
      }
      try gathered.add(row)
    }
    if place.index < accounts.count { accounts[place.index].identities = gathered.identities }
    place = PlaceInPage(accounts)
    try each(Self.secondFactorsOfPage, values) { row in
      guard place.move(to: row, column: SecondFactorColumns.count) else { return }
      accounts[place.index].secondFactors.append(try SecondFactor(row))
    }
  }

  private static let identitiesOfPage = """
    SELECT \(IdentityRows.columns), uid FROM identities
    WHERE \(inScope) AND uid >= ? AND uid <= ? ORDER BY uid, position
    """
  private static let secondFactorsOfPage = """
    SELECT \(SecondFactorColumns.all), uid FROM second_factors
    WHERE \(inScope) AND uid >= ? AND uid <= ? ORDER BY uid, position
    """

  func accountCount(matching filter: AccountFilter, in scope: Scope) throws -> Int {
    guard filter.claims.isEmpty else {
      var (count, last) = (0, AccountID?.none)
      while true {
        var filter = filter
        filter.order = .uid
        let page = try page(filter, after: last, limit: Self.pageOfClaims, in: scope)
        count += page.count(where: filter.matchesClaims)
        guard page.count == Self.pageOfClaims else { return count }
        last = page.last?.id
      }
    }
    var condition = AccountCondition(scope, session.dialect)
    condition.require(filter)
    let count = try lookUp(
      SQLStatement("SELECT count(*) FROM accounts WHERE \(condition.sql)", condition.values)
    ) { try $0.integer(0) }
    return Int(count ?? 0)
  }

  func providers(in scope: Scope) throws -> [ProviderUse] {
    try rows(
      """
      SELECT provider, count(DISTINCT uid) FROM identities WHERE \(Self.inScope)
      GROUP BY provider ORDER BY provider
      """, scope.values
    ) { ProviderUse(provider: ProviderID(try $0.string(0)), accounts: Int(try $0.integer(1))) }
  }

  func duplicates(
    by key: DuplicateKey, after: String?, limit: Int, in scope: Scope
  ) throws -> [DuplicateGroup] {
    if key == .similarEmail {
      return try SimilarEmails(transaction: self, scope: scope).groups(after: after, limit: limit)
    }
    let column = key == .phone ? "phone" : "email_canonical"
    let verified = """
      AND EXISTS (
        SELECT 1 FROM accounts AS other
        WHERE other.project = accounts.project AND other.tenant = accounts.tenant
          AND other.email_canonical = accounts.email_canonical AND other.email_verified = 1)
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
  fileprivate init(_ row: any SQLRow) throws {
    self.init(try row.string(0))
  }
}

/// The position in a page of accounts, while rows come in the order of their accounts.
///
/// The engine decides the order: SQLite stores texts with NUL as blobs, which sort after all others.
private struct PlaceInPage {
  private let uids: [String]
  private(set) var index = 0

  init(_ accounts: [Account]) {
    uids = accounts.map(\.id.rawValue)
  }

  /// Moves to the account of a row; returns false if it is not in the page, such as a newer one.
  mutating func move(to row: any SQLRow, column: Int) -> Bool {
    guard index < uids.count else { return false }
    if row.has(column, uids[index]) { return true }
    guard let next = uids[index...].dropFirst().firstIndex(where: { row.has(column, $0) }) else {
      return false
    }
    index = next
    return true
  }
}

/// The queries for one account, by the key that finds it.
private struct AccountQueries {
  let account: String
  let identities: String
  let secondFactors: String

  private init(uid: String) {
    let condition = "project = ? AND tenant = ? AND uid = \(uid)"
    account = "SELECT \(AccountColumns.read) FROM accounts WHERE \(condition)"
    identities =
      "SELECT \(IdentityRows.columns) FROM identities WHERE \(condition) ORDER BY position"
    secondFactors =
      "SELECT \(SecondFactorColumns.all) FROM second_factors WHERE \(condition) ORDER BY position"
  }

  static let ofUID = AccountQueries(uid: "?")
  static let ofOwner = AccountQueries(
    uid: """
      (SELECT uid FROM identities
      WHERE project = ? AND tenant = ? AND provider = ? AND issuer = ? AND subject = ?)
      """)

  func statements(_ values: [SQLValue]) -> [SQLStatement] {
    [
      SQLStatement(account, values), SQLStatement(identities, values),
      SQLStatement(secondFactors, values),
    ]
  }
}
