import AuthCore

/// Return: a person who reads the mailbox of a verified address, comes by a vendor that was linked, or takes a change of
/// address back is never shut out by what somebody else did.
extension Auditor {
  /// The account that a step has to lead into; nil if nothing was promised.
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

  /// Whether a person has one account with a mailbox: of several it is the person's to say which is meant.
  ///
  /// A mailbox that leads into a disabled account leads nowhere, because an admin said so.
  private func hasOne(of mailbox: Mailbox, _ person: Person, _ scene: Scene) -> Bool {
    let having = scene.before.values.filter { $0.has(mailbox) }
    return having.count { residents(of: $0.id) == [person] } == 1
      && !having.contains(where: \.disabled)
  }

  /// The only account that is the person's alone and fits.
  private func owned(
    _ person: Person, _ scene: Scene, _ fits: (Account) -> Bool
  ) -> AccountID? {
    let found = scene.before.values.filter {
      !$0.disabled && residents(of: $0.id) == [person] && fits($0)
    }
    return found.count == 1 ? found.first?.id : nil
  }

  /// The account whose change of address a code takes back, if it has been the holder's alone all the time.
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
  /// Whether a mailbox's address is the account's, or a way into it.
  fileprivate func has(_ mailbox: Mailbox) -> Bool {
    Mailbox(email) == mailbox
      || identities.contains {
        [.password, .emailLink].contains($0.provider) && $0.key.subject == mailbox.text
      }
  }
}
