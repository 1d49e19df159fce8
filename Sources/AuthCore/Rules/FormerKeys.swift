/// Whose identity a first sign-in finds under a key that the provider does not make itself.
///
/// Other systems name people by other keys of the same vendor: Firebase keeps `microsoft.com` by the bare object ID, the
/// plug-in by tenant and object ID. An import or an admin brings such a key, and nobody can sign in with it. The
/// vendor's signed answer says which it is (``VerifiedIdentity/formerKeys``), and so the first one who shows it is the
/// person meant. From then on the identity has its full key; the other stays the account's as a predecessor, so that
/// nobody else is found by it again.
extension Snapshot {
  /// The account with an identity that gets the key of a verified one; nil if the key has an owner already.
  func adoption(by identity: VerifiedIdentity) -> (account: Account, former: IdentityKey)? {
    guard let key = identity.key, accounts(.identity(key)).isEmpty else { return nil }
    for former in identity.formerKeys {
      guard let account = accounts(.identity(former)).first, account.former(of: identity) == former
      else { continue }
      return (account, former)
    }
    return nil
  }
}

extension Account {
  /// The key of its identity that an import or an admin brought for the verified person; nil for none.
  ///
  /// One that a credential made is its provider's own, and one that was replaced was found before.
  func former(of identity: VerifiedIdentity) -> IdentityKey? {
    guard let key = identity.key, !owns(key) else { return nil }
    return identity.formerKeys.first { former in
      self.identity(former).map { $0.origin != .credential } ?? false
    }
  }

  /// Gives the identity of a record of before the key that was verified.
  mutating func adopt(_ identity: VerifiedIdentity, at now: Timestamp) {
    guard let key = identity.key, let former = former(of: identity) else { return }
    replace(former, with: key, by: Predecessor.firstSignIn, until: now)
  }
}

extension Predecessor {
  /// What stands in place of a rekey's ID where the first sign-in replaced the key of an imported record.
  static let firstSignIn = "first-sign-in"
}
