extension AccountGraph {
  /// The account that a uid stands for; an absorbed uid gives its survivor.
  public func account(_ id: AccountID, in scope: Scope) async throws -> Account? {
    try await store.read(from: .replica) { try $0.resolved(id, in: scope) }
  }

  /// Finds one account by what an admin would type: a uid, an e-mail address or a phone number.
  ///
  /// Throws `ambiguous` with the uids where several accounts have the address and not exactly one of them
  /// has verified it.
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

  /// A page of accounts in order of uid, beginning behind `after`.
  public func accounts(
    matching filter: AccountFilter = AccountFilter(), after: AccountID? = nil, limit: Int,
    in scope: Scope
  ) async throws -> [Account] {
    try await store.read(from: .replica) {
      try $0.accounts(matching: filter, after: after, limit: limit, in: scope)
    }
  }

  public func accountCount(in scope: Scope) async throws -> Int {
    try await store.read(from: .replica) { try $0.accountCount(in: scope) }
  }

  /// A page of keys that several accounts share, beginning behind `after`.
  public func duplicates(
    by key: DuplicateKey, after: String? = nil, limit: Int, in scope: Scope
  ) async throws -> [DuplicateGroup] {
    try await store.read(from: .replica) {
      try $0.duplicates(by: key, after: after, limit: limit, in: scope)
    }
  }

  /// What happened to an account and to those it absorbed, newest first, before the event with the sequence `before`.
  public func history(
    of id: AccountID, before: Int64? = nil, limit: Int, in scope: Scope
  ) async throws -> [AuditEvent] {
    try await store.read(from: .replica) { reader in
      var ids = [id]
      var next = 0
      while next < ids.count {
        ids += try reader.aliases(of: ids[next], in: scope)
        next += 1
      }
      return try reader.events(about: ids, before: before, limit: limit, in: scope)
    }
  }

  /// The uids that stand for an account.
  public func aliases(of id: AccountID, in scope: Scope) async throws -> [AccountID] {
    try await store.read(from: .replica) { try $0.aliases(of: id, in: scope) }
  }

  /// The newest events of a scope, newest first.
  public func events(limit: Int, in scope: Scope) async throws -> [AuditEvent] {
    try await store.read(from: .replica) {
      try $0.events(about: nil, before: nil, limit: limit, in: scope)
    }
  }

  /// The event with its trace: why something happened.
  ///
  /// Throws `event-not-found`.
  public func event(_ id: String, in scope: Scope) async throws -> AuditEvent {
    guard let event = try await store.read(from: .replica, { try $0.event(id, in: scope) }) else {
      throw AuthError.eventNotFound(id)
    }
    return event
  }

  /// Merges newest first, older than the one with the ID `before`: those in which an account took part, or all of them.
  ///
  /// Throws `event-not-found` if the journal does not keep that one any more.
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

  public func settings(
    of scope: Scope, age: SettingsAge = .current
  ) async throws -> ProjectSettings {
    if age == .lastSeen, let seen = lastSeen.settings(of: scope) { return seen }
    let settings = try await store.settings(of: scope)
    lastSeen.note(settings, of: scope)
    return settings
  }

  /// Whether people may sign in with a provider, by the settings as last seen; what these close is asked again.
  ///
  /// An early answer: each operation asks in its transaction.
  public func isOpen(_ provider: ProviderID, in scope: Scope) async throws -> Bool {
    if lastSeen.settings(of: scope)?.signIn.closedProviders.contains(provider) == false {
      return true
    }
    return try await !settings(of: scope).signIn.closedProviders.contains(provider)
  }

  /// The account of a session as this graph saw it last; nil if it saw none.
  ///
  /// What is decided with it has to be compared: see ``Caller/account``.
  public func accountAsLastSeen(_ id: AccountID, in scope: Scope) -> Account? {
    lastSeen.account(id, in: scope)
  }

  /// Forgets settings and accounts that another server changed, which only saves asking again.
  public func forget(_ change: StoreChange) {
    switch change {
    case .checkpoint: break
    case .settings(let scope): lastSeen.forget(scope)
    case .anything: lastSeen.forget()
    }
  }

  /// Compiles a policy without using it; throws `invalid-policy`.
  public func compile(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    try policies.policy(source)
  }
}
