import AuthCore

extension SnapshotLaw {
  /// Laws of the permitted changes.
  static let ofChanges = [
    SnapshotLaw("a guarded account changes without its factor") { judged in
      guard judged.isSignIn || !judged.isAdmin else { return nil }
      for change in judged.outcome.changes {
        guard let old = change.old, !old.secondFactors.isEmpty, !judged.hasShownFactor(of: old)
        else { continue }
        return "\(old.id)"
      }
      return nil
    },
    SnapshotLaw("a second factor goes") { judged in
      for (old, new) in judged.updates {
        let isKept = old.secondFactors.allSatisfy { new.secondFactors.contains($0) }
        if !isKept && old.ownership == new.ownership { return "\(old.id)" }
      }
      return nil
    },
    SnapshotLaw("a disabled account changes") { judged in
      guard judged.isSignIn || !judged.isAdmin else { return nil }
      for (old, new) in judged.updates where old.disabled {
        if !judged.yielded(old, new) { return "\(old.id)" }
      }
      return nil
    },
    SnapshotLaw("a bystander changes") { judged in
      for change in judged.outcome.changes {
        guard let old = change.old, !judged.mayConcern(old) else { continue }
        guard let new = change.new, judged.yielded(old, new),
          judged.isProven(old.email, besides: old.id)
        else { return "\(old.id)" }
      }
      return nil
    },
    SnapshotLaw("an unproven account is entered") { judged in
      guard judged.isSignIn else { return nil }
      for (old, new) in judged.updates where !judged.isEntered(old) {
        if old.emailVerified || judged.yielded(old, new) { continue }
        if let breach = judged.breach(ofTakeOverOf: old, new) { return "\(old.id): \(breach)" }
      }
      return nil
    },
    SnapshotLaw("an address is verified by nobody") { judged in
      for account in judged.outcome.changes.compactMap(\.new) where account.emailVerified {
        let wasVerified = judged.state.members.contains { member in
          member.small.isVerified && member.account.email?.matches(account.email) == true
            && (member.account.id == account.id || judged.outcome.merge != nil)
        }
        if !wasVerified && !judged.showsAddress(of: account) { return "\(account.id)" }
      }
      return nil
    },
    SnapshotLaw("a verified address is lost") { judged in
      guard !judged.isAdmin else { return nil }
      for (old, new) in judged.updates where old.emailVerified && !new.emailVerified {
        return "\(old.id)"
      }
      return nil
    },
    SnapshotLaw("a person stays anonymous") { judged in
      judged.outcome.changes.compactMap(\.new).first { $0.isAnonymous && !$0.identities.isEmpty }
        .map { "\($0.id)" }
    },
  ]
}

extension JudgedCase {
  /// Tells whether a request is about an account.
  ///
  /// It names the account, has its credential, proves its verified address, or merges it.
  fileprivate func mayConcern(_ old: Account) -> Bool {
    if let merge = outcome.merge, [merge.survivor, merge.absorbed].contains(old.id) { return true }
    guard isSignIn else { return state.target?.account.id == old.id }
    return question.kind != .signUp && (isEntered(old) || showsAddress(of: old))
  }

  /// Returns what an address's owner leaves in a taken-over account of its opener, or nil for nothing.
  ///
  /// Identities that prove the mailbox may stay.
  fileprivate func breach(ofTakeOverOf old: Account, _ new: Account) -> String? {
    guard let member = state.member(old.id)?.small else { return "it is nobody's" }
    if new.ownership == old.ownership { return "it is still its opener's" }
    if new.sessionMark == old.sessionMark { return "its sessions go on" }
    if !new.secondFactors.isEmpty || new.phoneNumber != nil { return "its factors stay" }
    for identity in new.identities where identity.key != question.identityKey {
      let isProof =
        identity.provider == .emailLink
        || SnapshotNames.providers.enumerated().contains { place, provider in
          identity.provider == provider && member.isVouchedFor(by: place)
            && question.settings.trusts(place)
        }
      if !isProof { return "\(identity.key) stays" }
    }
    return nil
  }
}
