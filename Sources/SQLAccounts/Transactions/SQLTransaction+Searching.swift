import AuthCore

/// The table `search_terms`, by which a part of an address, a name or a number finds accounts.
extension SQLTransaction {
  func accountIDs(
    found search: TextSearch, limit: Int, in scope: Scope
  ) throws -> [AccountID] {
    let limit = max(0, limit)
    let providers = try providersOfIdentities(in: scope)
    let queries = search.steps.flatMap { TermQuery.all($0, among: providers, in: scope) }
    session.expect(queries.map { $0.statement(limit) })
    var found: [AccountID] = []
    var seen: Set<AccountID> = []
    for query in queries {
      var count = limit
      while found.count < limit {
        let statement = query.statement(count)
        let page = try rows(statement.sql, statement.values) { AccountID(try $0.string(0)) }
        for id in page where found.count < limit && seen.insert(id).inserted { found.append(id) }
        // An account that was found before takes a place in the page.
        guard page.count == count else { break }
        count *= 2
      }
    }
    return found
  }

  /// Returns the providers of a scope's identities, with one lookup in the index for each.
  private func providersOfIdentities(in scope: Scope) throws -> [String] {
    try rows(
      """
      WITH RECURSIVE providers (provider) AS (
        SELECT min(provider) FROM identities WHERE project = ? AND tenant = ?
        UNION ALL
        SELECT (SELECT min(identities.provider) FROM identities
          WHERE identities.project = ? AND identities.tenant = ?
            AND identities.provider > providers.provider)
        FROM providers WHERE providers.provider IS NOT NULL)
      SELECT provider FROM providers WHERE provider IS NOT NULL
      """, scope.values + scope.values
    ) { try $0.string(0) }
  }

  /// Returns the change that adds terms of an account; nil for none.
  func inserting(_ terms: [SearchTerm], of account: Account) -> SQLChange? {
    guard !terms.isEmpty else { return nil }
    let places = Array(repeating: "(?, ?, ?, ?, ?)", count: terms.count).joined(separator: ", ")
    return SQLChange(
      """
      INSERT INTO search_terms (\(SearchTerm.columns)) VALUES \(places) ON CONFLICT DO NOTHING
      """, terms.flatMap { $0.values(of: account.id, in: account.scope) })
  }

  /// Returns the changes that remove terms of an account.
  func deleting(_ terms: [SearchTerm], of account: Account) -> [SQLChange] {
    terms.map { term in
      SQLChange(
        """
        DELETE FROM search_terms
        WHERE project = ? AND tenant = ? AND place = ? AND term = ? AND uid = ?
        """, term.values(of: account.id, in: account.scope))
    }
  }

  /// Returns the changes of an account's terms, most often none.
  func updatingTerms(of account: Account, replacing old: Account) -> [SQLChange] {
    guard !account.hasSearchTerms(of: old) else { return [] }
    let terms = account.searchTerms(since: old)
    return deleting(Array(terms.removed), of: account)
      + [inserting(Array(terms.added), of: account)].compactMap(\.self)
  }
}

extension SearchTerm {
  static let columns = "project, tenant, place, term, uid"

  func values(of account: AccountID, in scope: Scope) -> [SQLValue] {
    scope.values + [.integer(Int64(place)), .text(text), .text(account.rawValue)]
  }
}

extension Account {
  /// Rows of ``BulkTable/searchTerms``.
  var termRows: [[SQLValue]] { searchTerms.map { $0.values(of: id, in: scope) } }
}

extension BulkTable {
  static let searchTerms = BulkTable("search_terms", SearchTerm.columns)
}

/// A query for the uids with a text that begins with another, in the order of an index.
private struct TermQuery {
  private let sql: String
  private let values: [SQLValue]

  init(
    _ table: String, _ column: String, _ range: TextSearch.TextRange, in values: [SQLValue],
    and condition: String? = nil, order: String
  ) {
    let texts = range.isExact ? "\(column) = ?" : "\(column) >= ? AND \(column) < ?"
    sql = """
      SELECT uid FROM \(table) WHERE project = ? AND tenant = ?\(condition.map { " AND \($0)" } ?? "")
        AND \(texts) ORDER BY \(order) LIMIT ?
      """
    self.values =
      values + [.text(range.beginning)] + (range.isExact ? [] : [.text(range.end)])
  }

  /// Returns the queries of a step, one after the other.
  static func all(
    _ step: TextSearch.Step, among providers: [String], in scope: Scope
  ) -> [TermQuery] {
    switch step {
    case .uid(let range):
      [TermQuery("accounts", "uid", range, in: scope.values, order: "uid")]
    case .subject(let range):
      providers.map { provider in
        TermQuery(
          "identities", "subject", range, in: scope.values + [.text(provider)],
          and: "provider = ?", order: "provider, subject, issuer")
      }
    case .term(let place, let range):
      [
        TermQuery(
          "search_terms", "term", range, in: scope.values + [.integer(Int64(place))],
          and: "place = ?", order: "term, uid")
      ]
    }
  }

  func statement(_ limit: Int) -> SQLStatement {
    SQLStatement(sql, values + [.integer(Int64(limit))])
  }
}
