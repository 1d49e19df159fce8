/// What is left of an account that never verified its address, once the address's owner proves it.
///
/// Whoever opened the account may have been somebody else. So every way in that does not prove the address goes, and with
/// it the number, the second factors, the profile and the sessions: account pre-hijacking (Sudhodanan and Paverd, 2022). A
/// sign-in that takes the account over and a reset of its password leave the same, and both begin a new ownership.
extension Account {
  /// The identities that do not prove an address.
  func identities(notProving email: EmailAddress, _ trust: TrustPolicy) -> [IdentityKey] {
    identities.filter { !trust.proves($0, email) }.map(\.key)
  }

  /// Removes what goes at a take-over, and gives the account to its new owner.
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

  /// Removes an address whose owner says that the account is a stranger's, and what a take-over removes.
  mutating func leaveAddress(
    _ email: EmailAddress, _ trust: TrustPolicy, to ownership: Ownership, at now: Timestamp
  ) {
    giveUp(identities(notProving: email, trust), to: ownership, at: now)
    moveAddress(to: nil, isProven: false, at: now)
  }
}

extension TrustPolicy {
  /// Whether a linked identity proves, by a trusted provider's word, that its holder has an address.
  func proves(_ identity: Identity, _ email: EmailAddress) -> Bool {
    guard identity.emailVerified, identity.origin == .credential, let text = identity.profile.email,
      let address = try? EmailAddress(text)
    else { return false }
    return address.matches(email) && trusts(identity.provider, for: email)
  }
}
