/// A request to change the identities of an account.
public enum LinkRequest: Sendable, Hashable, Codable {
  /// Signs in with a verified identity; the rules find the account.
  case signIn(VerifiedIdentity)
  /// Creates an account with a new secret.
  case signUp(VerifiedIdentity)
  /// Adds a verified identity to an account.
  case link(VerifiedIdentity, to: AccountID)
  /// Adds an identity on an admin's word.
  case assert(IdentityKey, to: AccountID)
  /// Removes identities of a provider; the subject selects one if the account has several.
  case unlink(ProviderID, subject: String?, from: AccountID, force: Bool)

  /// The one-time values that the request uses up.
  var uses: [OneTimeUse] {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity.uses
    case .assert, .unlink: []
    }
  }

  /// The keys of all accounts that the rules need.
  public var keys: [AccountKey] {
    switch self {
    case .signIn(let identity):
      identity.keys
        + (identity.provider == .emailLink || identity.migratedFrom != nil ? identity.sibling : [])
    case .signUp(let identity): identity.keys + identity.sibling
    case .link(let identity, let account): [.uid(account)] + identity.keys + identity.sibling
    case .assert(let key, let account):
      [.uid(account), .identity(key)]
    case .unlink(_, _, let account, _):
      [.uid(account)]
    }
  }
}

extension VerifiedIdentity {
  fileprivate var keys: [AccountKey] {
    [
      key.map(AccountKey.identity), email.map(AccountKey.email), account.map(AccountKey.uid),
    ].compactMap { $0 } + formerKeys.map(AccountKey.identity)
  }

  /// The other identity of an address that signs in: its password, or links to it.
  fileprivate var sibling: [AccountKey] {
    guard let email, let key else { return [] }
    switch key.provider {
    case .password: return [.identity(.emailLink(email))]
    case .emailLink: return [.identity(.password(email))]
    default: return []
    }
  }
}

/// The decision of the rules.
public enum Decision: Sendable, Hashable {
  /// Sign in to the account that owns the identity.
  case signIn(AccountID)
  /// Create an account with the identity.
  case createAccount
  /// Create an account for an address's owner; the named account, whose uid the app chose, loses the address.
  case createBeside(AccountID)
  /// Link the identity to the account with the same verified e-mail, and sign in.
  case autoLink(AccountID)
  /// Like ``autoLink(_:)``, for an account that never proved the e-mail: it loses these identities.
  case takeOver(AccountID, removing: [IdentityKey])
  /// Add the identity to the account.
  case link(AccountID)
  /// Change nothing: the account has the identity.
  case linkedAlready(AccountID)
  /// Remove the identities from the account.
  case unlink(AccountID, [IdentityKey])
  /// Another account is in conflict; a merge policy may decide.
  case conflict(AuthError, current: AccountID, existing: AccountID)
  /// The first factor was right, and a second one is required before the rest is done.
  indirect case secondFactor(AccountID, then: Decision)
  /// Refuse with an error.
  case refuse(AuthError)
}
