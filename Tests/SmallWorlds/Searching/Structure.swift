import AuthCore

/// Invariants of the rows, independent of the people behind them.
struct Structure {
  let rows: WorldRows
  let scene: Scene
  let outcome: Outcome

  /// Returns the violations.
  func violations() -> [Violation] {
    let found = [
      sharedIdentity(), sharedAddress(), looseAlias(), furtherPassword(), furtherLink(),
      lostWayIn(), lastingWay(), changedSession(), unprovenAddress(), inexactUndo(),
      sessionOfDisabled(),
      sessionWithoutFactor(), weakenedFactor(), strangersFactor(),
    ]
    return found.compactMap(\.self)
  }

  private func broken(_ name: String, _ details: String) -> Violation {
    Violation(name: "\(name) by \(scene.step.kind)", details: details)
  }

  /// An identity has one owner.
  private func sharedIdentity() -> Violation? {
    var owners: [IdentityKey: AccountID] = [:]
    for account in rows.accounts {
      for identity in account.identities {
        guard let other = owners.updateValue(account.id, forKey: identity.key) else { continue }
        return broken(
          "Structure, an identity of two", "\(identity.key) is \(other)'s and \(account.id)'s")
      }
    }
    return nil
  }

  /// A verified address has one owner if accounts share none.
  private func sharedAddress() -> Violation? {
    guard rows.settings.oneAccountPerEmail else { return nil }
    let verified = rows.accounts.filter(\.emailVerified).compactMap(\.email?.canonical)
    return Set(verified).count == verified.count
      ? nil : broken("Structure, an address of two", "\(verified)")
  }

  /// The uid of an absorbed account leads to an account, and is not itself one.
  private func looseAlias() -> Violation? {
    for (absorbed, survivor) in rows.aliases {
      let isThere = rows.account(survivor) != nil || rows.aliases[survivor] != nil
      guard !isThere || rows.account(absorbed) != nil else { continue }
      return broken("Structure, a loose alias", "\(absorbed) leads to \(survivor)")
    }
    return nil
  }

  /// An account's only password is that of its own address.
  private func furtherPassword() -> Violation? {
    for account in rows.accounts where scene.before[account.id] != account {
      let passwords = account.identities(of: .password)
      guard passwords.count > 1 || passwords.contains(where: { $0.isOf(account.email) == false })
      else { continue }
      return broken("Structure, a further password", "\(account)")
    }
    return nil
  }

  /// A link that signs in is that of the account's own address.
  private func furtherLink() -> Violation? {
    for account in rows.accounts where scene.before[account.id] != account {
      guard account.identities(of: .emailLink).contains(where: { !$0.isOf(account.email) })
      else { continue }
      return broken("Structure, a further link", "\(account)")
    }
    return nil
  }

  /// The last usable identity is not removed.
  private func lostWayIn() -> Violation? {
    guard let number = scene.step.unlinking, outcome.error == nil,
      let id = scene.sessions[number]?.grant.account, let account = rows.account(id),
      !account.details.usedCustomToken,
      !account.identities.contains(where: { scene.isUsable($0) })
    else { return nil }
    return broken("Structure, no way in", "\(account)")
  }

  /// Linking never changes the account of the session.
  private func changedSession() -> Violation? {
    switch scene.step {
    case .linkVendor(let number, _, _), .linkPhone(let number), .linkPassword(let number, _),
      .linkMailbox(let number, _), .linkVouched(_, let number):
      guard let before = scene.sessions[number]?.grant.account,
        let after = outcome.grant?.account, before != after
      else { return nil }
      return broken("Structure, another session", "\(before) becomes \(after)")
    default: return nil
    }
  }

  /// No person moves an account from a verified address to an unproven one.
  private func unprovenAddress() -> Violation? {
    guard scene.step.session != nil else { return nil }
    for account in rows.accounts where account.email != nil && !account.emailVerified {
      guard let old = scene.before[account.id], old.emailVerified, let email = account.email,
        !email.matches(old.email)
      else { continue }
      return broken("Structure, an unproven address", "\(old) becomes \(account)")
    }
    return nil
  }

  /// An undo that is not forced restores both accounts, except for an address that another person has proved since.
  private func inexactUndo() -> Violation? {
    guard case .undo(let number, force: false) = scene.step, outcome.error == nil,
      let merge = scene.merges[number]
    else { return nil }
    let record = rows.merges.first { $0.id == merge.id }
    for old in record.map({ [$0.survivorBefore, $0.absorbedBefore] }) ?? merge.before {
      guard let account = rows.account(old.id), account.hasSameWaysIn(as: yielded(old)) else {
        return broken(
          "Structure, an inexact undo", "\(old) is \(rows.account(old.id).map { "\($0)" } ?? "")")
      }
    }
    return nil
  }

  /// Returns an account without the address that another one has verified, and without its identities that depend on
  /// it.
  private func yielded(_ account: Account) -> Account {
    let shown = rows.accounts.filter { $0.id != account.id && $0.emailVerified }
      .compactMap(\.email)
    var account = account
    account.identities.removeAll { identity in
      [.password, .emailLink].contains(identity.provider) && shown.contains { identity.isOf($0) }
    }
    if !account.emailVerified, shown.contains(where: { $0.matches(account.email) }) {
      account.email = nil
    }
    return account
  }

  /// An account with a second factor gives no session without it; no person shows one here.
  private func sessionWithoutFactor() -> Violation? {
    guard let id = outcome.grant?.account, rows.account(id)?.secondFactors.isEmpty == false else {
      return nil
    }
    return broken("Structure, a session without the second factor", "\(id)")
  }

  /// No person removes a second factor without showing it, unless the account gets another owner.
  private func weakenedFactor() -> Violation? {
    guard scene.actor != nil else { return nil }
    for account in rows.accounts {
      guard let old = scene.before[account.id], old.ownership == account.ownership,
        old.secondFactors.count > account.secondFactors.count
      else { continue }
      return broken("Structure, a weakened account", "\(old) becomes \(account)")
    }
    return nil
  }

  /// No address is guarded by a second factor before its mailbox was proved.
  private func strangersFactor() -> Violation? {
    for account in rows.accounts where scene.before[account.id] != account {
      guard !account.secondFactors.isEmpty, account.email != nil, !account.emailVerified
      else { continue }
      return broken("Structure, an unproven address behind a second factor", "\(account)")
    }
    return nil
  }

  /// A disabled account gives no session.
  private func sessionOfDisabled() -> Violation? {
    guard let id = outcome.grant?.account, rows.account(id)?.disabled == true else { return nil }
    return broken("Structure, a session of a disabled account", "\(id)")
  }
}

extension Step {
  /// The session that unlinks identities; nil for another step.
  fileprivate var unlinking: Int? {
    switch self {
    case .unlink(let number, _): number
    case .endWaysIn(let number, let ways) where ways != [.sessions] && ways != [.factor]: number
    default: nil
    }
  }
}

extension Scene {
  /// Tells whether an identity signs in: its provider exists and is not closed.
  fileprivate func isUsable(_ identity: Identity) -> Bool {
    !closed.contains(identity.provider)
      && (identity.provider != Vendor.team.id || issuer != nil)
  }
}

extension Identity {
  fileprivate func isOf(_ email: EmailAddress?) -> Bool { email?.canonical == key.subject }
}

extension Account {
  fileprivate func hasSameWaysIn(as other: Account) -> Bool {
    email == other.email && emailVerified == other.emailVerified
      && phoneNumber == other.phoneNumber && isAnonymous == other.isAnonymous
      && Set(identities.map(\.key)) == Set(other.identities.map(\.key))
  }
}
