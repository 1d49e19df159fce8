import AuthCore

/// Return: another person's acts never lock a person out.
///
/// It protects a person who reads the mailbox of a verified address, signs in with a linked vendor, or undoes a change
/// of address.
extension Auditor {
  /// Returns the account that a step has to sign in to, or nil if there is no promise.
  func promise(to scene: Scene) -> AccountID? {
    guard let person = scene.actor else { return nil }
    switch scene.step {
    case .linkAtOnce(let mailbox) where scene.isOpen(.emailLink):
      guard hasOne(of: mailbox, person, scene) else { return nil }
      return owned(person, scene) { account in
        scene.isVerified(mailbox, account)
          && (scene.hasOneAccountPerEmail || !account.identities(of: .emailLink).isEmpty)
          && account.identities(of: .emailLink).allSatisfy { $0.key.subject == mailbox.text }
      }
    case .resetAtOnce(let mailbox) where scene.isOpen(.password):
      guard hasOne(of: mailbox, person, scene) else { return nil }
      return owned(person, scene) { scene.isVerified(mailbox, $0) }
    case .vendor(_, let vendor, _) where scene.isOpen(vendor.id) && scene.issuer != nil:
      let key = IdentityKey(vendor.id, subject: vendor.subject(of: person, at: scene.issuer))
      return owned(person, scene) { $0.identity(key) != nil }
    case .phone where scene.isOpen(.phone):
      let key = IdentityKey(.phone, subject: person.phoneNumber)
      return owned(person, scene) { $0.identity(key) != nil }
    case .appUser where scene.isOpen(.custom):
      return owned(person, scene) { $0.id == person.appUser }
    case .use(let number): return recovery(number, person, scene)
    default: return nil
    }
  }

  /// Tells whether a person has one account with a mailbox.
  ///
  /// Of several, the person has to choose.
  ///
  /// A mailbox of a disabled account leads nowhere, because an admin decided so.
  private func hasOne(of mailbox: Mailbox, _ person: Person, _ scene: Scene) -> Bool {
    let having = scene.before.values.filter { $0.has(mailbox) }
    return having.count { residents(of: $0.id) == [person] } == 1
      && !having.contains(where: \.disabled)
  }

  /// Returns the only account that belongs to the person alone and meets a condition.
  private func owned(
    _ person: Person, _ scene: Scene, _ fits: (Account) -> Bool
  ) -> AccountID? {
    let found = scene.before.values.filter {
      !$0.disabled && residents(of: $0.id) == [person] && fits($0)
    }
    return found.count == 1 ? found.first?.id : nil
  }

  /// Returns the account whose change of address a code undoes, if it has always belonged to the holder alone.
  private func recovery(_ number: Int, _ person: Person, _ scene: Scene) -> AccountID? {
    guard let code = scene.codes[number], code.operation == .recoverEmail, code.isSole,
      let id = code.account, let account = scene.before[id], let mailbox = code.mailbox,
      since(id) == code.since, residents(of: id) == [person], !account.disabled,
      !code.wasUsed, Mailbox(account.email) != mailbox
    else { return nil }
    let isElsewhere = scene.before.values.contains {
      $0.id != id && scene.isVerified(mailbox, $0)
    }
    return isElsewhere ? nil : id
  }
}

extension Scene {
  fileprivate func isOpen(_ provider: ProviderID) -> Bool { !closed.contains(provider) }

  fileprivate func isVerified(_ mailbox: Mailbox, _ account: Account) -> Bool {
    account.emailVerified && Mailbox(account.email) == mailbox
  }
}

extension Account {
  /// Tells whether a mailbox's address is the account's, or an identity of it.
  fileprivate func has(_ mailbox: Mailbox) -> Bool {
    Mailbox(email) == mailbox
      || identities.contains {
        [.password, .emailLink].contains($0.provider) && $0.key.subject == mailbox.text
      }
  }
}
