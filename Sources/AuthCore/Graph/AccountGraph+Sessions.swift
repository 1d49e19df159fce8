/// What a link gave, with the session that goes on.
public struct LinkResult: Sendable {
  /// The account whose session goes on; after a merge the survivor.
  public let account: Account
  public let receipt: Receipt
  public let session: SessionGrant
  /// The uids that a merge absorbed into the account, this operation's only.
  public let mergedFrom: [AccountID]
}

extension AccountGraph {
  /// Links like ``link(_:to:by:)``, and gives the session that the linked credential makes.
  ///
  /// Tokens then carry the credential's provider, as Firebase's do.
  public func linkForSession(
    _ credential: AuthCredential, to account: AccountID, by caller: Caller
  ) async throws -> LinkResult { throw Unfinished() }

  /// The session with which the one that made a change goes on, where the change ended every session.
  ///
  /// The receipt has to be of the caller's own account and operation. The new session counts as begun when the
  /// change was made. Throws like ``renewSession(provider:showing:by:)``.
  public func session(
    after receipt: Receipt, provider: ProviderID, identity: IdentityKey?,
    showing factor: SessionGrant.Factor?, by caller: Caller
  ) async throws -> (account: Account, session: SessionGrant) { throw Unfinished() }

  /// Signs in by a phone number's code; where the number belongs to another account than the one to link,
  /// gives a proof that signs in to that one (Firebase's temporary proof).
  public func makeTemporaryProof(
    for number: PhoneNumber, by caller: Caller
  ) async throws -> (proof: Secret<String>, lifetime: Int64) { throw Unfinished() }

  /// Checks a temporary proof; throws `invalid-verification-code`.
  public func checkTemporaryProof(
    _ proof: Secret<String>, for number: PhoneNumber, by caller: Caller
  ) async throws -> VerifiedIdentity { throw Unfinished() }
}
