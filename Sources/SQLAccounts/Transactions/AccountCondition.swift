import AuthCore

/// The conditions of a filter, as SQL that uses the existing indexes.
struct AccountCondition {
  private var conditions = ["project = ?", "tenant = ?"]
  private(set) var values: [SQLValue]
  private let scope: Scope
  private let dialect: SQLDialect

  init(_ scope: Scope, _ dialect: SQLDialect) {
    self.scope = scope
    self.dialect = dialect
    values = scope.values
  }

  var sql: String { conditions.joined(separator: " AND ") }

  mutating func require(_ condition: String, _ values: SQLValue...) {
    conditions.append(condition)
    self.values += values
  }

  /// Requires every condition of a filter, and of its claims that there are any.
  mutating func require(_ filter: AccountFilter) {
    if let email = filter.email { requireAmong("email_canonical", .text(email.canonical)) }
    if let number = filter.phoneNumber { requireAmong("phone", .text(number.text)) }
    if let name = filter.displayName { require("display_name = ?", .text(name)) }
    if let disabled = filter.disabled { require("disabled = ?", .flag(disabled)) }
    if let verified = filter.emailVerified { require("email_verified = ?", .flag(verified)) }
    if let anonymous = filter.isAnonymous { require("is_anonymous = ?", .flag(anonymous)) }
    if let time = filter.createdSince { require("created_at >= ?", .time(time)) }
    if let time = filter.createdBefore { require("created_at < ?", .time(time)) }
    if let time = filter.seenSince { require("last_sign_in_at >= ?", .time(time)) }
    if let time = filter.notSeenSince {
      require("(last_sign_in_at IS NULL OR last_sign_in_at < ?)", .time(time))
    }
    if !filter.claims.isEmpty { require("custom_claims IS NOT NULL") }
    requireIdentity(filter.providerID, filter.subject)
    for provider in filter.allProviders.sorted() { require(own("provider"), provider.value) }
    for provider in filter.noProviders.sorted() {
      require("NOT " + own("provider"), provider.value)
    }
    let any = filter.anyProviders.sorted()
    if !any.isEmpty {
      conditions.append("(\(any.map { _ in own("provider") }.joined(separator: " OR ")))")
      values += any.map(\.value)
    }
  }

  /// Finds the few accounts by an index first.
  ///
  /// SQLite would otherwise scan all accounts in order of uid.
  private mutating func requireAmong(_ column: String, _ value: SQLValue) {
    conditions.append(
      "uid IN (SELECT uid FROM accounts WHERE project = ? AND tenant = ? AND \(column) = ?)")
    values += scope.values + [value]
  }

  /// Requires an identity with this subject.
  ///
  /// A subject with its provider is found by the unique key. Without a provider, the identities of every account are
  /// read.
  private mutating func requireIdentity(_ provider: ProviderID?, _ subject: String?) {
    switch (provider, subject) {
    case (let provider?, let subject?):
      conditions.append(
        """
        uid IN (SELECT uid FROM identities
          WHERE project = ? AND tenant = ? AND provider = ? AND subject = ?)
        """)
      values += scope.values + [provider.value, .text(subject)]
    case (let provider?, nil): require(own("provider"), provider.value)
    case (nil, let subject?): require(own("subject"), .text(subject))
    case (nil, nil): break
    }
  }

  /// The condition that an account has an identity with a value in a column.
  ///
  /// With an index, SQLite would scan all identities of the provider for each account.
  private func own(_ column: String) -> String {
    """
    EXISTS (SELECT 1 FROM identities WHERE identities.project = accounts.project
      AND identities.tenant = accounts.tenant AND identities.uid = accounts.uid
      AND \(dialect.unindexed("identities.\(column)")) = ?)
    """
  }
}

extension ProviderID {
  fileprivate var value: SQLValue { .text(rawValue) }
}

/// An order of accounts as SQL.
struct AccountOrderSQL {
  /// The number by which accounts are ordered, as ``AccountFilter/Order/key(of:)`` has it; nil for the order of uid.
  let key: String?

  init(_ order: AccountFilter.Order) {
    key =
      switch order {
      case .uid: nil
      case .newest: "(-created_at)"
      case .oldest: "created_at"
      case .lastSeen: "COALESCE(-last_sign_in_at, \(AccountFilter.Order.last))"
      }
  }

  var columns: String { key.map { "\($0), uid" } ?? "uid" }
}
