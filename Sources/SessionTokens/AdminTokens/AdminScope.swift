/// What an admin's token may be used for.
public enum AdminScope: String, Sendable, Hashable, Codable, CaseIterable {
  case readAccounts = "accounts:read"
  /// Reading too: who writes sees what was written.
  case writeAccounts = "accounts:write"
  case config
  case merge
  case audit
  case plugins
  case keys
  /// Everything.
  case all

  /// Whether a token with these scopes may do what needs another one.
  public static func does(_ scopes: some Collection<AdminScope>, allow needed: AdminScope) -> Bool {
    scopes.contains { scope in
      scope == .all || scope == needed || scope == .writeAccounts && needed == .readAccounts
    }
  }
}

/// Who an admin's token belongs to.
public struct AdminIdentity: Sendable, Hashable {
  /// What the audit keeps.
  public let name: String
  public let scopes: Set<AdminScope>

  public func allows(_ scope: AdminScope) -> Bool { AdminScope.does(scopes, allow: scope) }
}
