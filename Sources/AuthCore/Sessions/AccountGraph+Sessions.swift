/// The result of a link, with the session that continues.
public struct LinkResult: Sendable {
  /// The account of the session; after a merge the survivor.
  public let account: Account
  /// The receipt of the link.
  public let receipt: Receipt
  /// The grant for the session's tokens.
  public let session: SessionGrant
  /// The uids that this operation absorbed into the account by a merge.
  public let mergedFrom: [AccountID]
  /// A short-lived stand-in for the credential, if one was requested; Firebase's `pendingToken`.
  public var pendingToken: Secret<String>?
}

extension AccountGraph {
  /// Links like ``link(_:to:by:)``, and opens a session with the linked credential.
  ///
  /// The tokens then name the credential's provider, as in Firebase.
  ///
  /// - Parameters:
  ///   - credential: the credential to link.
  ///   - account: the account of the session.
  ///   - factor: the second factor that the session has shown, which the new one keeps.
  ///   - caller: the account's own session.
  /// - Returns: the account that owns the identity now, with its session; after a merge the survivor's.
  /// - Throws: like ``link(_:to:by:)``, or `blocking-function-error`.
  public func linkForSession(
    _ credential: Credential, to account: AccountID, showing factor: SessionGrant.Factor? = nil,
    by caller: Caller
  ) async throws -> LinkResult {
    try caller.cannotRehearse("A session")
    guard case .session = caller.authority else {
      throw AuthError.noOwnSession
    }
    let (receipt, verdict) = try await decideLink(
      by: .toLink(credential, to: account), giving: CredentialSession(.link, showing: factor),
      for: caller
    ) { .link($0, to: account) }
    let linked = try result(verdict, receipt)
    guard let session = linked.session else { throw AuthError.sessionEnded }
    return LinkResult(
      account: linked.account, receipt: receipt, session: session, mergedFrom: linked.mergedFrom)
  }

  /// Continues a session, as with a refresh token.
  ///
  /// - Parameters:
  ///   - provider: the provider that the session began with.
  ///   - identity: the identity whose credential opened the session; nil if none did.
  ///   - factor: the second factor that the session has shown.
  ///   - claims: the claims of the session, which stay.
  ///   - caller: the session itself.
  /// - Returns: the account as it is now, with the grant for new tokens.
  /// - Throws: `user-token-expired`, also if the account has lost the identity, `user-disabled`, `user-not-found` or
  ///   `second-factor-required`.
  public func renewSession(
    provider: ProviderID, identity: IdentityKey? = nil, showing factor: SessionGrant.Factor?,
    claims: JSONValue = .null, by caller: Caller
  ) async throws -> (account: Account, session: SessionGrant) {
    guard case .session(let id, let signedInAt, _, _) = caller.authority else {
      throw AuthError.notAllowed("There is no session to renew.", remedy: "Sign in first.")
    }
    guard let account = try await account(id, in: caller.scope), account.id == id else {
      throw AuthError.userNotFound
    }
    // Disabling an account also ends its sessions, but this error tells clients the cause.
    guard !account.disabled else { throw AuthError.userDisabled }
    guard !caller.mark.isOver(on: account) else { throw AuthError.sessionEnded }
    let isLost = identity.map { !account.keepsSession(of: $0, begunAt: signedInAt) } ?? false
    guard !services.quirks.isOver(isLost || account.isEnded(begunAt: signedInAt)) else {
      throw AuthError.sessionEnded
    }
    return (
      account,
      try SessionGrant.allow(
        .renewal, account, provider: provider, identity: identity, at: signedInAt, shown: factor,
        claims: claims, quirks: services.quirks)
    )
  }

  /// Exchanges a phone's code for a proof that signs in to the account with the number; Firebase's temporary proof.
  ///
  /// For a link that was refused because another account has the number. The code is used up, and the proof makes a
  /// credential of the provider `phone` with the fields `temporaryProof` and `phoneNumber`. Throws the errors of the
  /// verification, or `invalid-credential` for a credential of another provider.
  public func makeTemporaryProof(
    with credential: Credential, by caller: Caller
  ) async throws -> TemporaryProof {
    try caller.cannotRehearse("A proof")
    guard case .session(let account, _, _, _) = caller.authority else {
      throw AuthError.notAllowed(
        "Only a session that links a phone gets a proof.", remedy: "Sign in first.")
    }
    let identity = try await verifyAllowed(
      Verification(credential, .signIn, action: .link, account: account),
      with: try await settings(of: caller.scope), by: caller)
    guard let number = identity.phoneNumber, identity.provider == .phone else {
      throw AuthError.wrongCredential
    }
    for use in identity.uses { try await self.use(use, in: caller.scope) }
    let issued = try await codes(in: caller.scope, from: caller.client.network).issue(
      TemporaryProof.purpose, for: number.text, .letters, lifetime: TemporaryProof.lifetime)
    return TemporaryProof(
      number: number, text: Secret("\(issued.id).\(issued.code.reveal())"))
  }
}
