/// A state of an account that no change may produce, because the linking rules exclude it.
///
/// The store of an earlier version may have such accounts; ``AccountGraph/mendPlans(after:limit:in:)`` finds them.
public enum AccountFault: Hashable, Sendable, CustomStringConvertible {
  /// A password for an address that is not the account's: it is invisible, and no reset replaces it.
  case strayPassword(IdentityKey)
  /// An unverified address behind a second factor that the address's owner cannot show.
  case guardedAddress(EmailAddress)

  /// The fault in words, for error messages and traces.
  public var description: String {
    switch self {
    case .strayPassword(let key): "a password of \(key.subject), which is not its address"
    case .guardedAddress(let email): "\(email) is unverified and behind a second factor"
    }
  }
}

extension ChangeSet {
  /// The refusal of a change that gives an account a new fault; nil for none.
  var fault: AuthError? {
    for account in inserted {
      if let fault = account.faults.first { return fault.refusal }
    }
    for update in updated {
      let faults = update.new.faults
      guard !faults.isEmpty else { continue }
      let before = update.old.faults
      if let fault = faults.first(where: { !before.contains($0) }) { return fault.refusal }
    }
    return nil
  }
}

extension AccountFault {
  var refusal: AuthError {
    switch self {
    case .guardedAddress: .unverifiedEmail
    case .strayPassword:
      AuthError(
        .invalidArgument, "The account would have \(self).", field: "email",
        remedy: "Give the account one password, of its own address.", step: .decision)
    }
  }
}

extension Account {
  /// The faults of the account; empty if this version wrote it.
  public var faults: [AccountFault] {
    var faults = strayPasswords.map(AccountFault.strayPassword)
    if let email, !emailVerified, !secondFactors.isEmpty { faults.append(.guardedAddress(email)) }
    return faults
  }

  /// The passwords for addresses that are not the account's own.
  ///
  /// An account has at most one password, and an identity has one owner, so these are all the excess ones.
  var strayPasswords: [IdentityKey] {
    let own = email.map(IdentityKey.password)
    return identities.keys.filter { $0.provider == .password && $0 != own }
  }

  /// Removes the passwords for other addresses.
  mutating func removeStrayPasswords() {
    let stray = strayPasswords
    if !stray.isEmpty { identities.removeAll { stray.contains($0.key) } }
  }

  /// Returns the account without its faults; returns it unchanged if it has none.
  ///
  /// Stray passwords are removed, and so is an unverified address behind a second factor, together with its password.
  /// The sessions end.
  func mended(at now: Timestamp) -> Account {
    guard !faults.isEmpty else { return self }
    var account = self
    if !secondFactors.isEmpty && !emailVerified { account.email = nil }
    account.removeStrayPasswords()
    account.cutSessions(at: now)
    return account
  }
}
