/// Decides whether an imported account fits beside those that exist.
struct ImportRules {
  let account: Account
  let isCreationTimeKnown: Bool
  let snapshot: Snapshot

  var outcome: ImportOutcome {
    if let found = snapshot.found[.uid(account.id)]?.first, found != account.id {
      return .refused(
        AuthError(
          .uidAlreadyExists, "The account was merged into \(found).", field: "localId",
          remedy: "Undo the merge first if the file is right."))
    }
    if snapshot.found[.uid(account.id)]?.isEmpty == false {
      return isUnchanged
        ? .unchanged
        : .refused(
          AuthError(
            .uidAlreadyExists, "The uid is in use by an account with other content.",
            field: "localId", remedy: "Compare both; the store keeps what it has."))
    }
    if let excess = account.excess() { return .refused(excess) }
    for identity in account.identities where isTaken(.identity(identity.key)) {
      return .refused(
        AuthError(
          identity.provider == .password ? .emailAlreadyInUse : .credentialAlreadyInUse,
          "Another account owns the identity \(identity.key).", field: "providerUserInfo",
          remedy: "Keep the identity in one record only, or merge the two accounts."))
    }
    if let refusal = account.recordRefusal { return .refused(refusal) }
    guard let email = account.email else { return .imported }
    let sharing = snapshot.accounts(.email(email))
    if snapshot.settings.oneAccountPerEmail && account.emailVerified
      && sharing.contains(where: \.emailVerified)
    {
      return .refused(
        AuthError(
          .emailAlreadyInUse, "Another account has verified the address \(email).", field: "email",
          remedy: "Keep emailVerified in one record only, or merge the two accounts."))
    }
    return sharing.isEmpty ? .imported : .sharesEmail(sharing.map(\.id))
  }

  private func isTaken(_ key: AccountKey) -> Bool {
    !snapshot.accounts(key).isEmpty
  }

  private var isUnchanged: Bool {
    guard var stored = snapshot.accounts[account.id] else { return false }
    // When the import ran is not part of what was imported.
    stored.revision = account.revision
    stored.validSince = account.validSince
    stored.ownership = account.ownership
    stored.generation = account.generation
    if !isCreationTimeKnown {
      stored.createdAt = account.createdAt
      for index in stored.secondFactors.indices where index < account.secondFactors.count {
        stored.secondFactors[index].enrolledAt = account.secondFactors[index].enrolledAt
      }
    }
    // A secret that is sealed never looks the same twice.
    for index in stored.secondFactors.indices
    where index < account.secondFactors.count && stored.secondFactors[index].secret != nil
      && account.secondFactors[index].secret != nil
    {
      stored.secondFactors[index].secret = account.secondFactors[index].secret
    }
    for index in stored.identities.indices where index < account.identities.count {
      let imported = account.identities[index]
      stored.identities[index].linkedAt = imported.linkedAt
      stored.identities[index].secret?.changedAt = imported.secret?.changedAt ?? imported.linkedAt
      // No file tells of keys that were replaced.
      stored.identities[index].predecessors = []
    }
    return stored == account
  }
}
