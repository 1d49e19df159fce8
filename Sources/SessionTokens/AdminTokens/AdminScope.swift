/// A permission of an admin token, within the token's project and that project's tenants.
public enum AdminScope: String, Sendable, Hashable, Codable, CaseIterable {
  /// Reading accounts.
  case readAccounts = "accounts:read"
  /// Changing accounts, and reading them: every change returns the account.
  case writeAccounts = "accounts:write"
  /// Changing settings.
  case config
  /// Reading the secrets of OpenID Connect configurations, beside `config`.
  case secrets
  /// Merging accounts.
  case merge
  /// Reading the audit.
  case audit
  case plugins
  /// Managing signing keys.
  case keys
  /// Opening the console on the server; what it may read there, the other scopes say.
  case readConsole = "console:read"
  /// Writing in the console what the other scopes allow, and opening it.
  case writeConsole = "console:write"
  /// Everything in the token's project.
  case all
  /// Every project of the server, and what belongs to no project: plug-ins and metrics.
  ///
  /// The other scopes determine what is allowed there. `all` does not include this scope; a token needs it explicitly.
  case server

  /// Returns true if a token with these scopes allows an operation that needs `needed`.
  public static func does(_ scopes: some Collection<AdminScope>, allow needed: AdminScope) -> Bool {
    scopes.contains { scope in
      scope == needed || scope == .all && needed != .server
        || scope == .writeAccounts && needed == .readAccounts
        || scope == .writeConsole && needed == .readConsole
    }
  }
}

/// The owner of an admin token.
public struct AdminIdentity: Sendable, Hashable {
  /// The token's name, as the audit records it.
  public let name: String
  /// The permissions.
  public let scopes: Set<AdminScope>
  /// The project that the token was made for.
  public let project: String

  /// Returns true if the token allows an operation that needs a scope.
  public func allows(_ scope: AdminScope) -> Bool { AdminScope.does(scopes, allow: scope) }
}
