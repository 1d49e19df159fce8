/// The take-over of an account that never verified its address, by the address's owner.
///
/// The account may be a stranger's. So all identities that do not prove the address are removed, and with them the
/// number, the second factors, the profile and the sessions. This prevents account pre-hijacking (Sudhodanan and
/// Paverd, 2022). A sign-in that takes the account over and a password reset have the same effect, and both begin a new
/// ownership.
extension Account {
  /// Returns the identities that do not prove an address.
  func identities(notProving email: EmailAddress, _ trust: TrustPolicy) -> [IdentityKey] {
    identities.filter { !trust.proves($0, email) }.map(\.key)
  }

  /// Removes everything that a take-over removes, and gives the account to its new owner.
  mutating func giveUp(_ unproven: [IdentityKey], to ownership: Ownership, at now: Timestamp) {
    self = owned(since: ownership)
    identities.removeAll { unproven.contains($0.key) }
    phoneNumber = nil
    secondFactors = []
    displayName = nil
    photoURL = nil
    let (usedCustomToken, lastRefreshAt) = (details.usedCustomToken, details.lastRefreshAt)
    details = AccountDetails()
    details.usedCustomToken = usedCustomToken
    details.lastRefreshAt = lastRefreshAt
    cutSessions(at: now)
  }

  /// Removes an address whose owner disowns the account, together with everything that a take-over removes.
  mutating func leaveAddress(
    _ email: EmailAddress, _ trust: TrustPolicy, to ownership: Ownership, at now: Timestamp
  ) {
    giveUp(identities(notProving: email, trust), to: ownership, at: now)
    moveAddress(to: nil, isProven: false, at: now)
  }
}

extension TrustPolicy {
  /// Tells whether a linked identity proves an address by a trusted provider's word.
  func proves(_ identity: Identity, _ email: EmailAddress) -> Bool {
    guard identity.emailVerified, identity.origin == .credential, let text = identity.profile.email,
      let address = try? EmailAddress(text)
    else { return false }
    return address.matches(email) && trusts(identity.provider, for: email)
  }
}
