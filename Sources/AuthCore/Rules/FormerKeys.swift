/// Adoption of an imported identity that is stored under a key that the provider itself does not use.
///
/// Other systems identify people by other keys of the same vendor. Firebase stores `microsoft.com` by the bare object
/// ID, the plug-in by tenant and object ID. An import or an admin may bring such a key, with which no credential signs
/// in. The vendor's signed answer names it (``VerifiedIdentity/formerKeys``), so the first sign-in that proves it is
/// the person's. From then on the identity has its full key. The other key stays the account's as a predecessor, so
/// that it is not adopted again.
extension Snapshot {
  /// Returns the account with an identity that gets the verified key; nil if the key already has an owner.
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
  /// Returns the key of an imported or asserted identity that names the verified person; nil if there is none.
  ///
  /// An identity from a credential already has its provider's key, and a replaced one was already adopted.
  func former(of identity: VerifiedIdentity) -> IdentityKey? {
    guard let key = identity.key, !owns(key) else { return nil }
    return identity.formerKeys.first { former in
      self.identity(former).map { $0.origin != .credential } ?? false
    }
  }

  /// Gives an imported or asserted identity the verified key.
  mutating func adopt(_ identity: VerifiedIdentity, at now: Timestamp) {
    guard let key = identity.key, let former = former(of: identity) else { return }
    replace(former, with: key, by: Predecessor.firstSignIn, until: now)
  }
}

extension Predecessor {
  /// The rekey ID of a predecessor that a first sign-in replaced.
  static let firstSignIn = "first-sign-in"
}
