import AuthCore

/// Finds accounts whose addresses are equal but for case and accents.
///
/// An address of ASCII letters is its own key, so only the others are read: one pass over the index of addresses, and
/// memory for those with other letters. Each page takes such a pass.
struct SimilarEmails {
  let transaction: SQLTransaction
  let scope: Scope

  /// The number of keys that are looked up at a time.
  private static let batch = 200
  private static let inScope = "project = ? AND tenant = ?"

  /// Returns the groups after a key, in order of key.
  func groups(after: String?, limit: Int) throws -> [DuplicateGroup] {
    guard limit > 0 else { return [] }
    let folded = try folded(after: after)
    let plain = try plain(after: after, limit: limit, besides: folded)
    let accented = try accented(folded, limit: limit)
    return Array(
      (plain + accented).sorted { $0.key.precedesExactly($1.key) }.prefix(limit))
  }

  /// Returns the accounts with letters beyond ASCII by their keys.
  private func folded(after: String?) throws -> [String: [AccountID]] {
    let dialect = transaction.session.dialect
    let beyond = dialect.beyondASCII("email_canonical")
    let rows = try transaction.rows(
      """
      SELECT email, uid FROM accounts \(dialect.indexedBy("accounts_by_email"))
      WHERE \(Self.inScope) AND email_canonical IS NOT NULL
        AND (\(beyond) OR email_canonical LIKE '%xn--%')
      """, scope.values
    ) { row in (email: try row.string(0), uid: try row.string(1)) }
    var keys: [String: [AccountID]] = [:]
    for row in rows {
      guard let key = (try? EmailAddress(row.email))?.similar, after?.precedesExactly(key) ?? true
      else {
        continue
      }
      keys[key, default: []].append(AccountID(row.uid))
    }
    return keys
  }

  /// Returns groups with one canonical address of ASCII letters, which no address with other letters resembles.
  private func plain(
    after: String?, limit: Int, besides folded: [String: [AccountID]]
  ) throws -> [DuplicateGroup] {
    var groups: [DuplicateGroup] = []
    var last = after
    while groups.count < limit {
      let page = try transaction.duplicates(by: .email, after: last, limit: limit, in: scope)
      groups += page.filter { group in
        group.key.isPlain && folded[group.key] == nil
      }
      guard page.count == limit else { break }
      last = page.last?.key
    }
    return groups
  }

  /// Returns groups with at least one address with letters beyond ASCII.
  private func accented(
    _ folded: [String: [AccountID]], limit: Int
  ) throws -> [DuplicateGroup] {
    var groups: [DuplicateGroup] = []
    var rest = folded.keys.sorted { $0.precedesExactly($1) }[...]
    while !rest.isEmpty, groups.count < limit {
      let keys = rest.prefix(Self.batch)
      rest = rest.dropFirst(Self.batch)
      let others = try accounts(having: keys.filter(\.isPlain))
      for key in keys {
        let accounts = Set((folded[key] ?? []) + (others[key] ?? []))
        guard accounts.count > 1 else { continue }
        groups.append(DuplicateGroup(key: key, accounts: accounts.sorted()))
      }
    }
    return groups
  }

  private func accounts(having emails: [String]) throws -> [String: [AccountID]] {
    guard !emails.isEmpty else { return [:] }
    let marks = Array(repeating: "?", count: emails.count).joined(separator: ", ")
    let rows = try transaction.rows(
      """
      SELECT email_canonical, uid FROM accounts
      WHERE \(Self.inScope) AND email_canonical IN (\(marks))
      """, scope.values + emails.map(SQLValue.text)
    ) { row in (email: try row.string(0), uid: try row.string(1)) }
    return rows.reduce(into: [:]) { accounts, row in
      accounts[row.email, default: []].append(AccountID(row.uid))
    }
  }
}

extension String {
  /// Tells whether the text is in ASCII, and no domain in it stands for one with other letters.
  fileprivate var isPlain: Bool { utf8.allSatisfy { $0 < 0x80 } && !contains("xn--") }
}
