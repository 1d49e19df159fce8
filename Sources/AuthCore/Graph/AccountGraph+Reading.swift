extension AccountGraph {
  /// Returns the account with a uid; an absorbed uid gives the survivor.
  public func account(_ id: AccountID, in scope: Scope) async throws -> Account? {
    try await store.read(from: .replica) { try $0.resolved(id, in: scope) }
  }

  /// Finds one account by the text an admin types: a uid, an e-mail address or a phone number.
  ///
  /// Throws `ambiguous` with the uids if several accounts have the address and not exactly one has verified it.
  public func account(matching text: String, in scope: Scope) async throws -> Account? {
    if let account = try await account(AccountID(text), in: scope) { return account }
    let found = try await store.read(from: .replica) { reader in
      var ids: [AccountID] = []
      if let email = try? EmailAddress(text) {
        ids = try reader.accountIDs(.email(email), in: scope)
      } else if let number = try? PhoneNumber(normalizing: text) {
        ids = try reader.accountIDs(.phone(number), in: scope)
      }
      return try ids.compactMap { try reader.account($0, in: scope) }
    }
    let verified = found.filter(\.emailVerified)
    guard found.count > 1 && verified.count != 1 else { return verified.first ?? found.first }
    throw AuthError(
      .ambiguous, "\(found.count) accounts have \(text).", field: "key",
      remedy: "Use a uid: \(found.map(\.id.rawValue).joined(separator: ", ")).")
  }

  /// Returns a page of accounts in the filter's order, after `after`.
  ///
  /// By uid, a page takes as long as its accounts, and a condition that few accounts meet reads the others as well. Any
  /// other order reads the whole scope for each page. Throws `user-not-found` in such an order if `after` is gone.
  public func accounts(
    matching filter: AccountFilter = AccountFilter(), after: AccountID? = nil, limit: Int,
    in scope: Scope
  ) async throws -> [Account] {
    try await store.read(from: .replica) { reader in
      if let after, filter.order != .uid, try reader.account(after, in: scope) == nil {
        throw AuthError(
          .userNotFound, "There is no account \(after), after which the list would go on.",
          field: "after", remedy: "Begin the list again.")
      }
      return try reader.accounts(matching: filter, after: after, limit: limit, in: scope)
    }
  }

  /// Returns the number of accounts in a scope, or of those that match.
  public func accountCount(
    matching filter: AccountFilter = AccountFilter(), in scope: Scope
  ) async throws -> Int {
    try await store.read(from: .replica) { try $0.accountCount(matching: filter, in: scope) }
  }

  /// Returns the providers that accounts are linked with, in order, each with its number of accounts.
  ///
  /// One query, which reads an index of all identities.
  public func providerUses(in scope: Scope) async throws -> [ProviderUse] {
    try await store.read(from: .replica) { try $0.providers(in: scope) }
  }

  /// Returns a page of keys that several accounts share, after `after`.
  public func duplicates(
    by key: DuplicateKey, after: String? = nil, limit: Int, in scope: Scope
  ) async throws -> [DuplicateGroup] {
    try await store.read(from: .replica) {
      try $0.duplicates(by: key, after: after, limit: limit, in: scope)
    }
  }

  /// Returns the events of an account and of those it absorbed, newest first, before the sequence `before`.
  public func history(
    of id: AccountID, before: Int64? = nil, limit: Int, in scope: Scope
  ) async throws -> [AuditEvent] {
    try await store.read(from: .replica) { reader in
      try reader.events(
        about: try reader.lineage(of: id, in: scope), before: before, limit: limit, in: scope)
    }
  }

  /// Returns the uid of an account and those of all that it absorbed.
  ///
  /// They need not have an account: the audit keeps the history of a deleted one.
  public func lineage(of id: AccountID, in scope: Scope) async throws -> [AccountID] {
    try await store.read(from: .replica) { try $0.lineage(of: id, in: scope) }
  }

  /// Returns the absorbed uids that lead to an account.
  public func aliases(of id: AccountID, in scope: Scope) async throws -> [AccountID] {
    try await store.read(from: .replica) { try $0.aliases(of: id, in: scope) }
  }

  /// Returns the events of a scope that match, newest first, before the sequence `before`.
  ///
  /// Accounts are found by an index, and the times bound what is read; other conditions are compared with each event
  /// between them.
  public func events(
    matching filter: EventFilter = EventFilter(), before: Int64? = nil, limit: Int, in scope: Scope
  ) async throws -> [AuditEvent] {
    try await store.read(from: .replica) {
      try $0.events(matching: filter, before: before, limit: limit, in: scope)
    }
  }

  /// Returns an event with its trace, or throws `event-not-found`.
  public func event(_ id: String, in scope: Scope) async throws -> AuditEvent {
    guard let event = try await store.read(from: .replica, { try $0.event(id, in: scope) }) else {
      throw AuthError.eventNotFound(id)
    }
    return event
  }

  /// Returns merges, newest first, older than the one with the ID `before`: those of one account or all.
  ///
  /// Throws `event-not-found` if the journal no longer has the merge `before`.
  public func merges(
    involving id: AccountID? = nil, before: String? = nil, limit: Int, in scope: Scope
  ) async throws -> [MergeRecord] {
    try await store.read(from: .replica) { reader in
      if let before, try reader.merge(before, in: scope) == nil {
        throw AuthError(
          .eventNotFound, "The journal does not keep the merge \(before) any more.",
          field: "pageToken", remedy: "Begin the list again.")
      }
      return try reader.merges(involving: id, before: before, limit: limit, in: scope)
    }
  }

  /// Returns the settings of a scope.
  public func settings(of scope: Scope) async throws -> ProjectSettings {
    try await settings(of: scope, age: .current)
  }

  /// Returns the settings of a scope, current or as last seen.
  package func settings(of scope: Scope, age: SettingsAge) async throws -> ProjectSettings {
    if age == .lastSeen, let seen = lastSeen.settings(of: scope) { return seen }
    let settings = try await store.settings(of: scope)
    lastSeen.note(settings, of: scope)
    return settings
  }

  /// Tells whether a provider is enabled for sign-ins.
  ///
  /// An early answer from the settings as last seen; a provider that these close is looked up again. Each operation
  /// checks in its own transaction.
  package func isOpen(_ provider: ProviderID, in scope: Scope) async throws -> Bool {
    if lastSeen.settings(of: scope)?.signIn.closedProviders.contains(provider) == false {
      return true
    }
    return try await !settings(of: scope).signIn.closedProviders.contains(provider)
  }

  /// Returns the account of a session as this graph saw it last; nil if it saw none.
  ///
  /// A decision made with it has to be verified: see ``Caller/account``.
  package func accountAsLastSeen(_ id: AccountID, in scope: Scope) -> Account? {
    lastSeen.account(id, in: scope)
  }

  /// Forgets cached settings and accounts that another server changed.
  package func forget(_ change: StoreChange) {
    switch change {
    case .checkpoint: break
    case .settings(let scope): lastSeen.forget(scope)
    case .anything: lastSeen.forget()
    }
  }

  /// Compiles a policy without using it, or throws `invalid-policy`.
  public func compile(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    try policies.policy(source)
  }
}

extension AccountReader {
  fileprivate func lineage(of id: AccountID, in scope: Scope) throws -> [AccountID] {
    var ids = [id]
    var next = 0
    while next < ids.count {
      ids += try aliases(of: ids[next], in: scope)
      next += 1
    }
    return ids
  }
}
