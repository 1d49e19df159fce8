/// A verified credential in stored form.
struct KeptCredential: Codable {
  var identity: VerifiedIdentity
  /// The only account that it may be linked to, if it was made for one.
  let boundAccount: AccountID?
  /// The ownership of that account when the credential was stored.
  var ownership: Ownership?
  /// The session that has to be named with the token; nil if the token suffices.
  let session: String?

  private enum CodingKeys: String, CodingKey {
    case identity, ownership, session
    case boundAccount = "onlyFor"
  }

  /// A stored credential with its token.
  struct Issued: Sendable {
    let record: OneTimeRecord
    let token: Secret<String>
  }

  static func recordID(_ token: String) -> String { "credential:\(token)" }

  /// Returns the token of a record; nil for a record of another kind.
  static func token(ofRecord id: String) -> String? {
    id.hasPrefix("credential:") ? String(id.dropFirst("credential:".count)) : nil
  }

  static func purpose(_ token: String) -> String { "pending credential \(token)" }
}

/// The request to store a credential after the decision on it.
struct CredentialKeeping: Sendable {
  let credential: VerifiedCredential
  /// Returns true to store it; the argument is the error of a refusal, or nil.
  let isWanted: @Sendable (AuthError?) -> Bool
}

extension AccountGraph {
  /// The lifetime of a stored credential, in seconds.
  public static let pendingCredentialLifetime: Int64 = 600

  /// Stores a verified credential, for use after another sign-in.
  ///
  /// The token works for one success within ``pendingCredentialLifetime``; a refusal does not use it up. Its holder
  /// counts as the person whom the provider named. If a session is given, the same one has to be named with the token.
  ///
  /// - Parameters:
  ///   - verified: the credential.
  ///   - session: a text that identifies the app's instance, or nil.
  /// - Returns: Firebase's `pendingToken`.
  /// - Throws: `invalid-argument` for a session that is longer than ``TextBounds/session``, or an error of the store.
  public func storePendingCredential(
    _ verified: VerifiedCredential, session: String? = nil
  ) async throws -> Secret<String> {
    if let session {
      try TextBounds.session.check(session, "A session's ID", field: "sessionId")
    }
    let ownership = try await store.read { [verified] reader in
      try verified.boundAccount.flatMap { try reader.account($0, in: verified.scope) }?.ownership
    }
    let issued = try issue(verified, ownership: ownership, session: session, at: clock())
    try await store.write { writer in
      try writer.requireTenant(verified.scope)
      try writer.save(issued.record, in: verified.scope)
    }
    return issued.token
  }

  /// Stores the credential of a decision if that was requested, without the one-time values that a success used up.
  func keepCredential(
    of verdict: inout Verdict, on snapshot: Snapshot, at now: Timestamp
  ) throws {
    guard let keeping = verdict.keeping, keeping.isWanted(verdict.error) else { return }
    // No token is given for a change that stands without a session.
    if case .failure? = verdict.session { return }
    var verified = keeping.credential
    let wasUsed = verdict.error == nil
    let holder = verified.boundAccount.flatMap {
      wasUsed ? verdict.changes.account($0, from: snapshot) : snapshot.accounts[$0]
    }
    if wasUsed { verified.identity.uses = [] }
    verdict.kept = try issue(verified, ownership: holder?.ownership, at: now)
  }

  private func issue(
    _ verified: VerifiedCredential, ownership: Ownership?, session: String? = nil, at now: Timestamp
  ) throws -> KeptCredential.Issued {
    let token = RandomText.handle(random)
    let expiresAt = now.adding(seconds: Self.pendingCredentialLifetime)
    let id = KeptCredential.recordID(token)
    var identity = verified.identity
    identity.uses.append(OneTimeUse(id, expiresAt: expiresAt))
    let kept = KeptCredential(
      identity: identity, boundAccount: verified.boundAccount, ownership: ownership,
      session: session)
    return KeptCredential.Issued(
      record: OneTimeRecord(
        id: id, kind: .authorization, expiresAt: expiresAt,
        content: try services.quietSecrets.seal(
          try JSONText.encode(kept), for: KeptCredential.purpose(token))),
      token: Secret(token))
  }

  /// Returns the verified credential of a token.
  ///
  /// Throws `invalid-credential` with the step `state` for a token that is unknown, used, expired, or was issued to
  /// another session. The session that linked with a token can present it again to repeat the link.
  public func pendingCredential(
    _ token: String, session: String? = nil, by caller: Caller
  ) async throws -> VerifiedCredential {
    let now = clock()
    let id = KeptCredential.recordID(token)
    let use = OneTimeUse(id, expiresAt: now)
    let mark = LinkRetry(linking: caller.sessionAccount, by: caller)?.mark(of: use, at: now)
    let record = try await store.read { reader -> OneTimeRecord? in
      let wasUsed = try reader.oneTimeRecord(use.recordID, in: caller.scope) != nil
      let again = try mark.flatMap { try reader.oneTimeRecord($0.recordID, in: caller.scope) }
      guard !wasUsed || again.map({ $0.expiresAt > now }) == true else { return nil }
      return try reader.oneTimeRecord(id, in: caller.scope)
    }
    guard let record, record.kind == .authorization, record.expiresAt > now else {
      throw Self.unknownPendingCredential
    }
    let kept = try JSONText.decode(
      KeptCredential.self,
      try services.quietSecrets.open(record.content, for: KeptCredential.purpose(token)))
    if let bound = kept.session, !bound.equalsInConstantTime(session ?? "") {
      throw Self.unknownPendingCredential
    }
    if let id = kept.boundAccount {
      let account = try await store.read { try $0.account(id, in: caller.scope) }
      guard account?.ownership == kept.ownership else { throw Self.unknownPendingCredential }
    }
    return VerifiedCredential(
      identity: kept.identity, scope: caller.scope, boundAccount: kept.boundAccount)
  }

  private static let unknownPendingCredential = AuthError(
    .invalidCredential, "The token stands for no credential, or is too old.",
    field: "pendingToken", remedy: "Sign in with the provider again.", step: .state)
}
