extension AccountGraph {
  /// Sends a code or a link that signs in or, for an account, links.
  ///
  /// Throws `operation-not-allowed` if the provider sends nothing or the caller is not the account,
  /// `too-many-requests`, or an error of the provider or the sender.
  public func sendChallenge(
    _ provider: ProviderID, _ request: ChallengeRequest, by caller: Caller
  ) async throws -> Challenge {
    try caller.cannotRehearse("Sending a code")
    try await requireHeld(by: caller)
    guard let issuer = try providers.provider(provider) as? any ChallengeIssuing else {
      throw AuthError(
        .operationNotAllowed, "The provider \(provider) sends no codes.", field: "providerID",
        remedy: "Make one of its credentials instead.", step: .credential)
    }
    if let account = request.account, !caller.isAdmin {
      guard case .session(account, _, _, _) = caller.authority else {
        throw AuthError.onlyOwnerOrAdmin
      }
    }
    try await allowed(provider, by: caller)
    return try await issuer.issueChallenge(
      request,
      try await context(for: provider, in: caller.scope, from: caller.client.network))
  }

  /// Revokes a grant at the vendor; the identity stays linked.
  ///
  /// Throws `operation-not-allowed` if the provider cannot revoke, or an error of the provider.
  public func revokeToken(
    _ token: RevocationToken, of provider: ProviderID, by caller: Caller
  ) async throws {
    try caller.cannotRehearse("Revoking")
    guard let revoking = try providers.provider(provider) as? any Revoking else {
      throw AuthError.noRevocation(provider)
    }
    try await revoking.revoke(token, try await context(for: provider, in: caller.scope))
  }

  /// Verifies an identity again with a vendor's refresh token, and stores the new profile.
  ///
  /// This is no sign-in. If the vendor names another subject, the link stays as it is and `user-mismatch` is thrown.
  /// Throws `no-such-provider`, `operation-not-allowed` if the caller is neither the account nor an admin, or an error
  /// of the provider.
  public func refreshIdentity(
    _ key: IdentityKey, of account: AccountID, with refreshToken: Secret<String>,
    by caller: Caller
  ) async throws -> Receipt {
    guard let refreshing = try providers.provider(key.provider) as? any Refreshing else {
      throw AuthError.noRenewal(key.provider)
    }
    // Only a caller that may change the account can learn its identities or cause a request to the vendor.
    _ = try await change(key, of: account, to: nil, by: caller.asRehearsal)
    try await allowed(key.provider, by: caller)
    let identity = try await audited(
      .update, of: account, showing: .renewal(of: key, by: refreshToken), by: caller
    ) {
      var identity = try await refreshing.refresh(
        refreshToken, of: key, try await context(for: key.provider, in: caller.scope))
      try Self.check(identity, of: refreshing)
      identity.profile = identity.profile.bounded()
      guard identity.key == key else {
        throw AuthError(
          .userMismatch, "The vendor renewed the token of another person.",
          remedy: "Sign in again.", step: .token)
      }
      return identity
    }
    return try await change(key, of: account, to: identity, by: caller)
  }

  /// Replaces an identity's profile; with nil it only checks that the caller may and the account has the identity.
  private func change(
    _ key: IdentityKey, of id: AccountID, to identity: VerifiedIdentity?, by caller: Caller
  ) async throws -> Receipt {
    try await perform(
      caller, load: SnapshotQuery([.uid(id)], in: caller.scope),
      decide: { snapshot, moment in
        var verdict = Verdict(action: .update, accountID: id)
        verdict.details["identity"] = .string(key.description)
        var rules = rules(by: caller, at: moment.now, on: snapshot)
        let right = rules.editable(id, needsRecentLogin: false)
        verdict.trace = rules.trace
        switch right {
        case .failure(let error): verdict.error = error
        case .success(let old) where !old.owns(key):
          verdict.error = .noSuchProvider(key.provider, linked: old.identities)
        case .success(let old):
          if case .refuse(let error)? = rules.refuseReplaced(key, of: old) {
            verdict.error = error
          }
          verdict.trace = rules.trace
          var new = old
          if let identity {
            new.changeIdentity(reachedBy: key) { $0.renew(identity, keepingEmail: true) }
          }
          verdict.changes.update(old, to: new)
        }
        return verdict
      }
    ).receipt
  }
}

extension Caller {
  /// Refuses a dry run or a rehearsal of an operation that reaches beyond the store or uses something up.
  func cannotRehearse(_ what: String) throws(AuthError) {
    guard !isRehearsed else { throw .notRehearsed(what) }
    guard !dryRun else {
      throw AuthError(
        .invalidArgument, "\(what) cannot be rehearsed.", field: "dryRun",
        remedy: "Leave dryRun out.")
    }
  }

  /// The same caller in a dry run.
  fileprivate var asRehearsal: Caller {
    var caller = self
    caller.dryRun = true
    return caller
  }
}
