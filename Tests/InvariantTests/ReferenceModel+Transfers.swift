import AuthCore

/// Splits, moves and their undos in the model.
extension ReferenceModel {
  /// Takes the identities of an event from one account to another, which a split makes.
  mutating func transfer(_ event: AuditEvent) -> Outcome {
    guard let source = event.accountID, let target = event.relatedIDs.first,
      let before = people[source], case .array(let names)? = event.details["moved"]
    else { return .impossible }
    let known = Dictionary(
      before.identities.keys.map { ($0.description, $0) }, uniquingKeysWith: { first, _ in first })
    let keys = names.compactMap { $0.stringValue.flatMap { known[$0] } }
    guard keys.count == names.count else { return .impossible }
    let isSplit = event.action == .split
    guard isSplit ? note(target) : people[target] != nil else { return .impossible }
    let other = people[target]
    var (left, got) = (before, other ?? Person(disabled: before.disabled))
    for key in keys {
      left.identities[key] = nil
      guard got.identities.updateValue(before.identities[key] ?? Proof(), forKey: key) == nil else {
        return .impossible
      }
    }
    if left.identities.isEmpty { return .impossible }
    switch address(of: before, going: keys) {
    case .stays: break
    case .mayGo where got.email != nil: break
    case .mayGo, .mustGo:
      guard got.email == nil || got.email == before.email else { return .impossible }
      got.verified = before.verified || (got.email == before.email && got.verified)
      got.email = before.email
      (left.email, left.verified) = (nil, false)
    }
    if got.isGuarded, got.email != nil, !got.verified { return .impossible }
    transfers[event.id] = Transfer(
      source: source, target: target, sourceBefore: before, targetBefore: other)
    set(source, left)
    set(target, got)
    return .done(source)
  }

  private enum AddressEnd { case stays, mayGo, mustGo }

  /// The address goes with its password, or without one with every identity that names it.
  private func address(of person: Person, going keys: [IdentityKey]) -> AddressEnd {
    guard let email = person.email else { return .stays }
    let password = Self.password(email)
    if person.identities[password] != nil { return keys.contains(password) ? .mustGo : .stays }
    let naming = person.identities.filter { $0.value.email == email }.keys
    return !naming.isEmpty && naming.allSatisfy(keys.contains) ? .mayGo : .stays
  }

  /// Gives both accounts back as they were; a split's new account goes.
  mutating func undoTransfer(_ id: String) -> Outcome {
    guard let transfer = transfers[id], !transfer.isUndone, let source = people[transfer.source],
      let target = people[transfer.target],
      source.formerOwners == transfer.sourceBefore.formerOwners,
      target.formerOwners == transfer.targetBefore?.formerOwners ?? 0
    else { return .impossible }
    let ids = [transfer.source, transfer.target]
    let before = [transfer.sourceBefore] + [transfer.targetBefore].compactMap(\.self)
    for person in before where person.verified {
      guard let email = person.email,
        ![source, target].contains(where: { $0.verified && $0.email == email })
      else { continue }
      for id in people.holders(of: email) where !ids.contains(id) {
        guard var holder = people[id], !holder.verified else { return .impossible }
        holder.email = nil
        holder.identities[Self.password(email)] = nil
        set(id, holder)
      }
    }
    let restored = left(transfer.sourceBefore, besides: ids)
    let other = transfer.targetBefore.map { left($0, besides: ids) }
    let keys = restored.identities.keys + (other?.identities.keys.map(\.self) ?? [])
    guard Set(keys.compactMap { people.owner(of: $0) }).isSubset(of: ids) else {
      return .impossible
    }
    set(transfer.target, other)
    set(transfer.source, restored)
    transfers[id]?.isUndone = true
    return .done(transfer.source)
  }

  /// A person without an unproven address that a third account has proven since.
  private func left(_ person: Person, besides ids: [AccountID]) -> Person {
    guard let email = person.email, !person.verified,
      people.holders(of: email).contains(where: {
        !ids.contains($0) && people[$0]?.verified == true
      })
    else { return person }
    var person = person
    person.email = nil
    person.identities[Self.password(email)] = nil
    return person
  }
}
