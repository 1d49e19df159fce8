/// What a verified credential is kept as.
struct KeptCredential: Codable {
  var identity: VerifiedIdentity
  /// The only account that it may be linked to, if it was made for one.
  let boundAccount: AccountID?
  /// The ownership that the account had whose it is alone.
  var ownership: Ownership?
  /// What whoever brings the token has to know beside it; nil where the token is enough.
  let session: String?

  private enum CodingKeys: String, CodingKey {
    case identity, ownership, session
    case boundAccount = "onlyFor"
  }

  /// One that is kept, and the token that stands for it.
  struct Issued: Sendable {
    let record: OneTimeRecord
    let token: Secret<String>
  }

  static func recordID(_ token: String) -> String { "credential:\(token)" }

  /// The token of a record; nil for a record of another kind.
  static func token(ofRecord id: String) -> String? {
    id.hasPrefix("credential:") ? String(id.dropFirst("credential:".count)) : nil
  }

  static func purpose(_ token: String) -> String { "pending credential \(token)" }
}

/// The wish to have a credential again that is decided on.
struct CredentialKeeping: Sendable {
  let credential: VerifiedCredential
  /// Whether it is wanted of a success, which is nil, or of a refusal.
  let isWanted: @Sendable (AuthError?) -> Bool
}

extension AccountGraph {
  /// How long a verified credential is kept, in seconds.
  public static let pendingCredentialLifetime: Int64 = 600

  /// Keeps a verified credential, so that what it could not do now can be done after another sign-in.
  ///
  /// The token is good for one success within ``pendingCredentialLifetime``; a refusal does not use it up.
  /// Its holder is believed to be whom the provider named. With a session, the same one has to be named
  /// when the token is brought.
  ///
  /// - Parameters:
  ///   - verified: what is kept.
  ///   - session: whatever tells the app's instance from others, or nil.
  /// - Returns: Firebase's `pendingToken`.
  /// - Throws: `invalid-argument` for a session that is longer than ``TextBounds/session``, or what the store throws.
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

  /// Keeps the credential of a decision if that is wanted; what a success used up is used up by then.
  func keepCredential(
    of verdict: inout Verdict, on snapshot: Snapshot, at now: Timestamp
  ) throws {
    guard let keeping = verdict.keeping, keeping.isWanted(verdict.error) else { return }
    // Nobody gets the token of a change that stands and gives no session.
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

  /// The verified credential that a token stands for.
  ///
  /// Throws `invalid-credential` with the step `state` for a token that nobody gave, that was used or is too
  /// old, or that was given to another session.
  public func pendingCredential(
    _ token: String, session: String? = nil, by caller: Caller
  ) async throws -> VerifiedCredential {
    let now = clock()
    let id = KeptCredential.recordID(token)
    let use = OneTimeUse(id, expiresAt: now)
    let record = try await store.read { reader -> OneTimeRecord? in
      guard try reader.oneTimeRecord(use.recordID, in: caller.scope) == nil else { return nil }
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
