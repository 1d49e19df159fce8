/// The conditions of a search for accounts, all of which must hold, and the order of what it finds.
///
/// An identity matches by its provider and subject, and by those of identities it replaced.
public struct AccountFilter: Hashable, Sendable {
  /// An order of accounts; those that are equal in it come in order of uid.
  public enum Order: String, Hashable, Sendable, CaseIterable {
    /// By uid, in byte order.
    case uid
    /// By creation, the newest first.
    case newest
    /// By creation, the oldest first.
    case oldest
    /// By the last sign-in, the latest first; accounts without one come last.
    case lastSeen
  }

  /// The top-level address, compared in canonical form.
  public var email: EmailAddress?
  /// The top-level phone number.
  public var phoneNumber: PhoneNumber?
  /// The provider of one of the identities.
  public var providerID: ProviderID?
  /// The subject of the same identity.
  public var subject: String?
  /// The exact display name.
  public var displayName: String?
  /// The state of the account.
  public var disabled: Bool?
  /// True for a verified top-level address; false for an unverified one or none.
  public var emailVerified: Bool?
  /// True for anonymous accounts.
  public var isAnonymous: Bool?
  /// The earliest time of creation.
  public var createdSince: Timestamp?
  /// The time before which the account was created.
  public var createdBefore: Timestamp?
  /// The earliest time of the last sign-in.
  public var seenSince: Timestamp?
  /// The time from which on no sign-in happened; an account without any sign-in matches, too.
  public var notSeenSince: Timestamp?
  /// Providers that all have an identity.
  public var allProviders: Set<ProviderID> = []
  /// Providers of which at least one has an identity, unless the set is empty.
  public var anyProviders: Set<ProviderID> = []
  /// Providers of which none has an identity.
  public var noProviders: Set<ProviderID> = []
  /// Custom claims by name, with the value that is wanted, or nil for any.
  public var claims: [String: JSONValue?] = [:]
  /// The order.
  public var order = Order.uid

  /// Makes a filter that every account matches.
  public init() {}

  /// Tells whether an account meets every condition.
  public func matches(_ account: Account) -> Bool {
    matchesFields(of: account) && matchesTimes(of: account) && matchesIdentities(of: account)
      && matchesClaims(of: account)
  }

  private func matchesFields(of account: Account) -> Bool {
    (email == nil || email?.matches(account.email) == true)
      && (phoneNumber == nil || account.phoneNumber == phoneNumber)
      && (displayName.map { account.displayName?.isExactly($0) == true } ?? true)
      && (disabled == nil || account.disabled == disabled)
      && (emailVerified == nil || account.emailVerified == emailVerified)
      && (isAnonymous == nil || account.isAnonymous == isAnonymous)
  }

  private func matchesTimes(of account: Account) -> Bool {
    let seen = account.lastSignInAt
    return (createdSince.map { account.createdAt >= $0 } ?? true)
      && (createdBefore.map { account.createdAt < $0 } ?? true)
      && (seenSince.map { since in seen.map { $0 >= since } ?? false } ?? true)
      && (notSeenSince.map { since in seen.map { $0 < since } ?? true } ?? true)
  }

  private func matchesIdentities(of account: Account) -> Bool {
    guard
      providerID != nil || subject != nil || !allProviders.isEmpty || !anyProviders.isEmpty
        || !noProviders.isEmpty
    else { return true }
    let keys = account.identities.flatMap(\.keys)
    let providers = Set(keys.map(\.provider))
    let hasIdentity = keys.contains { key in
      (providerID == nil || key.provider == providerID)
        && (subject.map(key.subject.isExactly) ?? true)
    }
    return (providerID == nil && subject == nil || hasIdentity)
      && allProviders.isSubset(of: providers) && noProviders.isDisjoint(with: providers)
      && (anyProviders.isEmpty || !anyProviders.isDisjoint(with: providers))
  }

  /// Tells whether the account has the claims, which a store may leave to this function.
  package func matchesClaims(of account: Account) -> Bool {
    claims.allSatisfy { name, wanted in
      let found = account.customClaims?.members.first { $0.key.isExactly(name) }?.value
      return found != nil && (wanted == nil || found == wanted)
    }
  }
}

extension AccountFilter.Order {
  /// The number by which accounts are ordered, ascending; nil for the order of uid.
  package func key(of account: Account) -> Int64? {
    switch self {
    case .uid: nil
    case .newest: 0 &- account.createdAt.milliseconds
    case .oldest: account.createdAt.milliseconds
    case .lastSeen: account.lastSignInAt.map { 0 &- $0.milliseconds } ?? Self.last
    }
  }

  /// The key of accounts without a last sign-in.
  package static let last: Int64 = 1 << 62
}

extension AccountFilter {
  /// Returns a page of the accounts of a scope, as ``Listing/accounts(matching:after:_:)`` promises it.
  ///
  /// It looks at each of them, so it is for stores without an index.
  public func page(of accounts: some Sequence<Account>, after: AccountID?, limit: Int) -> [Account]
  {
    let accounts = Array(accounts)
    let last = after.map { after in
      (id: after, key: accounts.first { $0.id == after }.flatMap(order.key(of:)))
    }
    if let last, order != .uid, last.key == nil { return [] }
    func place(of account: Account) -> (key: Int64, id: AccountID) {
      (order.key(of: account) ?? 0, account.id)
    }
    let behind = accounts.filter { account in
      matches(account) && (last.map { ($0.key ?? 0, $0.id) < place(of: account) } ?? true)
    }
    return Array(behind.sorted { place(of: $0) < place(of: $1) }.prefix(max(0, limit)))
  }
}

/// A key that several accounts may share.
public enum DuplicateKey: String, Sendable, CaseIterable {
  /// The canonical top-level e-mail.
  case email
  /// The canonical top-level e-mail, if at least one of the accounts has verified it.
  case verifiedEmail
  /// The top-level e-mail without case and accents: see ``EmailAddress/similar``.
  case similarEmail
  /// The top-level phone number.
  case phone
}

extension DuplicateKey {
  /// Returns what an account may share with others; nil if it has none.
  public func value(of account: Account) -> String? {
    switch self {
    case .email, .verifiedEmail: account.email?.canonical
    case .similarEmail: account.email?.similar
    case .phone: account.phoneNumber?.text
    }
  }
}

/// Accounts that share a key.
public struct DuplicateGroup: Hashable, Sendable {
  /// The shared key as text.
  public let key: String
  /// The uids in order.
  public let accounts: [AccountID]

  /// Makes a group.
  public init(key: String, accounts: [AccountID]) {
    self.key = key
    self.accounts = accounts
  }
}
