import AuthCore

extension SQLTransaction {
  func settings(of scope: Scope) throws -> ProjectSettings {
    if let known = knownSettings[scope] { return known }
    let query = Self.settingsRevision(scope)
    let revision = try first(query.sql, query.values) { try $0.integer(0) }
    areStored[scope] = revision != nil
    let settings =
      try revision.map { try cache.known($0) ?? readSettings(of: scope) } ?? ProjectSettings()
    knownSettings[scope] = settings
    return settings
  }

  /// Returns the settings if any were ever stored.
  func storedSettings(of scope: Scope) throws -> ProjectSettings? {
    let settings = try settings(of: scope)
    return areStored[scope] == true ? settings : nil
  }

  static func settingsRevision(_ scope: Scope) -> SQLStatement {
    SQLStatement("SELECT revision FROM settings WHERE project = ? AND tenant = ?", scope.values)
  }

  /// Reads the settings with their own revision.
  ///
  /// The revision may be newer than the one read before, if no transaction spans both queries.
  private func readSettings(of scope: Scope) throws -> ProjectSettings {
    let stored = try first(
      "SELECT revision, json FROM settings WHERE project = ? AND tenant = ?", scope.values
    ) { (try $0.integer(0), try $0.string(1)) }
    guard let (revision, json) = stored else { return ProjectSettings() }
    let settings: ProjectSettings = try JSONColumn.value(json)
    cache.keep(settings, of: revision)
    return settings
  }

  func save(_ settings: ProjectSettings, for scope: Scope) throws {
    let json = settings.json
    // This may fail, so it comes first: a refusal leaves everything as it was.
    if try self.settings(of: scope).oneAccountPerEmail != settings.oneAccountPerEmail {
      try giveVerifiedEmails(owners: settings.oneAccountPerEmail, in: scope)
    }
    try later(
      """
      INSERT INTO settings (project, tenant, revision, json) VALUES (?, ?, ?, ?)
      ON CONFLICT (project, tenant) DO UPDATE SET revision = excluded.revision, json = excluded.json
      """,
      scope.values + [.integer(.random(in: .min ... .max)), .text(json)])
    knownSettings[scope] = settings
    areStored[scope] = true
    try session.announce(.settings(scope))
  }

  private func giveVerifiedEmails(owners: Bool, in scope: Scope) throws {
    let candidates =
      "project = ? AND tenant = ? AND email_canonical IS NOT NULL AND email_verified = 1"
    guard owners else {
      try run("UPDATE accounts SET verified_email = NULL WHERE \(candidates)", scope.values)
      return
    }
    let shared = try first(
      """
      SELECT email_canonical FROM accounts WHERE \(candidates)
      GROUP BY email_canonical HAVING count(*) > 1 ORDER BY email_canonical LIMIT 1
      """, scope.values
    ) { try $0.string(0) }
    if let shared { throw UniqueKeyConflict(key: "verified e-mail \(shared)") }
    try run(
      "UPDATE accounts SET verified_email = email_canonical WHERE \(candidates)", scope.values)
  }
}
