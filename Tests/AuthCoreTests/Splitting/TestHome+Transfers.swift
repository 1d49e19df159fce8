import AuthCore
import AuthTesting
import TestSupport

extension TestHome {
  static func other(_ subject: String) -> IdentityKey { key(subject, of: other) }

  /// Makes an account with an address, a password and an identity of each vendor, as two people in one.
  func shared() async throws -> Account {
    let account = try await withPassword("ada@example.com")
    for key in [Self.key("ada"), Self.other("bo")] {
      _ = try await graph.assert(key, profile: IdentityProfile(), on: account.id, by: admin)
    }
    try await update(account.id) {
      $0.displayName = .set("Ada")
      $0.customClaims = .set(try CustomClaims(text: #"{"role":"editor"}"#))
    }
    clock.advance(seconds: 60)
    return try await self.account(account.id)
  }

  func planSplit(
    _ account: AccountID, _ keys: [IdentityKey], _ fields: [SplitField: SplitChoice] = [:],
    uid: AccountID? = nil
  ) async throws -> TransferPlan {
    try await graph.planSplit(
      account, by: SplitRules(identities: keys, fields: fields, uid: uid), in: scope)
  }

  @discardableResult
  func split(
    _ account: AccountID, _ keys: [IdentityKey], _ fields: [SplitField: SplitChoice] = [:],
    uid: AccountID? = AccountID("new")
  ) async throws -> Receipt {
    try await graph.commit(await planSplit(account, keys, fields, uid: uid), by: admin)
  }

  @discardableResult
  func move(
    _ key: IdentityKey, from account: AccountID, to other: AccountID
  ) async throws -> Receipt {
    let plan = try await graph.planMove(key, from: account, to: other, in: scope)
    return try await graph.commit(plan, by: admin)
  }

  /// Returns all accounts without what the end of sessions changes, to compare before and after an undo.
  func rows() async throws -> [Account] {
    try await everything().map(\.withoutEnds)
  }

  /// Returns a session of an account, as a proof that has all its marks.
  func proof(
    _ account: Account, by key: IdentityKey? = nil, factor: SessionGrant.Factor? = nil,
    signedInAt: Timestamp? = nil
  ) -> ProvenSession {
    ProvenSession(
      scope: scope, account: account.id, signedInAt: signedInAt ?? clock.now,
      provider: key?.provider ?? .custom, identity: key, secondFactor: factor,
      mark: .of(account.sessionMark))
  }
}

extension Account {
  /// The account without the count of its ended sessions.
  fileprivate var withoutEnds: Account {
    var account = Account(id: id, scope: scope, createdAt: createdAt)
    account.email = email
    account.emailVerified = emailVerified
    account.displayName = displayName
    account.photoURL = photoURL
    account.phoneNumber = phoneNumber
    account.disabled = disabled
    account.isAnonymous = isAnonymous
    account.customClaims = customClaims
    account.lastSignInAt = lastSignInAt
    account.identities = identities
    account.secondFactors = secondFactors
    account.details = details
    account.details.lastRefreshAt = nil
    return account
  }
}
