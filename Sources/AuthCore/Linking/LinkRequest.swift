/// What somebody wants done about who owns an identity.
public enum LinkRequest: Sendable, Hashable, Codable {
  /// Enter with a verified identity; whose account it is gets decided.
  case signIn(VerifiedIdentity)
  /// Open an account with a secret that was chosen now.
  case signUp(VerifiedIdentity)
  /// Add a verified identity to an account.
  case link(VerifiedIdentity, to: AccountID)
  /// Add an identity because an admin says so.
  case assert(IdentityKey, to: AccountID)
  /// Take identities of a provider away; the subject chooses where the account has several.
  case unlink(ProviderID, subject: String?, from: AccountID, force: Bool)

  /// What is used up by what is requested.
  var uses: [OneTimeUse] {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity.uses
    case .assert, .unlink: []
    }
  }

  /// Every key whose accounts the rules have to see.
  public var keys: [AccountKey] {
    switch self {
    case .signIn(let identity):
      identity.keys + (identity.provider == .emailLink ? identity.sibling : [])
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

  /// The other identity that an address signs in with: its password, or links to it.
  fileprivate var sibling: [AccountKey] {
    guard let email, let key else { return [] }
    switch key.provider {
    case .password: return [.identity(.emailLink(email))]
    case .emailLink: return [.identity(.password(email))]
    default: return []
    }
  }
}

/// What the rules say.
public enum Decision: Sendable, Hashable {
  case signIn(AccountID)
  case createAccount
  /// Open an account for an address's owner; this one, which the app names itself, loses the address.
  case createBeside(AccountID)
  /// Sign in to the account that has the same verified e-mail, and link the identity to it.
  case autoLink(AccountID)
  /// Like ``autoLink(_:)``, where the account never proved the e-mail: these identities go.
  case takeOver(AccountID, removing: [IdentityKey])
  case link(AccountID)
  case unlink(AccountID, [IdentityKey])
  /// Another account is in the way; a merge policy may answer.
  case conflict(AuthError, current: AccountID, existing: AccountID)
  /// The first factor was right and the account asks for a second one before the rest is done.
  indirect case secondFactor(AccountID, then: Decision)
  case refuse(AuthError)
}
