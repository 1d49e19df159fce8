extension AccountGraph {
  /// Sends a code or a link that signs in or, for an account, links.
  ///
  /// Throws `operation-not-allowed` where the provider sends nothing, or the caller is not the account;
  /// `too-many-requests`; or what the provider or the sender throws.
  public func sendChallenge(
    _ provider: ProviderID, _ request: ChallengeRequest, by caller: Caller
  ) async throws -> Challenge {
    guard let issuer = try providers.provider(provider) as? any ChallengeIssuing else {
      throw AuthError(
        .operationNotAllowed, "The provider \(provider) sends no codes.", field: "providerID",
        remedy: "Make one of its credentials instead.", step: .credential)
    }
    if let account = request.account, !caller.isAdmin {
      guard case .session(account, _, _) = caller.authority else {
        throw AuthError.notAllowed("Only the account itself or an admin may do this.")
      }
    }
    return try await issuer.issueChallenge(
      request, try await context(for: provider, in: caller.scope))
  }

  /// Tells a vendor that a grant is over; the identity stays linked.
  ///
  /// Throws `operation-not-allowed` where the provider cannot, or what it throws.
  public func revokeToken(
    _ token: RevocationToken, of provider: ProviderID, by caller: Caller
  ) async throws {
    guard let revoking = try providers.provider(provider) as? any Revoking else {
      throw AuthError(
        .operationNotAllowed, "The provider \(provider) cannot revoke tokens.",
        field: "providerID", remedy: "End the grant at the vendor itself.", step: .credential)
    }
    try await revoking.revoke(token, try await context(for: provider, in: caller.scope))
  }

  /// Has a vendor say again who somebody is, with a refresh token, and keeps the profile it gives.
  ///
  /// The link stays as it is where the vendor now speaks of another subject. Throws `user-mismatch` then,
  /// `no-such-provider`, `operation-not-allowed`, or what the provider throws.
  public func refreshIdentity(
    _ key: IdentityKey, of account: AccountID, with refreshToken: Secret<String>,
    by caller: Caller
  ) async throws -> SignInResult {
    guard let refreshing = try providers.provider(key.provider) as? any Refreshing else {
      throw AuthError(
        .operationNotAllowed, "The provider \(key.provider) renews nothing.",
        field: "providerID", remedy: "Sign in again instead.", step: .credential)
    }
    let details: [String: JSONValue] = ["identity": .string(key.description)]
    let identity = try await audited(.signIn, account, details, caller) {
      guard try await self.account(account, in: caller.scope)?.identity(key) != nil else {
        throw AuthError.noSuchProvider(key.provider, linked: [])
      }
      var identity = try await refreshing.refresh(
        refreshToken, of: key, try await context(for: key.provider, in: caller.scope))
      try Self.check(identity, of: refreshing)
      identity.profile = identity.profile.bounded()
      guard identity.key == key else {
        throw AuthError(
          .userMismatch, "The vendor renews the token for another person.",
          remedy: "Sign in again.", step: .token)
      }
      return identity
    }
    let (receipt, verdict) = try await decideLink(.signIn(identity), identity, by: caller)
    return try result(.signIn, verdict, receipt, identity, shown: nil)
  }
}
