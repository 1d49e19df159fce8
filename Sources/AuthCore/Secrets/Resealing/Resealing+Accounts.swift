extension Resealing {
  /// Reseals the secrets of authenticator apps by pages of accounts; it writes only if a secret changes.
  func changeAccounts(of scope: Scope) async throws -> [ResealingFinding] {
    var findings: [ResealingFinding] = []
    var after: AccountID?
    repeat {
      let place = after
      let page = try await store.read { reader in
        try reader.accounts(
          matching: AccountFilter(), after: place, limit: Self.page, in: scope)
      }
      after = page.last?.id
      let changed = try page.filter { try resealed($0).account != $0 }.map(\.id)
      findings += try page.filter { !changed.contains($0.id) }
        .flatMap { try resealed($0).findings }
      guard !changed.isEmpty else { continue }
      findings += try await reseal(changed, in: scope)
    } while after != nil
    return findings
  }

  private func reseal(_ ids: [AccountID], in scope: Scope) async throws -> [ResealingFinding] {
    @Sendable func each(_ reader: any AccountReader, _ writer: (any AccountWriter)?) throws
      -> [ResealingFinding]
    {
      try ids.flatMap { id -> [ResealingFinding] in
        guard let old = try reader.account(id, in: scope) else { return [] }
        let (new, findings) = try resealed(old)
        if let writer, new != old { try writer.update(new, replacing: old) }
        return findings
      }
    }
    guard commits else { return try await store.read { try each($0, nil) } }
    return try await store.write { try each($0, $0) }
  }

  /// Reseals the accounts in the journal of merges, before and after each merge.
  func changeMerges(of scope: Scope) async throws -> [ResealingFinding] {
    var findings: [ResealingFinding] = []
    var before: String?
    repeat {
      let place = before
      let page = try await store.read { reader in
        try reader.merges(involving: nil, before: place, limit: Self.page, in: scope)
      }
      before = page.last?.id
      for merge in page { findings += try await reseal(merge) }
    } while before != nil
    return findings
  }

  private func reseal(_ merge: MergeRecord) async throws -> [ResealingFinding] {
    let (new, findings) = try resealed(merge)
    guard commits, new != merge else { return findings }
    return try await store.write { writer in
      guard let old = try writer.merge(merge.id, in: merge.scope) else { return [] }
      let (new, findings) = try resealed(old)
      try writer.save(new)
      return findings
    }
  }

  /// Reseals the deleted accounts that can be restored.
  func changeDeletions(of scope: Scope) async throws -> [ResealingFinding] {
    var findings: [ResealingFinding] = []
    var after: String?
    repeat {
      let place = after
      let ids = try await store.read { reader in
        try reader.oneTimeRecords(.deletion, after: place, limit: Self.page, in: scope).map(\.id)
      }
      after = ids.last
      guard !ids.isEmpty else { break }
      findings += try await transaction { reader, writer in
        try ids.flatMap { id -> [ResealingFinding] in
          guard var record = try reader.oneTimeRecord(id, in: scope),
            var deletion = try KeptDeletion(record)
          else { return [] }
          let (new, findings) = try resealed(
            deletion.account, "an authenticator app of a deleted account")
          if let writer, new != deletion.account {
            deletion.account = new
            record.content = deletion.json
            try writer.save(record, in: scope)
          }
          return findings
        }
      }
    } while after != nil
    return findings
  }

  private func resealed(
    _ merge: MergeRecord
  ) throws -> (merge: MergeRecord, findings: [ResealingFinding]) {
    let what = "an authenticator app in the journal of merges"
    let before = try resealed(merge.survivorBefore, what)
    let absorbed = try resealed(merge.absorbedBefore, what)
    let after = try resealed(merge.survivorAfter, what)
    let new = MergeRecord(
      id: merge.id, scope: merge.scope, at: merge.at, actor: merge.actor, reason: merge.reason,
      survivorBefore: before.account, absorbedBefore: absorbed.account,
      survivorAfter: after.account, batch: merge.batch, undoneBy: merge.undoneBy,
      endedAt: merge.endedAt)
    return (new, before.findings + absorbed.findings + after.findings)
  }

  func resealed(
    _ account: Account, _ what: String? = nil
  ) throws -> (account: Account, findings: [ResealingFinding]) {
    var account = account
    var findings: [ResealingFinding] = []
    for index in account.secondFactors.indices {
      let factor = account.secondFactors[index]
      guard let secret = factor.secret else { continue }
      let sealed = SealedText(
        secret.encoded, for: AccountGraph.totpPurpose(factor.id, account.scope))
      let (new, finding) = try resealed(
        sealed, what ?? "an authenticator app of \(account.id)", in: account.scope,
        canDrop: false)
      account.secondFactors[index].secret?.encoded = new ?? secret.encoded
      findings.append(finding)
    }
    return (account, findings)
  }
}
