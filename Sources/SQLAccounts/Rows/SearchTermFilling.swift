import AuthCore

/// Fills the table `search_terms` of a store that has accounts from before the table.
///
/// It names the columns that it reads, because later migrations add others.
package struct SearchTermFilling {
  private let read: (SQLStatement, (any SQLRow) throws -> Void) throws -> Void
  private let write: ([CopiedRow]) throws -> Void

  /// The number of accounts that are read at a time.
  private static let page = 5000

  /// Makes the work of a migration.
  ///
  /// - Parameters:
  ///   - read: runs a query to its end, with each row.
  ///   - write: adds rows with the columns of `CopiedTable.named("search_terms")`, in the order of its key.
  package init(
    read: @escaping (SQLStatement, (any SQLRow) throws -> Void) throws -> Void,
    write: @escaping ([CopiedRow]) throws -> Void
  ) {
    self.read = read
    self.write = write
  }

  /// Adds the terms of all accounts, page by page.
  package func run() throws {
    var after: Place?
    repeat {
      let accounts = try accounts(after: after)
      guard let last = accounts.last?.place else { return }
      let profiles = try profiles(after: after, through: last)
      let rows = accounts.flatMap { account in
        let terms = SearchTerms(
          email: account.email, phoneNumber: account.phone, displayName: account.name,
          identities: profiles[account.place] ?? [])
        return terms.all.map { $0.values(of: account.place.uid, in: account.place.scope) }
      }
      let sorted = rows.map { (key: $0.sortKey, row: $0) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      if !sorted.isEmpty { try write(sorted.map(\.row)) }
      after = accounts.count == Self.page ? last : nil
    } while after != nil
  }

  /// An account's place among those of all scopes.
  private struct Place: Hashable {
    let scope: Scope
    let uid: AccountID

    init(_ row: any SQLRow) throws {
      scope = try row.scope(0)
      uid = AccountID(try row.string(2))
    }

    var values: [SQLValue] { scope.values(uid) }
  }

  private struct Texts {
    let place: Place
    let email: String?
    let phone: String?
    let name: String?
  }

  private func accounts(after place: Place?) throws -> [Texts] {
    let condition = place == nil ? "" : "WHERE (project, tenant, uid) > (?, ?, ?)"
    var accounts: [Texts] = []
    try read(
      SQLStatement(
        """
        SELECT project, tenant, uid, email, phone, display_name FROM accounts \(condition)
        ORDER BY project, tenant, uid LIMIT \(Self.page)
        """, place?.values ?? [])
    ) { row in
      accounts.append(
        Texts(
          place: try Place(row), email: try row.text(3), phone: try row.text(4),
          name: try row.text(5)))
    }
    return accounts
  }

  private func profiles(
    after place: Place?, through last: Place
  ) throws -> [Place: [IdentityProfile]] {
    let condition = place == nil ? "" : "AND (project, tenant, uid) > (?, ?, ?)"
    var profiles: [Place: [IdentityProfile]] = [:]
    try read(
      SQLStatement(
        """
        SELECT project, tenant, uid, email, phone, display_name, screen_name FROM identities
        WHERE (project, tenant, uid) <= (?, ?, ?) \(condition) AND position >= 0
        ORDER BY project, tenant, uid, position
        """, last.values + (place?.values ?? []))
    ) { row in
      let place = try Place(row)
      profiles[place, default: []].append(
        IdentityProfile(
          email: try row.text(3), displayName: try row.text(5), phoneNumber: try row.text(4),
          screenName: try row.text(6)))
    }
    return profiles
  }
}

extension [SQLValue] {
  /// Bytes in the order of a key of texts and of numbers from 0 to 255.
  fileprivate var sortKey: [UInt8] {
    var bytes: [UInt8] = []
    for value in self {
      switch value {
      case .null: break
      case .integer(let number): bytes.append(UInt8(truncatingIfNeeded: number))
      case .string(let text):
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
      }
    }
    return bytes
  }
}
