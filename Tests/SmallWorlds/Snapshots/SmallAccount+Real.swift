import AuthCore

extension SmallAccount {
  /// Returns the account with a uid.
  func account(_ id: AccountID) -> Account {
    let moment = SnapshotNames.opened
    var account = Account(id: id, scope: SnapshotNames.scope, createdAt: moment)
    account.email = SnapshotNames.addresses[address]
    account.emailVerified = isVerified
    account.disabled = isDisabled
    account.isAnonymous = isAnonymous
    account.ownership = SnapshotNames.ownership
    account.details.usedCustomToken = isNamed
    account.lastSignInAt = moment
    if isGuarded { account.secondFactors = [SecondFactor(id: Self.factor(of: id), kind: .totp)] }
    for provider in 0..<2 {
      let isVouchedFor = isVouchedFor(by: provider)
      let profile = IdentityProfile(email: isVouchedFor ? account.email?.text : nil)
      for subject in 0..<2 where subjects(of: provider) & 1 << UInt16(subject) != 0 {
        account.identities.append(
          Identity(
            key: SnapshotNames.subject(subject, of: provider), profile: profile,
            emailVerified: isVouchedFor, origin: .credential, linkedAt: moment))
      }
    }
    guard let email = account.email else { return account }
    if hasPassword {
      account.identities.append(
        Identity(
          key: .password(email), origin: .credential, linkedAt: moment,
          secret: StoredSecret(encoded: SnapshotNames.hash, changedAt: moment)))
    }
    if hasLink {
      account.identities.append(
        Identity(
          key: .emailLink(email), profile: IdentityProfile(email: email.text),
          emailVerified: true, origin: .credential, linkedAt: moment))
    }
    return account
  }

  static func factor(of id: AccountID) -> String { "factor-of-\(id)" }
}
