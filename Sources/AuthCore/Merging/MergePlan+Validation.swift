extension MergePlan {
  /// Checks a plan of a policy or an admin against the guarantees of a merge; throws `merge-refused`.
  ///
  /// It repeats even the checks of the planner.
  func validate(
    result: Account, in snapshot: Snapshot, _ ways: WaysIn, _ trace: inout Trace
  ) throws(AuthError) {
    guard survivor.scope == snapshot.scope, absorbed.scope == snapshot.scope,
      result.id == survivor.id, result.scope == survivor.scope
    else {
      throw .mergeRefused(
        "The accounts belong to different projects or tenants.", "Merge accounts of one tenant.")
    }
    try checkIdentities(result)
    let permission = WaysIn.Permission(followsSetting: false)
    guard ways.remain(from: [survivor, absorbed], to: result, by: permission, &trace) else {
      throw .mergeRefused(
        "The merged account would have no way to sign in.",
        "Drop fewer identities, or keep the address that has the password.")
    }
    try checkSecondFactors(result)
    try checkFaults(result)
    try checkEmail(result, snapshot)
    if let excess = result.excess(beside: [survivor, absorbed]) {
      throw .mergeRefused(
        excess.message, "Drop identities with dropIdentities = { … }, or choose a shorter value.")
    }
    if let number = result.phoneNumber,
      ![survivor.phoneNumber, absorbed.phoneNumber].contains(number)
    {
      throw .mergeRefused(
        "The phone number belongs to neither account.", "Choose one of the two numbers.")
    }
  }

  private func checkIdentities(_ result: Account) throws(AuthError) {
    let before = survivor.identities.keys + absorbed.identities.keys
    let dropped = Set(droppedIdentities)
    if !dropped.isEmpty, let unknown = droppedIdentities.first(where: Set(before).lacks) {
      throw .mergeRefused(
        "Neither account has the identity \(unknown) that should be dropped.",
        "Name identities as providerData shows them.")
    }
    let wanted = dropped.isEmpty ? before : before.filter(dropped.lacks)
    let after = result.identities.keys
    guard after.areDistinct, after == wanted || Set(after).isSuperset(of: wanted) else {
      throw .mergeRefused(
        "The merge would lose an identity that dropIdentities does not name.",
        "Name it in dropIdentities, or keep it.")
    }
  }

  /// Refuses a state that the rules elsewhere exclude; only a policy or an admin can ask for it.
  private func checkFaults(_ result: Account) throws(AuthError) {
    guard let fault = result.faults.first else { return }
    throw .mergeRefused(
      "The merged account would have a fault: \(fault).",
      "Let email follow the default rule, which keeps a verified address.")
  }

  private func checkSecondFactors(_ result: Account) throws(AuthError) {
    let before = survivor.secondFactors + absorbed.secondFactors
    guard before.allSatisfy({ old in result.secondFactors.contains { $0.protects(like: old) } })
    else {
      throw .mergeRefused(
        "The merge would lose a second factor.",
        "Keep it, or remove it first with account.multiFactor:unenroll(1).")
    }
    guard result.secondFactors.count <= AccountGraph.maximumSecondFactors else {
      throw .mergeRefused(
        "The merged account would have \(result.secondFactors.count) second factors; an account has at most "
          + "\(AccountGraph.maximumSecondFactors).",
        "Remove some first with account.multiFactor:unenroll(1).")
    }
  }

  private func checkEmail(_ result: Account, _ snapshot: Snapshot) throws(AuthError) {
    guard result.emailVerified, let email = result.email else { return }
    let others = snapshot.owners(
      of: email, beside: [survivor.id, absorbed.id], shown: .mailbox)
    guard others.isEmpty else {
      throw .mergeRefused(
        "A third account has verified this e-mail address.", "Merge that account as well.")
    }
  }
}

extension [IdentityKey] {
  /// True if no two keys are equal; comparing a few is faster than hashing.
  fileprivate var areDistinct: Bool {
    count > 16
      ? Set(self).count == count
      : indices.allSatisfy { place in !self[..<place].contains(self[place]) }
  }
}

extension Set<IdentityKey> {
  fileprivate func lacks(_ key: IdentityKey) -> Bool { !contains(key) }
}
