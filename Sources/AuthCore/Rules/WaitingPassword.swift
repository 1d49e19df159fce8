/// The rules for a password that an admin gave an account without an address.
///
/// It is kept with the account's details and is no identity, so nothing can sign in with it and no list of providers
/// shows it. Once the account has an address, the password becomes the identity of that address.
extension Account {
  /// The stored password: that of the account's own address, or the one that waits for an address.
  public var storedPassword: StoredSecret? {
    passwordIdentity?.secret ?? (email == nil ? details.waitingPassword : nil)
  }

  /// The account without the password that waits.
  var withoutWaitingPassword: Account {
    var account = self
    account.details.waitingPassword = nil
    return account
  }

  /// Removes every password.
  mutating func removePasswords() {
    identities.removeAll { $0.provider == .password }
    details.waitingPassword = nil
  }

  /// Decides which waiting password the result of a merge has.
  ///
  /// The survivor's counts first. A result with an address has none: the admin who gave the password did not give it to
  /// the person who reads mail at the address.
  mutating func mergeWaitingPassword(of absorbed: Account) {
    details.waitingPassword =
      email == nil ? details.waitingPassword ?? absorbed.details.waitingPassword : nil
  }

  /// Makes the waiting password the identity of the account's address, or drops it.
  fileprivate mutating func settleWaitingPassword(isFree: Bool, at now: Timestamp) {
    guard let email, let secret = details.waitingPassword else { return }
    details.waitingPassword = nil
    guard isFree, identities(of: .password).isEmpty else { return }
    identities.append(
      Identity(
        key: .password(email), origin: .credential, linkedAt: linking(at: now), secret: secret))
  }
}

extension Verdict {
  /// Turns waiting passwords into identities on accounts that have an address after the change.
  ///
  /// A password is dropped if another account signs in with the address.
  mutating func settleWaitingPasswords(on snapshot: Snapshot, at now: Timestamp) {
    guard !action.restoresEarlierState else { return }
    for new in changes.inserted + changes.updated.map(\.new) where new.hasUnsettledPassword {
      var settled = new
      settled.settleWaitingPassword(isFree: changes.isFree(new, on: snapshot), at: now)
      if account?.id == settled.id { account = settled }
      replaceRow(settled, from: snapshot)
    }
  }
}

extension ChangeSet {
  /// Tells whether no other account has a password or a link for an account's address after the change.
  fileprivate func isFree(_ account: Account, on snapshot: Snapshot) -> Bool {
    guard let email = account.email else { return false }
    let keys = [IdentityKey.password(email), .emailLink(email)]
    return !keys.contains { key in
      // Some requests find the holders by their address, and not by this key.
      snapshot.accounts.values.contains { holder in
        guard holder.owns(key) else { return false }
        guard holder.id != account.id, !deleted.contains(where: { $0.id == holder.id }) else {
          return false
        }
        let after = updated.last { $0.new.id == holder.id }?.new ?? holder
        return after.owns(key)
      }
    }
  }
}

extension AuthError {
  /// The refusal of a password that a session would leave on its account, where no list of providers shows it.
  static let passwordWithoutAddress = AuthError(
    .invalidArgument, "A password needs an e-mail address, and the account would have none.",
    field: "email", remedy: "Set an address with the password, or have an admin set the password.",
    step: .decision)
}

extension Account {
  fileprivate var hasUnsettledPassword: Bool { email != nil && details.waitingPassword != nil }
}
