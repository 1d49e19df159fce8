/// What counts as proof that an account belongs to whoever links; the only place that says so.
///
/// A merge of one's own accounts proves both by sessions, which ``AccountGraph/merge(_:client:reason:)`` checks.
extension MergeProof {
  /// The proof behind a conflict of a link.
  ///
  /// - Parameters:
  ///   - existing: the account in the way.
  ///   - credential: what a verified credential says, or nil for an admin's assertion, which shows nothing of it.
  ///   - caller: the account's own session, or an admin, who answers for the current account.
  init(of existing: Account, by credential: LinkEffects?, _ caller: Caller) {
    let isKnown = if case .anyone = caller.authority { false } else { true }
    self.init(current: isKnown, existing: credential?.shows(existing) ?? false)
  }

  /// The names of the sides that were not shown, as a policy knows them.
  var missing: [String] {
    [current ? nil : "current", existing ? nil : "existing"].compactMap(\.self)
  }
}

extension LinkEffects {
  /// Whether the credential would let its bearer into the account, save for a second factor.
  fileprivate func shows(_ account: Account) -> Bool {
    showsIdentity(of: account) || showsAddress(of: account)
  }

  /// Whether the credential is that of an identity of the account.
  ///
  /// A password that is chosen now was never matched, and a passkey that is registered now never signed: whoever
  /// brings one may have learned its name only.
  private func showsIdentity(of account: Account) -> Bool {
    guard let key = identity.key, key.provider != .passkey,
      account.owns(key) || account.former(of: identity) != nil
    else {
      return false
    }
    if case .chosen = identity.secret { return false }
    return true
  }

  /// Whether a trusted word names the address that the account has verified.
  ///
  /// A vendor who knows another subject by this address has given it to another person since.
  private func showsAddress(of account: Account) -> Bool {
    guard emailIsProven, account.emailVerified, let email = identity.email,
      email.matches(account.email)
    else { return false }
    let isRecycled =
      identity.provider.tellsAboutPeople
      && account.identities.contains { $0.owns(keyOf: identity.provider) }
    return !quirks.isOther(isRecycled)
  }
}
