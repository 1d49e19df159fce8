/// The effects of other changes on a split or a move since it was made.
extension TransferRecord {
  /// Returns the entry with its accounts as the rekeys since would have left them.
  ///
  /// The present accounts show the effects of those rekeys. A key that is already an identity of one account is not
  /// given to the other.
  func rekeyed(like present: [AccountID: Account], _ rekeys: [String: Rekey]) -> TransferRecord {
    let now = [source, target].compactMap { present[$0] }
    func account(_ before: Account, except others: [Identity], _ models: [Account]) -> Account {
      models.reduce(before.settled(by: rekeys)) { account, model in
        account.following(model, except: Set(others.map(\.key)))
      }
    }
    return TransferRecord(
      id: id, action: action, scope: scope, at: at, actor: actor, reason: reason,
      sourceBefore: account(sourceBefore, except: targetBefore?.identities ?? [], now),
      sourceAfter: account(sourceAfter, except: targetAfter.identities, now),
      targetBefore: targetBefore.map { account($0, except: sourceBefore.identities, now) },
      targetAfter: account(targetAfter, except: sourceAfter.identities, now),
      undoneBy: undoneBy)
  }

  /// Returns the links that an undo must not restore, because another issuer got their provider's name since.
  func formerLinks(
    beside present: [AccountID: Account], _ settings: ProjectSettings
  ) -> [IdentityKey] {
    let before = sourceBefore.identities + (targetBefore?.identities ?? [])
    let now = [source, target].compactMap { present[$0] }
    return before.keys.filter { key in
      guard let since = settings.subjects[key.provider.rawValue]?.since else { return false }
      return at < since && !now.contains { $0.identity(key) != nil }
    }
  }

  /// The keys that an undo restores.
  var returningKeys: [AccountKey] {
    let before = [sourceBefore] + [targetBefore].compactMap(\.self)
    return [.uid(source), .uid(target)]
      + before.flatMap(\.identities).flatMap(\.keys).map(AccountKey.identity)
      + before.compactMap(\.email).flatMap { [.email($0), .identity(.password($0))] }
      + before.compactMap(\.phoneNumber).map(AccountKey.phone)
  }
}

extension AccountReader {
  /// Returns the IDs of standing merges into an account of the record since, newest first.
  ///
  /// A merge is later if it found a later revision of the account than the change did.
  func laterMerges(than record: TransferRecord) throws -> [String] {
    try [
      (record.source, record.sourceBefore.revision),
      (record.target, record.targetBefore?.revision ?? 0),
    ].flatMap { try merges(into: $0, above: $1, in: record.scope) }
  }

  private func merges(
    into id: AccountID, above revision: Int64, in scope: Scope
  ) throws -> [String] {
    var limit = 16
    while true {
      let newest = try merges(involving: id, before: nil, limit: limit, in: scope)
      let later = newest.filter { $0.survivor == id && $0.survivorBefore.revision > revision }
      let standing = later.filter { $0.undoneBy == nil && $0.endedAt == nil }.map(\.id)
      if !standing.isEmpty || newest.count < limit || later.count < newest.count {
        return standing
      }
      limit *= 8
    }
  }
}
