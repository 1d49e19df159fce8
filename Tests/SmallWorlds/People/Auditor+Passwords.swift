import AuthCore

/// A password proves nothing about its address: it yields to the person who proves the mailbox.
extension Auditor {
  /// Returns a stranger's password, new since this step, that exists beside the account of its address's owner.
  ///
  /// If several accounts may have an address, passwords and links still share one account.
  func strangersPassword(_ scene: Scene, after: [AccountID: Account]) -> String? {
    for account in after.values.sorted(by: { $0.id < $1.id }) where account.emailVerified {
      guard let email = account.email,
        scene.hasOneAccountPerEmail || account.identity(.emailLink(email)) != nil,
        let holder = after.values.first(where: {
          $0.id != account.id && $0.identity(.password(email)) != nil
        }), residents(of: holder.id) != residents(of: account.id),
        [account, holder].contains(where: { $0 != scene.before[$0.id] }),
        !wasBeside(account, holder, of: email, in: scene)
      else { continue }
      let owners = (residents(of: holder.id), residents(of: account.id))
      return "\(holder.id) of \(owners.0) has the password of \(email), shown by \(owners.1)"
    }
    return nil
  }

  private func wasBeside(
    _ account: Account, _ holder: Account, of email: EmailAddress, in scene: Scene
  ) -> Bool {
    guard let old = scene.before[account.id], let oldHolder = scene.before[holder.id] else {
      return false
    }
    return old.emailVerified && email.matches(old.email)
      && oldHolder.identity(.password(email)) != nil
      && (scene.hasOneAccountPerEmail || old.identity(.emailLink(email)) != nil)
  }
}
