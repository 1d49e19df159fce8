/// What a vouched credential is kept as.
struct KeptCredential: Codable {
  var identity: VerifiedIdentity
  let onlyFor: AccountID?
  /// The ownership that the account had whose it is alone.
  var ownership: Ownership?
  /// What whoever brings the token has to know beside it; nil where the token is enough.
  let session: String?

  static func recordID(_ token: String) -> String { "credential:\(token)" }

  /// The token of a record; nil for a record of another kind.
  static func token(ofRecord id: String) -> String? {
    id.hasPrefix("credential:") ? String(id.dropFirst("credential:".count)) : nil
  }

  static func purpose(_ token: String) -> String { "pending credential \(token)" }
}

extension AccountGraph {
  /// How long a vouched credential is kept, in seconds.
  public static let pendingCredentialLifetime: Int64 = 600

  /// Keeps a vouched credential, so that what it could not do now can be done after another sign-in.
  ///
  /// The token is good for one success within ``pendingCredentialLifetime``; a refusal does not use it up.
  /// Its holder is believed to be whom the provider vouched for. With a session, the same one has to be named
  /// when the token is brought.
  ///
  /// - Parameters:
  ///   - vouched: what is kept.
  ///   - wasUsed: whether something came of the credential, so that what it uses up is used up by now.
  ///   - session: whatever tells the app's instance from others, or nil.
  /// - Returns: Firebase's `pendingToken`.
  /// - Throws: `invalid-argument` for a session that is longer than ``TextBounds/session``, or what the store throws.
  public func keep(
    _ vouched: VouchedCredential, wasUsed: Bool, session: String? = nil
  ) async throws -> Secret<String> {
    if let session {
      try TextBounds.session.check(session, "A session's ID", field: "sessionId")
    }
    let token = RandomText.handle(random)
    let now = clock()
    let expiresAt = now.adding(seconds: Self.pendingCredentialLifetime)
    var identity = vouched.identity
    identity.uses =
      (wasUsed ? [] : identity.uses)
      + [OneTimeUse(KeptCredential.recordID(token), expiresAt: expiresAt)]
    let ownership = try await store.read { [vouched] reader in
      try vouched.onlyFor.flatMap { try reader.account($0, in: vouched.scope) }?.ownership
    }
    let kept = KeptCredential(
      identity: identity, onlyFor: vouched.onlyFor, ownership: ownership, session: session)
    let record = OneTimeRecord(
      id: KeptCredential.recordID(token), kind: .authorization, expiresAt: expiresAt,
      content: try services.quietSecrets.seal(
        try JSONText.encode(kept), for: KeptCredential.purpose(token)))
    try await store.write { writer in
      try writer.requireTenant(vouched.scope)
      try writer.save(record, in: vouched.scope)
    }
    return Secret(token)
  }

  /// The vouched credential that a token stands for.
  ///
  /// Throws `invalid-credential` with the step `state` for a token that nobody gave, that was used or is too
  /// old, or that was given to another session.
  public func vouched(
    by token: String, session: String? = nil, by caller: Caller
  ) async throws -> VouchedCredential {
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
    if let id = kept.onlyFor {
      let account = try await store.read { try $0.account(id, in: caller.scope) }
      guard account?.ownership == kept.ownership else { throw Self.unknownPendingCredential }
    }
    return VouchedCredential(
      identity: kept.identity, scope: caller.scope, onlyFor: kept.onlyFor)
  }

  private static let unknownPendingCredential = AuthError(
    .invalidCredential, "The token stands for no credential, or is too old.",
    field: "pendingToken", remedy: "Sign in with the provider again.", step: .state)
}
