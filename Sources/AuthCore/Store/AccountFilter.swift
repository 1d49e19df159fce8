/// Which accounts a search wants; all conditions together.
///
/// An identity is found by its provider and subject, and by those that it replaced.
public struct AccountFilter: Hashable, Sendable {
  public var email: EmailAddress?
  public var phoneNumber: PhoneNumber?
  public var providerID: ProviderID?
  public var subject: String?
  public var displayName: String?
  public var disabled: Bool?

  public init() {}

  /// Tells if an account meets every condition.
  public func matches(_ account: Account) -> Bool {
    let hasIdentity = account.identities.lazy.flatMap(\.keys).contains { key in
      (providerID == nil || key.provider == providerID)
        && (subject == nil || key.subject == subject)
    }
    return (email == nil || email?.matches(account.email) == true)
      && (phoneNumber == nil || account.phoneNumber == phoneNumber)
      && (providerID == nil && subject == nil || hasIdentity)
      && (displayName == nil || account.displayName == displayName)
      && (disabled == nil || account.disabled == disabled)
  }
}

/// A key that two accounts may have in common.
public enum DuplicateKey: String, Sendable, CaseIterable {
  /// The canonical top-level e-mail.
  case email
  /// The canonical top-level e-mail where at least one of the accounts has it verified.
  case verifiedEmail
  case phone
}

/// Accounts that have a key in common.
public struct DuplicateGroup: Hashable, Sendable {
  public let key: String
  public let accounts: [AccountID]

  public init(key: String, accounts: [AccountID]) {
    self.key = key
    self.accounts = accounts
  }
}
