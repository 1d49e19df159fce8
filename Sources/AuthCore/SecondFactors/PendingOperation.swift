/// A sign-in or a link that waits for a second factor, as it is kept: sealed, until it is used or too old.
struct PendingOperation: Codable, Sendable {
  var request: LinkRequest
  /// Whose second factor is asked for.
  let account: AccountID
  /// Who asked; a link goes on in the same session.
  let authority: Caller.Authority
  /// The mark of that account's sessions when it was asked.
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

  /// How long it waits, in seconds.
  static let lifetime: Int64 = 600

  /// A kept operation with what the one who asked goes on with.
  struct Kept: Sendable {
    let record: OneTimeRecord
    let resolver: MultiFactorResolver
    /// The credential was good for this much.
    let uses: [OneTimeUse]
  }

  static func purpose(_ session: String) -> String { "pending \(session)" }

  /// The mark under which the session goes on that asked, if one did.
  var shownMark: ShownMark {
    if case .session(account, _, _, _) = authority { .of(mark) } else { .untold }
  }
}

extension LinkRequest {
  /// What was verified, where a credential was.
  var identity: VerifiedIdentity? {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity
    case .assert, .unlink: nil
    }
  }

  /// The same request that uses up something else.
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
  /// Keeps an operation under a name until the second factor was shown.
  func keep(
    _ operation: PendingOperation, as session: String, for account: Account, at now: Timestamp
  ) throws -> PendingOperation.Kept {
    let expiresAt = services.quirks.end(now.adding(seconds: PendingOperation.lifetime))
    var kept = operation
    // The credential's uses are used up now; what is left to use is the waiting itself.
    kept.request = operation.request.using(
      services.quirks.uses([OneTimeUse("pending:\(session)", expiresAt: expiresAt)]))
    let sealed = try services.quietSecrets.seal(
      try JSONText.encode(kept), for: PendingOperation.purpose(session))
    return PendingOperation.Kept(
      record: OneTimeRecord(
        id: session, kind: .pending, account: account.id, expiresAt: expiresAt, content: sealed),
      resolver: MultiFactorResolver(
        session: session, hints: account.secondFactors.map(MultiFactorInfo.init),
        expiresAt: expiresAt, account: account.id, provider: operation.request.identity?.provider),
      uses: operation.request.uses)
  }

  /// The operation that waits under a name, and how it may be gone on with.
  ///
  /// Throws `invalid-multi-factor-session` where there is none, it is too old, or it was used.
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
