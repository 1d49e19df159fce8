extension AccountGraph {
  /// Finds the rekey that is open between two sources, or makes a new one; writes nothing.
  ///
  /// - Parameters:
  ///   - from: whose subjects there are now.
  ///   - to: whose subjects they become.
  ///   - keepsSubjects: whether every subject stays; otherwise each batch brings a map.
  ///   - window: how long the old keys sign in, in seconds from the first batch on. That of an open rekey stays.
  ///   - caller: an admin.
  /// - Returns: the rekey; nothing is kept of a new one before its first batch.
  /// - Throws: `operation-not-allowed` for a caller who is not an admin, or while the open one is being ended;
  ///   `invalid-provider-id`; or `invalid-argument` where nothing would change, a source has no subjects of its
  ///   own, or the window is not between 0 seconds and ten years.
  public func planRekey(
    from: IdentitySource, to: IdentitySource, keepsSubjects: Bool,
    window: Int64 = Rekey.usualWindow, by caller: Caller
  ) async throws -> Rekey {
    guard caller.isAdmin else { throw AuthError.notAllowed("Only an admin may rekey.") }
    for (field, source) in [("from", from), ("to", to)] {
      try source.check(field, registered: providers.ids)
    }
    guard from != to || !keepsSubjects else {
      throw AuthError(
        .invalidArgument, "Nothing would change: both sources are \(from), without a map.",
        field: "map", remedy: "Give a map, or another issuer or provider to rekey to.")
    }
    guard (0...Rekey.longestWindow).contains(window) else {
      throw AuthError(
        .invalidArgument, "The window is \(window) seconds.", field: "window",
        remedy: "Give a number from 0 to \(Rekey.longestWindow).")
    }
    let known = try await settings(of: caller.scope).rekeys.values.first {
      $0.isOpen && $0.from == from && $0.to == to
    }
    guard let known else {
      return Rekey(
        id: newEventID(at: clock()), from: from, to: to, keepsSubjects: keepsSubjects,
        window: window, plannedBy: caller.actor)
    }
    guard known.state == .open else { throw AuthError.rekeyEnds(known) }
    guard known.keepsSubjects == keepsSubjects else {
      throw AuthError(
        .invalidArgument,
        "The open rekey \(known.id) was begun \(keepsSubjects ? "with" : "without") a map.",
        field: "map", remedy: "Go on as it was begun, or roll it back first.")
    }
    return known
  }

  /// The rekeys of a scope that are neither finished nor rolled back, the oldest first.
  public func rekeys(in scope: Scope) async throws -> [Rekey] {
    try await settings(of: scope).rekeys.values.filter(\.isOpen).sorted { $0.id < $1.id }
  }

  /// How far a rekey's batches have come, or where they begin again once all accounts were looked at.
  public func progress(of rekey: Rekey, in scope: Scope) async throws -> RekeyProgress {
    let stored = try await store.read { try $0.checkpoint(rekey.checkpoint, in: scope) }
    return try stored.map { try JSONText.decode(RekeyProgress.self, $0) }?.resumed
      ?? RekeyProgress()
  }

  /// A page of accounts to be rekeyed, in order of uid; `limit` counts accounts.
  public func page(
    of rekey: Rekey, after: AccountID?, limit: Int, in scope: Scope
  ) async throws -> (page: RekeyPage, last: AccountID?) {
    var filter = AccountFilter()
    filter.providerID = rekey.from.provider
    let accounts = try await accounts(matching: filter, after: after, limit: limit, in: scope)
    let keys = accounts.flatMap(\.identities)
      .filter { rekey.from.contains($0.key) && !$0.wasReplaced(by: rekey.id) }.map(\.key)
    let page = RekeyPage(
      accounts: accounts.map(\.id), keys: keys, isLast: accounts.count < limit)
    return (page, accounts.last?.id ?? after)
  }

  /// What a batch would come to; writes nothing.
  ///
  /// `shared` are new keys that stand for old ones of other pages as well.
  public func preview(
    _ rekey: Rekey, _ page: RekeyPage, map: RekeyMap, shared: Set<IdentityKey> = [],
    in scope: Scope
  ) async throws -> RekeyOutcome {
    let map = try rekey.checked(map)
    return try await store.read { reader in
      let snapshot = try reader.snapshot(page.snapshotKeys(map), in: scope)
      let rules = RekeyRules(rekey: rekey, map: map, shared: shared, snapshot: snapshot)
      // Nothing is written, so it does not matter until when.
      let until = rekey.until ?? Timestamp(milliseconds: 0)
      return rules.decide(page.accounts(in: snapshot), until: until).outcome
    }
  }

  /// Gives the identities of a page their new keys, in one transaction with one audit event.
  ///
  /// Those without a new subject and those in conflict stay as they are, and are counted. What was rekeyed
  /// already is left alone, so a batch may be repeated.
  ///
  /// - Parameters:
  ///   - rekey: as it was planned.
  ///   - page: the accounts.
  ///   - last: where the page ends, as ``page(of:after:limit:in:)`` gave it.
  ///   - map: the new key of each old one.
  ///   - shared: new keys that stand for old ones of other pages as well; their identities are in conflict.
  ///   - progress: what the batches before came to.
  ///   - caller: an admin.
  /// - Returns: how far it has come, and the receipt; nil where a page that is not the last had nothing to
  ///   change.
  /// - Throws: `operation-not-allowed` for a caller who is not an admin or once the rekey is being ended,
  ///   `plan-outdated` where another one of the same sources was begun, or `invalid-argument` for a map that
  ///   leads elsewhere.
  public func commit(
    _ rekey: Rekey, _ page: RekeyPage, last: AccountID?, map: RekeyMap,
    shared: Set<IdentityKey> = [], progress: RekeyProgress, by caller: Caller
  ) async throws -> (receipt: Receipt?, progress: RekeyProgress) {
    let map = try rekey.checked(map)
    var progress = progress
    progress.after = last
    progress.isComplete = page.isLast
    if map.isEmpty && !page.isLast && caller.isAdmin {
      let outcome = try await preview(rekey, page, map: map, in: caller.scope)
      return (nil, progress.adding(outcome))
    }
    let before = progress
    let (receipt, verdict) = try await perform(
      caller, load: { try $0.snapshot(page.snapshotKeys(map), in: caller.scope) },
      decide: { snapshot, moment in
        var verdict = Verdict(action: .rekey)
        verdict.details = rekey.details
        do {
          let record = try rekey.begun(among: snapshot.settings.rekeys, caller, at: moment.now)
          let rules = RekeyRules(rekey: record, map: map, shared: shared, snapshot: snapshot)
          let (outcome, updates) = rules.decide(
            page.accounts(in: snapshot), until: record.until ?? moment.now)
          verdict.changes.updated = updates
          verdict.changes.checkpoint = ChangeSet.Checkpoint(
            name: record.checkpoint, value: try JSONText.encode(before.adding(outcome)))
          verdict.keep(record, in: snapshot.settings)
          verdict.note(record, outcome)
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
    return (receipt, before.adding(verdict.rekeyed ?? RekeyOutcome()))
  }
}

extension Rekey {
  /// The record of a rekey whose batches may go on, made where this is the first.
  fileprivate func begun(
    among records: [String: Rekey], _ caller: Caller, at now: Timestamp
  ) throws(AuthError) -> Rekey {
    guard caller.isAdmin else { throw .notAllowed("Only an admin may rekey.") }
    if let record = records[id] {
      guard record.state == .open else { throw .rekeyEnds(record) }
      return record
    }
    if let other = records.values.first(where: { $0.isOpen && $0.from == from && $0.to == to }) {
      throw AuthError(
        .planOutdated, "The rekey \(other.id) from \(from) to \(to) was begun since.",
        remedy: "Make the plan again; it goes on with that one.", step: .commit)
    }
    var record = self
    record.begunAt = now
    return record
  }

  /// A map that leads from this rekey's source to its target, and names subjects.
  fileprivate func checked(_ map: RekeyMap) throws(AuthError) -> RekeyMap {
    for (old, new) in map where !from.contains(old) || !to.contains(new) || new.subject.isEmpty {
      throw AuthError(
        .invalidArgument,
        new.subject.isEmpty
          ? "The new subject of \(old) is empty." : "\(old) does not become \(new) in this rekey.",
        field: "map", remedy: "Give each old subject a new one, or none at all.")
    }
    return map
  }

  /// What its events say.
  var details: [String: JSONValue] {
    [
      "rekey": .string(id), "from": .string(from.description), "to": .string(to.description),
    ]
  }
}

extension RekeyPage {
  fileprivate func snapshotKeys(_ map: RekeyMap) -> [AccountKey] {
    accounts.map(AccountKey.uid) + map.values.map(AccountKey.identity)
  }

  /// The accounts as they are now, each once: one may have been merged into another.
  func accounts(in snapshot: Snapshot) -> [Account] {
    var seen: Set<AccountID> = []
    return accounts.compactMap { snapshot.account($0) }.filter { seen.insert($0.id).inserted }
  }
}

extension RekeyProgress {
  fileprivate func adding(_ outcome: RekeyOutcome) -> RekeyProgress {
    var sum = self
    sum.rekeyed += outcome.rekeyed
    sum.unmapped += outcome.unmapped.count
    sum.conflicts += outcome.conflicts.count
    return sum
  }
}

extension Verdict {
  /// Keeps a rekey's record where it is new or changed.
  mutating func keep(_ record: Rekey, in settings: ProjectSettings) {
    guard settings.rekeys[record.id] != record else { return }
    var settings = settings
    settings.rekeys[record.id] = record
    changes.settings = settings
  }

  fileprivate mutating func note(_ rekey: Rekey, _ outcome: RekeyOutcome) {
    rekeyed = outcome
    relatedIDs = changes.updated.map(\.new.id)
    details["identities"] = .array(
      outcome.changes.map { .string("\($0.account): \($0.old) -> \($0.new)") })
    trace.note(
      "rekey",
      [
        "from": rekey.from.description, "to": rekey.to.description, "until": rekey.until?.text,
        "already": "\(outcome.already)", "without a new subject": "\(outcome.unmapped.count)",
        "in conflict": "\(outcome.conflicts.count)",
      ], "\(outcome.rekeyed) identities get their new key")
  }
}

extension IdentitySource {
  /// Throws where nobody knows the provider, or its subjects are the account's own address or number.
  fileprivate func check(
    _ field: String, registered: [ProviderID]
  ) throws(AuthError) {
    let own: [ProviderID] = [.password, .phone, .emailLink, .anonymous, .custom]
    guard !own.contains(provider) else {
      throw AuthError(
        .invalidArgument, "The subjects of \(provider) are not a vendor's.", field: field,
        remedy: "Change the account itself with account:update { … }.")
    }
    do throws(AuthError) {
      try KnownProviders.check(provider, registered: registered)
    } catch {
      var error = error
      error.field = field
      throw error
    }
  }
}

extension AuthError {
  static func rekeyEnds(_ rekey: Rekey) -> AuthError {
    let remedy =
      switch rekey.state {
      case .open, .finished, .rolledBack: "Make a new plan."
      case .rollingBack: "Complete it with plan:rollback { }, then make a new plan."
      case .finishing: "Complete it with plan:finish { }, then make a new plan."
      }
    return AuthError(
      .operationNotAllowed, "The rekey \(rekey.id) is \(rekey.state.rawValue).", remedy: remedy,
      step: .decision)
  }
}
