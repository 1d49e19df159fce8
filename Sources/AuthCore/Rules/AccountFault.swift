/// A state of an account that no change may leave behind, because the rules of linking take it for impossible.
///
/// A store that an earlier version wrote may hold such accounts; ``AccountGraph/mendPlans(after:limit:in:)`` finds them.
public enum AccountFault: Hashable, Sendable, CustomStringConvertible {
  /// A password of an address that is not the account's: nobody sees it, and no reset replaces it.
  case strayPassword(IdentityKey)
  /// An address that nobody proved, behind a second factor that its owner cannot show.
  case guardedAddress(EmailAddress)

  public var description: String {
    switch self {
    case .strayPassword(let key): "a password of \(key.subject), which is not its address"
    case .guardedAddress(let email): "\(email) is not verified and has a second factor before it"
    }
  }
}

extension ChangeSet {
  /// The refusal of a change that gives an account a fault which it did not have.
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
  /// What is wrong with the account; empty for every account that this version wrote.
  public var faults: [AccountFault] {
    var faults = strayPasswords.map(AccountFault.strayPassword)
    if let email, !emailVerified, !secondFactors.isEmpty { faults.append(.guardedAddress(email)) }
    return faults
  }

  /// The passwords of addresses that are not the account's own.
  ///
  /// An account has one password at most, and an identity has one owner, so these are all that may be too many.
  var strayPasswords: [IdentityKey] {
    let own = email.map(IdentityKey.password)
    return identities.keys.filter { $0.provider == .password && $0 != own }
  }

  /// Removes the passwords of other addresses.
  mutating func removeStrayPasswords() {
    let stray = strayPasswords
    if !stray.isEmpty { identities.removeAll { stray.contains($0.key) } }
  }

  /// The account without its faults: stray passwords go, and so does an unproven address behind a second factor, with
  /// its password.
  ///
  /// Its sessions end. Returns the account as it is if it has no faults.
  func mended(at now: Timestamp) -> Account {
    guard !faults.isEmpty else { return self }
    var account = self
    if !secondFactors.isEmpty && !emailVerified { account.email = nil }
    account.removeStrayPasswords()
    account.cutSessions(at: now)
    return account
  }
}
