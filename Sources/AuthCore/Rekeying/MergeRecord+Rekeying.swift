extension MergeRecord {
  /// Returns the entry with its accounts as the rekeys since would have left them.
  ///
  /// The present survivor shows the effects of those rekeys. A key that is already an identity of one account is not
  /// given to the other.
  func rekeyed(like survivor: Account?, _ rekeys: [String: Rekey]) -> MergeRecord {
    func account(_ before: Account, except others: [Identity]) -> Account {
      let settled = before.settled(by: rekeys)
      return survivor.map { settled.following($0, except: Set(others.map(\.key))) } ?? settled
    }
    return MergeRecord(
      id: id, scope: scope, at: at, actor: actor, reason: reason,
      survivorBefore: account(survivorBefore, except: absorbedBefore.identities),
      absorbedBefore: account(absorbedBefore, except: survivorBefore.identities),
      survivorAfter: account(survivorAfter, except: []), batch: batch, undoneBy: undoneBy,
      endedAt: endedAt)
  }
}

extension Account {
  /// Returns the account as the end of its rekeys would have left it.
  func settled(by rekeys: [String: Rekey]) -> Account {
    guard identities.contains(where: { !$0.predecessors.isEmpty }) else { return self }
    let ids = Set(identities.flatMap(\.rekeys)).sorted()
    var account = self
    // A rekey that depends on another one is rolled back before it, so each may take more than one round.
    for id in ids.flatMap({ _ in ids }) {
      switch rekeys[id]?.state {
      case .open: break
      case .rollingBack, .rolledBack: _ = account.rollBack(id)
      case .finishing, .finished, nil: _ = account.finish(id)
      }
    }
    return account
  }

  /// Returns the account with the present keys of its identities in another one.
  func following(_ other: Account, except taken: Set<IdentityKey>) -> Account {
    var account = self
    for identity in other.identities where !taken.contains(identity.key) {
      account.follow(identity)
    }
    return account
  }

  private mutating func follow(_ identity: Identity) {
    for old in identity.predecessors {
      follow(old.identity)
      replace(old.identity.key, with: identity.key, by: old.rekey, until: old.until)
    }
  }
}

extension Identity {
  /// The IDs of the rekeys that led to the identity's key.
  fileprivate var rekeys: [String] {
    predecessors.flatMap { [$0.rekey] + $0.identity.rekeys }
  }
}
