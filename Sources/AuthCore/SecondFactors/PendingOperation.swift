/// A sign-in or a link that waits for a second factor; stored sealed until it is used or expires.
struct PendingOperation: Codable, Sendable {
  var request: LinkRequest
  /// The account whose second factor is requested.
  let account: AccountID
  /// The authority of the caller; a link continues in the same session.
  let authority: Caller.Authority
  /// The mark of the account's sessions at the request.
  var mark: SessionMark?
  let reason: String?

  private enum CodingKeys: String, CodingKey {
    case request, account, authority, reason
    case mark = "ownership"
  }

  init(_ request: LinkRequest, of account: Account, by caller: Caller) {
    self.request = request
    self.account = account.id
    authority = caller.authority
    mark = account.sessionMark
    reason = caller.reason
  }

  /// The lifetime in seconds.
  static let lifetime: Int64 = 600

  /// A stored operation, with the resolver for the client.
  struct Kept: Sendable {
    let record: OneTimeRecord
    let resolver: SecondFactorResolver
    /// The one-time values that the credential used up.
    let uses: [OneTimeUse]
  }

  static func purpose(_ session: String) -> String { "pending \(session)" }

  /// The mark of the requesting session, if there was one.
  var shownMark: ShownMark {
    if case .session(account, _, _, _) = authority { .of(mark) } else { .untold }
  }
}

extension LinkRequest {
  /// The verified identity of the request; nil if it has no credential.
  var identity: VerifiedIdentity? {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity
    case .assert, .unlink: nil
    }
  }

  /// Returns the same request with other one-time values.
  func using(_ uses: [OneTimeUse]) -> LinkRequest {
    guard var identity else { return self }
    identity.uses = uses
    switch self {
    case .signIn: return .signIn(identity)
    case .signUp: return .signUp(identity)
    case .link(_, let account): return .link(identity, to: account)
    case .assert, .unlink: return self
    }
  }
}

extension AccountGraph {
  /// Makes the record of a pending operation, whose credential uses these values up.
  func keep(
    _ operation: PendingOperation, as session: String, for account: Account,
    at now: Timestamp, using uses: [OneTimeUse]
  ) throws -> PendingOperation.Kept {
    let expiresAt = services.quirks.end(now.adding(seconds: PendingOperation.lifetime))
    var kept = operation
    // The credential's one-time values are used up now; completing the operation uses the record itself.
    kept.request = operation.request.using(
      services.quirks.uses([OneTimeUse("pending:\(session)", expiresAt: expiresAt)]))
    let sealed = try services.quietSecrets.seal(
      try JSONText.encode(kept), for: PendingOperation.purpose(session))
    return PendingOperation.Kept(
      record: OneTimeRecord(
        id: session, kind: .pending, account: account.id, expiresAt: expiresAt, content: sealed),
      resolver: SecondFactorResolver(
        session: session, hints: account.secondFactors.map(SecondFactorInfo.init),
        expiresAt: expiresAt, account: account.id, provider: operation.request.identity?.provider),
      uses: uses)
  }

  /// Returns a pending operation that the caller may complete.
  ///
  /// Throws `invalid-multi-factor-session` if there is none, it is expired, or it was used.
  func pending(_ session: String, by caller: Caller) async throws -> PendingOperation {
    let now = clock()
    let record = try await store.read { reader -> OneTimeRecord? in
      let used = OneTimeUse("pending:\(session)", expiresAt: now)
      guard try reader.oneTimeRecord(used.recordID, in: caller.scope) == nil else { return nil }
      return try reader.oneTimeRecord(session, in: caller.scope)
    }
    guard let record, record.kind == .pending, record.expiresAt > now else {
      throw AuthError.invalidMultiFactorSession
    }
    let operation = try JSONText.decode(
      PendingOperation.self,
      try services.quietSecrets.open(record.content, for: PendingOperation.purpose(session)))
    if case .session(let holder, _, _, _) = operation.authority, !caller.isAdmin {
      guard case .session(let current, _, _, _) = caller.authority, current == holder else {
        throw AuthError.invalidMultiFactorSession
      }
    }
    return operation
  }
}
