/// A credential that its provider has verified, before it is used.
///
/// Only the graph can make one.
public struct VerifiedCredential: Sendable {
  /// The provider's answer.
  public internal(set) var identity: VerifiedIdentity
  let scope: Scope
  /// The only account that it may be linked to; nil if there is no such bond.
  let boundAccount: AccountID?
  /// The means to verify it again; nil for a credential that was stored.
  var verification: Verification?
}

extension AccountGraph {
  /// Verifies a credential for a later sign-in or link.
  ///
  /// For interfaces whose answer includes the provider's data, whatever the result. Name the account if the credential
  /// is to be linked. Throws `operation-not-allowed` if the provider is closed, or an error of the provider.
  public func verify(
    _ credential: Credential, linkingTo account: AccountID? = nil, by caller: Caller
  ) async throws -> VerifiedCredential {
    try await verify(credential, linkingTo: account, with: .current, by: caller)
  }

  /// Verifies a credential with settings that may be old; a link or sign-in with it compares them.
  package func verify(
    _ credential: Credential, linkingTo account: AccountID? = nil, with age: SettingsAge,
    by caller: Caller
  ) async throws -> VerifiedCredential {
    try caller.cannotRehearse("Verifying alone")
    let verification =
      account.map { .toLink(credential, to: $0) }
      ?? Verification(credential, .signIn, action: .signIn)
    return VerifiedCredential(
      identity: try await identity(by: verification, with: age, for: caller), scope: caller.scope,
      boundAccount: credential.boundAccount, verification: verification)
  }

  /// Signs in with a verified credential.
  ///
  /// - Parameters:
  ///   - verified: a credential of the caller's scope.
  ///   - knownOnly: true if the identity must belong to an account, as in a reauthentication.
  ///   - attributes: the provider's data for this session alone, as from a SAML assertion; or null.
  ///   - keepsCredential: returns true to store the credential as by ``storePendingCredential(_:session:)``; its
  ///     argument is the error of a refusal, or nil. The result or the error then has the token.
  ///   - caller: the client.
  /// - Returns: the same as ``signIn(_:by:)``.
  /// - Throws: like ``signIn(_:by:)``, and `user-not-found` if the identity must be known and is not.
  public func signIn(
    _ verified: VerifiedCredential, knownOnly: Bool = false, attributes: JSONValue = .null,
    keepsCredential: @escaping @Sendable (AuthError?) -> Bool = { _ in false }, by caller: Caller
  ) async throws -> SignInResult {
    try verified.mayBeUsed(for: nil, by: caller)
    try attributes.checkSizeOfAttributes()
    if knownOnly {
      guard try await accounts(matching: verified).owner != nil else {
        throw AuthError.userNotFound
      }
    }
    let (receipt, verdict) = try await decide(
      verified, giving: CredentialSession(.signIn, telling: attributes),
      keepingIf: keepsCredential, by: caller
    ) { .signIn($0) }
    return try result(verdict, receipt)
  }

  /// Decides a request with a verified credential.
  private func decide(
    _ verified: VerifiedCredential, giving session: CredentialSession,
    keepingIf isWanted: @escaping @Sendable (AuthError?) -> Bool, by caller: Caller,
    _ request: (VerifiedIdentity) -> LinkRequest
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    func keeping(_ identity: VerifiedIdentity) -> CredentialKeeping {
      var credential = verified
      credential.identity = identity
      return CredentialKeeping(credential: credential, isWanted: isWanted)
    }
    let identity = verified.identity
    guard let verification = verified.verification else {
      return try await performLink(
        request(identity), giving: session, keeping: keeping(identity), by: caller
      ).get()
    }
    return try await decideLink(
      by: verification, startingWith: identity, giving: session, for: caller, keeping: keeping,
      request)
  }

  /// Links a verified credential to the caller's own account.
  ///
  /// - Parameters:
  ///   - verified: a credential of the caller's scope.
  ///   - account: the account of the session.
  ///   - factor: the second factor that the session has shown.
  ///   - attributes: the provider's data for this session alone; or null.
  ///   - keepsCredential: as in ``signIn(_:knownOnly:attributes:keepsCredential:by:)``.
  ///   - caller: the account's own session.
  /// - Returns: the same as ``linkForSession(_:to:showing:by:)``.
  /// - Throws: like ``linkForSession(_:to:showing:by:)``.
  public func linkForSession(
    _ verified: VerifiedCredential, to account: AccountID,
    showing factor: SessionGrant.Factor? = nil, attributes: JSONValue = .null,
    keepsCredential: @escaping @Sendable (AuthError?) -> Bool = { _ in false }, by caller: Caller
  ) async throws -> LinkResult {
    try verified.mayBeUsed(for: account, by: caller)
    try attributes.checkSizeOfAttributes()
    guard case .session = caller.authority else {
      throw AuthError.noOwnSession
    }
    let (receipt, verdict) = try await decide(
      verified, giving: CredentialSession(.link, showing: factor, telling: attributes),
      keepingIf: keepsCredential, by: caller
    ) { .link($0, to: account) }
    let linked: SignInResult
    do {
      linked = try result(verdict, receipt)
    } catch let error as AuthError
      where error.code == .secondFactorRequired && error.step != .policy
    {
      // The emulator links without the second factor, and requires it before the session continues.
      linked = try await signIn(
        verified, attributes: attributes,
        by: Caller(scope: caller.scope, authority: .anyone, client: caller.client))
    }
    guard let session = linked.session else { throw AuthError.sessionEnded }
    return LinkResult(
      account: linked.account, receipt: receipt, session: session, mergedFrom: linked.mergedFrom,
      pendingToken: linked.pendingToken)
  }

  /// Returns the accounts that a verified credential leads to, by its identity and by its e-mail address.
  ///
  /// If several accounts have the address, the one that has verified it is returned.
  public func accounts(
    matching verified: VerifiedCredential
  ) async throws -> (owner: Account?, sameEmail: Account?) {
    let identity = verified.identity
    let keys = [identity.key.map(AccountKey.identity), identity.email.map(AccountKey.email)]
    let snapshot = try await store.read {
      try $0.snapshot(SnapshotQuery(keys.compactMap { $0 }, in: verified.scope))
    }
    let sharing = identity.email.map { snapshot.accounts(.email($0)) } ?? []
    return (
      identity.key.flatMap { snapshot.accounts(.identity($0)).first },
      sharing.first(where: \.emailVerified) ?? sharing.first
    )
  }
}

extension VerifiedCredential {
  /// Throws if it was verified in another scope, or for another account.
  func mayBeUsed(for account: AccountID?, by caller: Caller) throws(AuthError) {
    try caller.cannotRehearse("A session")
    guard scope == caller.scope, boundAccount == nil || boundAccount == account else {
      throw AuthError(
        .invalidCredential, "The credential was made for another use.",
        remedy: "Begin the sign-in again.", step: .state)
    }
  }
}

extension JSONValue {
  /// Throws `claims-too-large` if the attributes, which every token of the session contains, exceed 8,192 bytes.
  fileprivate func checkSizeOfAttributes() throws(AuthError) {
    guard self != .null, size > 8 << 10 else { return }
    throw AuthError(
      .claimsTooLarge, "The provider's attributes of the session have more than 8,192 bytes.",
      field: "attributes", remedy: "Have the provider send fewer attributes.", step: .profile)
  }
}
