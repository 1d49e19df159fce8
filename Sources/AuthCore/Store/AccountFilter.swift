/// The conditions of a search for accounts, all of which must hold.
///
/// An identity matches by its provider and subject, and by those of identities it replaced.
public struct AccountFilter: Hashable, Sendable {
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

  /// Makes a filter that every account matches.
  public init() {}

  /// Tells whether an account meets every condition.
  public func matches(_ account: Account) -> Bool {
    let hasIdentity = account.identities.lazy.flatMap(\.keys).contains { key in
      (providerID == nil || key.provider == providerID)
        && (subject.map(key.subject.isExactly) ?? true)
    }
    return (email == nil || email?.matches(account.email) == true)
      && (phoneNumber == nil || account.phoneNumber == phoneNumber)
      && (providerID == nil && subject == nil || hasIdentity)
      && (displayName.map { account.displayName?.isExactly($0) == true } ?? true)
      && (disabled == nil || account.disabled == disabled)
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
