extension AccountGraph {
  /// Returns the ways into an account: identities, second factors, sessions, its mailbox and the app's tokens.
  ///
  /// An absorbed uid gives those of the survivor. Throws `user-not-found`.
  public func waysIn(of account: AccountID, in scope: Scope) async throws -> [WayIn] {
    let found = try await store.read { reader in
      (try reader.resolved(account, in: scope), try reader.settings(of: scope))
    }
    guard let account = found.0 else { throw AuthError.userNotFound }
    return WaysIn(settings: found.1, providers: knownProviders).list(of: account)
  }

  /// Ends ways into an account in one change: unlinks identities, removes second factors and ends sessions.
  ///
  /// The rules are those of each change alone, and the last one looks at the whole: a way to sign in stays, unless an
  /// admin forces it. A session that ends more than sessions has to be recent, and has to show the second factor if
  /// there is one. If a factor goes, all sessions end too.
  ///
  /// - Parameters:
  ///   - names: the IDs of ``waysIn(of:in:)``; also a kind, a provider or an identity's key that only one way has.
  ///   - id: the account; an absorbed uid is refused.
  ///   - force: true to let an admin remove the last way to sign in.
  ///   - session: the session that continues after the change.
  ///   - caller: the account's own session, or an admin.
  /// - Returns: the account, and the receipt with the ways in that stay.
  /// - Throws: `invalid-argument`, `ambiguous`, `operation-not-allowed`, `requires-recent-login`,
  ///   `second-factor-required`, `last-sign-in-method`, `user-disabled` or `user-not-found`.
  public func endWaysIn(
    _ names: [String], of id: AccountID, force: Bool = false,
    continuing session: SessionContinuation? = nil, by caller: Caller
  ) async throws -> AccountUpdateResult {
    let endsSessionsOnly = names.allSatisfy { $0 == WayIn.Kind.sessions.rawValue }
    let edit = AccountEdit(
      action: endsSessionsOnly ? .revokeSessions : .unlink, account: id,
      isSensitive: !endsSessionsOnly)
    let (receipt, verdict) = try await perform(edit, by: caller) { old, context, verdict in
      guard let old else { throw AuthError.userNotFound }
      guard old.id == id else { throw AuthError.wasMerged(id, into: old.id) }
      let ways = WaysIn(settings: context.snapshot.settings, providers: self.knownProviders)
      let chosen = try ways.list(of: old).chosen(by: names)
      try self.end(chosen, of: old, isForced: force, on: context, &verdict)
      guard verdict.error == nil, let new = verdict.account else { return }
      verdict.listsWaysIn = true
      verdict.endedSessions = new.endsSessions(of: old)
      verdict.allow = session?.allow(for: caller, context.snapshot.settings, self.services.quirks)
    }
    guard let account = verdict.written else { throw AuthError.userNotFound }
    return AccountUpdateResult(
      account: account, receipt: receipt, endedSessions: verdict.endedSessions,
      session: verdict.session)
  }

  /// Decides the end of ways in, one after the other, and then whether what stays is enough.
  private func end(
    _ ways: [WayIn], of old: Account, isForced: Bool, on context: OperationContext,
    _ verdict: inout Verdict
  ) throws {
    var state = context
    var gone: (keys: [IdentityKey], factors: Set<String>, sessions: Bool) = ([], [], false)
    verdict.account = old
    for way in ways where verdict.error == nil {
      switch way.target {
      case .identity(let key):
        gone.keys.append(key)
        try plan(.unlink(key.provider, subject: key.description), on: &state, &verdict)
      case .factor(let id): gone.factors.insert(id)
      case .sessions: gone.sessions = true
      case .none: break
      }
    }
    guard verdict.error == nil, var new = verdict.account else { return }
    new.secondFactors.removeAll { gone.factors.contains($0.id) }
    if gone.sessions {
      new.cutSessions(at: context.now)
    } else if !gone.factors.isEmpty {
      services.quirks.ending { new.cutSessions(at: context.now) }
    }
    if gone.keys.isEmpty { verdict.action = gone.factors.isEmpty ? .revokeSessions : .unenroll }
    verdict.become(new, from: context.snapshot)
    verdict.note(gone.keys, gone.factors, of: new)
    verdict.details["ended"] = .array(ways.map { .string($0.id) })
    var rules = rules(by: context.caller, at: context.now, on: state.snapshot)
    verdict.error = rules.refuseLosingWaysIn(from: old, to: new, isForced: isForced)
    verdict.trace.append(rules.trace)
  }
}

extension Verdict {
  /// Notes the identities and second factors that go, as the events of their own operations do.
  fileprivate mutating func note(
    _ keys: [IdentityKey], _ factors: Set<String>, of account: Account
  ) {
    if !keys.isEmpty {
      details["identity"] = .array(keys.map { .string($0.description) })
    }
    if !factors.isEmpty {
      details["factors"] = .array(factors.sorted().map { .string($0) })
    }
  }

  /// Lists the ways into the accounts that a change of address, a reset, a recovery or an undo concerns.
  mutating func noteWaysIn(_ ways: @autoclosure () -> WaysIn) {
    guard error == nil else { return }
    let accounts: [Account] =
      switch action {
      case .undoMerge: changes.updated.map(\.new).filter { $0.id == accountID } + changes.inserted
      case .split, .move, .undoSplit, .undoMove: changes.updated.map(\.new) + changes.inserted
      case .useActionCode: [account].compactMap(\.self)
      case .update, .unlink, .unenroll, .revokeSessions:
        changes.updated.filter { update in
          update.new.id == accountID
            && (listsWaysIn || action == .unenroll || update.isOfCredentials)
        }.map(\.new)
      default: []
      }
    guard !accounts.isEmpty else { return }
    let ways = ways()
    waysIn = accounts.map { WaysInOfAccount(account: $0.id, ways: ways.list(of: $0)) }
  }
}

extension ChangeSet.Update {
  /// True if the account's address, or the password for it, is another one than before.
  fileprivate var isOfCredentials: Bool {
    old.email != new.email || old.emailVerified != new.emailVerified
      || old.passwordIdentity?.secret?.changedAt != new.passwordIdentity?.secret?.changedAt
  }
}
