/// The rules that decide which identities get a new key.
///
/// They are pure, so a plan and its batches have the same results.
struct RekeyRules {
  let rekey: Rekey
  let map: RekeyMap
  /// The new keys that more than one old key maps to.
  let shared: Set<IdentityKey>
  let snapshot: Snapshot

  /// Returns the outcome for accounts, with an update for each account that changes.
  func decide(
    _ accounts: [Account], until: Timestamp
  ) -> (outcome: RekeyOutcome, updates: [ChangeSet.Update]) {
    var outcome = RekeyOutcome()
    var updates: [ChangeSet.Update] = []
    let uses = Dictionary(map.values.map { ($0, 1) }, uniquingKeysWith: +)
    for old in accounts {
      var new = old
      for identity in old.identities {
        guard !identity.wasReplaced(by: rekey.id) else {
          outcome.already += 1
          continue
        }
        guard rekey.from.contains(identity.key) else { continue }
        guard let newKey = map[identity.key] else {
          outcome.unmapped.append(identity.key)
          continue
        }
        guard newKey != identity.key else {
          outcome.already += 1
          continue
        }
        if let cause = obstacle(newKey, of: new, uses[newKey] ?? 1) {
          outcome.conflicts.append(
            RekeyConflict(account: old.id, key: identity.key, newKey: newKey, cause: cause))
          continue
        }
        outcome.rekeyed += 1
        if new.identity(newKey) != nil { outcome.joined += 1 }
        outcome.changes.append(
          RekeyOutcome.Change(account: old.id, old: identity.key, new: newKey))
        new.replace(identity.key, with: newKey, by: rekey.id, until: until)
      }
      if new != old { updates.append(ChangeSet.Update(old: old, new: new)) }
    }
    return (outcome, updates)
  }

  /// Returns the cause of a conflict if an account cannot get a key; nil if it can.
  ///
  /// The account's own identity with the new key is no conflict.
  private func obstacle(
    _ key: IdentityKey, of account: Account, _ uses: Int
  ) -> RekeyConflict.Cause? {
    if uses > 1 || shared.contains(key) { return .sharedSubject }
    if let owner = snapshot.accounts(.identity(key)).first, owner.id != account.id {
      return .ownedBy(owner.id)
    }
    guard let identity = account.identity(reachedBy: key) else { return nil }
    // The account's own key is not free if it was replaced, or if the map replaces it.
    let staysThere = map[key].map { $0 == key } ?? true
    return identity.key == key && staysThere ? nil : .replaced
  }
}

extension Identity {
  /// Tells whether a rekey replaced a key of the identity.
  func wasReplaced(by rekey: String) -> Bool {
    predecessors.contains { $0.rekey == rekey || $0.identity.wasReplaced(by: rekey) }
  }
}
