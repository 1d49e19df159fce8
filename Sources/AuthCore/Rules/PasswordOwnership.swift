/// The rule that decides which account has the password of an address, if two could have it.
///
/// A password proves nothing about its address. So it yields to an account that has verified the address, unless its
/// own account has proven the address too.
extension Snapshot {
  /// Returns another account that has a password for an address.
  func passwordHolder(of email: EmailAddress, except id: AccountID?) -> Account? {
    accounts(.identity(.password(email))).first { $0.id != id }
  }

  /// Tells whether an account's password for an address yields to a proof of the address.
  func yieldsPassword(of email: EmailAddress, _ holder: Account) -> Bool {
    let isVerified = holder.emailVerified && email.matches(holder.email)
    return !isVerified && !holder.identities.contains { settings.trust.proves($0, email) }
  }
}

extension ChangeSet {
  /// Removes passwords for newly proven addresses from accounts that never proved them; returns the uids of those
  /// accounts.
  mutating func yieldPasswords(_ snapshot: Snapshot) -> [AccountID] {
    var yielding: [Update] = []
    for account in inserted { yielding += yielded(to: account, snapshot) }
    for update in updated { yielding += yielded(to: update.new, snapshot) }
    // These updates come first, because the address's owner may take the keys that they free.
    updated.insert(contentsOf: yielding, at: 0)
    return yielding.map(\.new.id)
  }

  private func yielded(to new: Account, _ snapshot: Snapshot) -> [Update] {
    guard new.emailVerified, let email = new.email,
      let holder = snapshot.passwordHolder(of: email, except: new.id),
      !deleted.contains(where: { $0.id == holder.id }),
      !updated.contains(where: { $0.new.id == holder.id }),
      snapshot.yieldsPassword(of: email, holder)
    else { return [] }
    return [Update(old: holder, new: holder.unlinking([.password(email)]))]
  }
}
