/// The proof that an account belongs to the client that links; the only place that decides on it.
///
/// A merge of one's own accounts proves both by sessions, which ``AccountGraph/merge(_:client:reason:)`` checks.
extension MergeProof {
  /// Makes the proof for a conflict of a link.
  ///
  /// - Parameters:
  ///   - existing: the account in conflict.
  ///   - credential: the effects of a verified credential; nil for an admin's assertion, which proves nothing about the
  ///     account.
  ///   - caller: the account's own session, or an admin, who vouches for the current account.
  init(of existing: Account, by credential: LinkEffects?, _ caller: Caller) {
    let isKnown = if case .anyone = caller.authority { false } else { true }
    self.init(current: isKnown, existing: credential?.shows(existing) ?? false)
  }

  /// The names of the unproven sides, as policies know them.
  var missing: [String] {
    [current ? nil : "current", existing ? nil : "existing"].compactMap(\.self)
  }
}

extension LinkEffects {
  /// Tells whether the credential would sign in to the account, apart from a second factor.
  fileprivate func shows(_ account: Account) -> Bool {
    showsIdentity(of: account) || showsAddress(of: account)
  }

  /// Tells whether the credential is for an identity of the account.
  ///
  /// A password that is chosen now was not matched, and a passkey that is registered now did not sign. Neither proves
  /// more than knowledge of its name.
  private func showsIdentity(of account: Account) -> Bool {
    guard let key = identity.key, key.provider != .passkey,
      account.owns(key) || account.former(of: identity) != nil
    else {
      return false
    }
    if case .chosen = identity.secret { return false }
    return true
  }

  /// Tells whether a trusted provider names the address that the account has verified.
  ///
  /// If the provider knows another subject by this address, it has reassigned the address to another person.
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
