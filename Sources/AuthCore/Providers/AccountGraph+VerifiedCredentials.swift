/// A credential that its provider has verified, before anything is done with it.
///
/// Only the graph makes one, so whoever has one has verified it.
public struct VerifiedCredential: Sendable {
  /// What the provider said.
  public internal(set) var identity: VerifiedIdentity
  let scope: Scope
  /// The only account that it may be linked to, where it was made for one.
  let boundAccount: AccountID?
  /// What verifies it again; nil for one that was kept.
  var verification: Verification?
}

extension AccountGraph {
  /// Has a provider say whose a credential is, for what is done with it afterwards.
  ///
  /// Faces that answer with what the provider said, whatever comes of it, verify first. For an account, the
  /// credential is wanted to be linked to it. Throws `operation-not-allowed` for a provider that is closed, or
  /// what the provider throws.
  public func verify(
    _ credential: AuthCredential, linkingTo account: AccountID? = nil,
    with age: SettingsAge = .current, by caller: Caller
  ) async throws -> VerifiedCredential {
    try caller.cannotRehearse("Verifying alone")
    let verification =
      account.map { .toLink(credential, to: $0) }
      ?? Verification(credential, .signIn, action: .signIn)
    return VerifiedCredential(
      identity: try await identity(by: verification, with: age, for: caller), scope: caller.scope,
      boundAccount: credential.boundAccount, verification: verification)
  }

  /// Signs in with what a provider has verified.
  ///
  /// - Parameters:
  ///   - verified: a credential of the caller's scope.
  ///   - knownOnly: whether the identity has to belong to an account already, as when somebody shows once
  ///     more who they are.
  ///   - attributes: what the provider tells the session alone, as a SAML assertion does; or null.
  ///   - keepsCredential: whether the credential is kept for later, as ``storePendingCredential(_:session:)`` does, if
  ///     this succeeds, which is nil, or is refused with an error; the result, or the error, then has the token.
  ///   - caller: who asks.
  /// - Returns: what ``signIn(_:by:)`` does.
  /// - Throws: like ``signIn(_:by:)``, and `user-not-found` where nobody has the identity that has to be known.
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

  /// Decides what is asked with a verified credential.
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

  /// Links what a provider has verified to the caller's own account.
  ///
  /// - Parameters:
  ///   - verified: a credential of the caller's scope.
  ///   - account: the account of the session.
  ///   - factor: the second factor that the session has shown.
  ///   - attributes: what the provider tells the session alone; or null.
  ///   - keepsCredential: as of ``signIn(_:knownOnly:attributes:keepsCredential:by:)``.
  ///   - caller: the account's own session.
  /// - Returns: what ``linkForSession(_:to:showing:by:)`` does.
  /// - Throws: like ``linkForSession(_:to:showing:by:)``.
  public func linkForSession(
    _ verified: VerifiedCredential, to account: AccountID,
    showing factor: SessionGrant.Factor? = nil, attributes: JSONValue = .null,
    keepsCredential: @escaping @Sendable (AuthError?) -> Bool = { _ in false }, by caller: Caller
  ) async throws -> LinkResult {
    try verified.mayBeUsed(for: account, by: caller)
    try attributes.checkSizeOfAttributes()
    guard case .session = caller.authority else {
      throw AuthError.notAllowed("Only the account's own session goes on.")
    }
    let (receipt, verdict) = try await decide(
      verified, giving: CredentialSession(.link, showing: factor, telling: attributes),
      keepingIf: keepsCredential, by: caller
    ) { .link($0, to: account) }
    let linked: SignInResult
    do {
      linked = try result(verdict, receipt)
    } catch let error where (error as? AuthError)?.code == .secondFactorRequired {
      // The emulator links without the second factor, and asks for it before the session goes on.
      linked = try await signIn(
        verified, attributes: attributes,
        by: Caller(scope: caller.scope, authority: .anyone, client: caller.client))
    }
    guard let session = linked.session else { throw AuthError.sessionEnded }
    return LinkResult(
      account: linked.account, receipt: receipt, session: session, mergedFrom: linked.mergedFrom,
      pendingToken: linked.pendingToken)
  }

  /// The accounts that a verified credential leads to as it is: by its identity, and by its e-mail address.
  ///
  /// Of several accounts with the address the one that has it verified.
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
  /// Throws where it was verified in another scope, or for another account than this one.
  fileprivate func mayBeUsed(for account: AccountID?, by caller: Caller) throws(AuthError) {
    try caller.cannotRehearse("A session")
    guard scope == caller.scope, boundAccount == nil || boundAccount == account else {
      throw AuthError(
        .invalidCredential, "The credential was made for another use.",
        remedy: "Begin the sign-in again.", step: .state)
    }
  }
}

extension JSONValue {
  /// What a provider tells the session alone is in each of its tokens; throws `claims-too-large` for more than those
  /// have room for.
  fileprivate func checkSizeOfAttributes() throws(AuthError) {
    guard self != .null, size > 8 << 10 else { return }
    throw AuthError(
      .claimsTooLarge, "What the provider says of the session has more than 8,192 bytes.",
      field: "attributes", remedy: "Have the provider send fewer attributes.", step: .profile)
  }
}
