/// Moves of an identity between two accounts by a person who is signed in to both.
extension AccountGraph {
  /// Moves the identity of a credential from one of the caller's accounts to the other.
  ///
  /// Both accounts have to be proven as for a merge of one's own accounts: by a session that was not ended, that is
  /// recent, and that has shown a second factor if the account has one. The credential has to be of the identity itself:
  /// an older session of both accounts shows nothing about who the identity's vendor knows today.
  ///
  /// The address or the number goes along if it belongs to the identity. The other account keeps its sessions, except
  /// those of the identity, and all of them end if the address goes. An admin can undo the move.
  ///
  /// - Parameters:
  ///   - credential: a credential of the identity, unused.
  ///   - move: the two sessions.
  ///   - client: the origin of the request.
  ///   - reason: the reason for the audit.
  /// - Returns: the account that has the identity now, with its session and the receipt.
  /// - Throws: `operation-not-allowed` if the credential is not of the other account, `last-sign-in-method` if that
  ///   account would have no way to sign in, `invalid-credential`, `requires-recent-login`, `second-factor-required`,
  ///   `user-token-expired`, `user-disabled`, `user-not-found`, `tenant-mismatch`, `provider-already-linked`,
  ///   `unsupported-first-factor`, or an error of the provider.
  public func move(
    _ credential: Credential, by move: OwnMove, client: ClientDescription = ClientDescription(),
    reason: String? = nil
  ) async throws -> OwnMoveResult {
    let caller = move.caller(client, reason)
    // A password is matched, not chosen: the purpose is that of a sign-in.
    let verification = Verification(
      credential, .signIn, action: .move, account: move.target.account)
    let identity = try await self.identity(by: verification, with: .lastSeen, for: caller)
    return try await self.move(
      VerifiedCredential(
        identity: identity, scope: caller.scope, boundAccount: credential.boundAccount,
        verification: verification), by: move, as: caller)
  }

  /// Moves the identity of a verified credential, such as one that was stored after a conflict.
  ///
  /// Throws like the same function of a credential.
  public func move(
    _ verified: VerifiedCredential, by move: OwnMove,
    client: ClientDescription = ClientDescription(), reason: String? = nil
  ) async throws -> OwnMoveResult {
    try await self.move(verified, by: move, as: move.caller(client, reason))
  }

  private func move(
    _ verified: VerifiedCredential, by move: OwnMove, as caller: Caller
  ) async throws -> OwnMoveResult {
    try verified.mayBeUsed(for: move.target.account, by: caller)
    var identity = verified.identity
    for _ in 0..<Self.verifications {
      let performed = try await perform(move, of: identity, by: caller)
      if case .wanting(.verification) = performed, let verification = verified.verification {
        identity = try await self.identity(by: verification, with: .current, for: caller)
        continue
      }
      let (receipt, verdict) = try performed.get()
      guard
        var account = verdict.changes.updated.map({ $0.new }).first(where: {
          $0.id == move.target.account
        })
      else { throw AuthError(.internalError, "The move changed no account.", step: .commit) }
      account.revision += 1
      return OwnMoveResult(
        account: account, moved: verdict.changes.transfer?.moved ?? [], receipt: receipt)
    }
    throw AuthError(
      .tooMuchContention, "The provider's settings changed each time the credential was verified.",
      remedy: "Try again.", step: .commit)
  }

  private func perform(
    _ move: OwnMove, of identity: VerifiedIdentity, by caller: Caller
  ) async throws -> Performed {
    let request = LinkRequest.link(identity, to: move.target.account)
    let (source, target) = (move.source.account, move.target.account)
    let query = SnapshotQuery(
      request.keys + [.uid(source)], uses: request.uses, following: [.addresses],
      in: caller.scope)
    return try await performAsking(
      HookQuestion(method: identity.provider, claims: identity.claims), caller, load: query,
      decide: { snapshot, moment in
        if identity.wasVerifiedOtherwise(than: snapshot.settings) {
          return .wanting(.verification)
        }
        let context = OperationContext(snapshot: snapshot, moment: moment, caller: caller)
        var verdict = Verdict(action: .move, accountID: source, relatedIDs: [target])
        verdict.details["proofs"] = move.proofs
        if let key = identity.key { verdict.details["identity"] = .string(key.description) }
        do {
          let key = try self.key(moving: request, move, on: context, &verdict.trace)
          let plan = try self.plan(
            .move(key), of: source, to: target, on: context, endsSessions: false,
            &verdict.trace)
          guard plan.shutAccounts.isEmpty else { throw AuthError.lastOfOwn(key.provider) }
          verdict.commit(plan, on: context)
          // The app is asked about the caller's account, which may have been anonymous.
          verdict.account = plan.targetAfter
          verdict.changes.uses = request.uses
        } catch let error as AuthError {
          verdict.error = error
        }
        return verdict
      })
  }

  /// Checks the proofs of both accounts and of the identity, and returns the identity's key in the account that has it.
  private func key(
    moving request: LinkRequest, _ move: OwnMove, on context: OperationContext,
    _ trace: inout Trace
  ) throws -> IdentityKey {
    let snapshot = context.snapshot
    guard move.source.account != move.target.account else {
      throw AuthError.transferRefused(
        "Both sessions are of the same account.", "Sign in to the account that has the identity.")
    }
    _ = try proven(by: move.target, on: context, &trace)
    let source = try proven(by: move.source, on: context, &trace)
    if let used = request.uses.first(where: { snapshot.used.contains($0.name) }) {
      trace.note("one-time use", ["what": used.name], "it was used before")
      throw AuthError.usedBefore
    }
    var rules = rules(by: context.caller, at: context.now, on: snapshot)
    let gate =
      rules.refuseClosed(request) ?? rules.refuseChangedProvider(request)
      ?? rules.refuseStopped(request)
    trace.append(rules.trace)
    if case .refuse(let error)? = gate { throw error }
    guard case .link(let identity, _) = request, let key = identity.key,
      let owned = source.identity(reachedBy: key), identity.showsItself
    else {
      // Who else has the identity, if anyone does, is not revealed.
      trace.note(
        "owner of the identity", ["provider": request.provider],
        "not the account of the other session")
      throw AuthError.transferRefused(
        "The credential is not one of the other account.", field: "credential",
        "Show a credential of the identity to bring here.")
    }
    if let old = owned.predecessor(key), old.until <= context.now {
      trace.note("replaced key", ["identity": key.description], "its window is over")
      throw AuthError.subjectReplaced
    }
    trace.note("owner of the identity", ["identity": key.description], "the other account")
    return owned.key
  }
}

extension VerifiedIdentity {
  /// Tells whether the credential proves its identity; one that was chosen or registered now does not.
  fileprivate var showsItself: Bool {
    if case .chosen = secret { return false }
    return true
  }
}

extension LinkRequest {
  fileprivate var provider: String? {
    guard case .link(let identity, _) = self else { return nil }
    return identity.provider.rawValue
  }
}

extension OwnMove {
  fileprivate func caller(_ client: ClientDescription, _ reason: String?) -> Caller {
    var caller = target.caller(client)
    caller.reason = reason
    return caller
  }

  fileprivate var proofs: JSONValue { .array([target.detail, source.detail]) }
}

extension TransferRecord {
  /// The identities that the change moved.
  var moved: [IdentityKey] {
    sourceBefore.identities.keys.filter { sourceAfter.identity($0) == nil }
  }
}

extension AuthError {
  /// The refusal of a person's move that would leave the other account without a way to sign in.
  fileprivate static func lastOfOwn(_ provider: ProviderID) -> AuthError {
    AuthError(
      .lastSignInMethod, "\(provider) is the last way to sign in to the other account.",
      field: "credential",
      remedy: "Merge the two accounts instead, or link another identity to it.",
      step: .decision)
  }
}
