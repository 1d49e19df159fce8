/// What an admin's token may be used for, in the project that it was made for and that project's tenants.
public enum AdminScope: String, Sendable, Hashable, Codable, CaseIterable {
  case readAccounts = "accounts:read"
  /// Reading too: who writes sees what was written.
  case writeAccounts = "accounts:write"
  case config
  case merge
  case audit
  case plugins
  case keys
  /// Everything in the token's project.
  case all
  /// Every project of the server, and what is of no project: plug-ins and metrics.
  ///
  /// The other scopes say what may be done there. It has to be asked for: `all` does not have it.
  case server

  /// Whether a token with these scopes may do what needs another one.
  public static func does(_ scopes: some Collection<AdminScope>, allow needed: AdminScope) -> Bool {
    scopes.contains { scope in
      scope == needed || scope == .all && needed != .server
        || scope == .writeAccounts && needed == .readAccounts
    }
  }
}

/// Who an admin's token belongs to.
public struct AdminIdentity: Sendable, Hashable {
  /// What the audit keeps.
  public let name: String
  public let scopes: Set<AdminScope>
  /// The project that the token was made for.
  public let project: String

  public func allows(_ scope: AdminScope) -> Bool { AdminScope.does(scopes, allow: scope) }
}
