extension Account {
  /// Gives an identity a new key; the old identity becomes its predecessor.
  ///
  /// If the account has already linked the new key, that identity stays and gets the predecessor.
  mutating func replace(
    _ key: IdentityKey, with newKey: IdentityKey, by rekey: String, until: Timestamp
  ) {
    guard let place = identities.firstIndex(where: { $0.key == key }) else { return }
    let old = identities[place]
    if let other = identities.firstIndex(where: { $0.key == newKey }) {
      identities[other].predecessors.append(
        Predecessor(identity: old, rekey: rekey, until: until, place: place))
      identities.remove(at: place)
      return
    }
    identities[place] = Identity(
      key: newKey, profile: old.profile,
      // The new provider has not verified the address yet.
      emailVerified: old.emailVerified && newKey.provider == key.provider, origin: old.origin,
      linkedAt: old.linkedAt, lastSignInAt: old.lastSignInAt, secret: old.secret,
      predecessors: [Predecessor(identity: old, rekey: rekey, until: until)])
  }

  /// Rolls a rekey back; returns the number of restored identities.
  ///
  /// An identity that a later rekey changed stays.
  mutating func rollBack(_ rekey: String) -> Int {
    var restored = 0
    for key in identities.keys {
      guard let index = identities.firstIndex(where: { $0.key == key }),
        let found = identities[index].predecessors.firstIndex(where: { $0.rekey == rekey })
      else { continue }
      restored += 1
      let old = identities[index].predecessors.remove(at: found)
      if let place = old.place {
        identities.insert(old.identity, at: min(place, identities.count))
      } else {
        // Predecessors that other rekeys added to the new identity move to the restored one.
        var identity = old.identity
        identity.predecessors += identities[index].predecessors
        identities[index] = identity
      }
    }
    return restored
  }

  /// Removes the keys that a rekey replaced, and their own predecessors; returns the number of changed identities.
  mutating func finish(_ rekey: String) -> Int {
    var count = 0
    for index in identities.indices where identities[index].wasReplaced(by: rekey) {
      identities[index].forgetPredecessors(of: rekey)
      count += 1
    }
    return count
  }
}

extension Identity {
  fileprivate mutating func forgetPredecessors(of rekey: String) {
    predecessors.removeAll { $0.rekey == rekey }
    for index in predecessors.indices {
      predecessors[index].identity.forgetPredecessors(of: rekey)
    }
  }
}
