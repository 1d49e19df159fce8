/// The result of a sign-in.
public struct SignInResult: Sendable, Hashable {
  /// The account as it is now.
  public let account: Account
  /// True if the sign-in created the account.
  public let isNewUser: Bool
  /// The receipt of the sign-in.
  public let receipt: Receipt
  /// The grant for the session's tokens; nil after a dry run.
  public let session: SessionGrant?
  /// The uids that this operation absorbed into the account by a merge.
  public var mergedFrom: [AccountID] = []
  /// The identities of the provider that the credential's identity replaced; Firebase's `emailRecycled`.
  public var replaced: [IdentityKey] = []
  /// A short-lived stand-in for the credential, if one was requested; Firebase's `pendingToken`.
  public var pendingToken: Secret<String>?
}

extension AccountGraph {
  /// Signs in with a credential, and creates an account if the identity is new.
  ///
  /// Throws `invalid-credential`, `account-exists-with-different-credential`, `ambiguous`, `user-disabled`,
  /// `second-factor-required` with a resolver, or an error of the provider.
  public func signIn(_ credential: Credential, by caller: Caller) async throws -> SignInResult {
    try await enter(
      Verification(credential, .signIn, action: .signIn), as: .signIn, by: caller
    ) { .signIn($0) }
  }

  /// Creates an account with a new secret, such as an e-mail and a password.
  ///
  /// Throws `email-already-in-use`, `weak-password` or an error of the provider.
  public func signUp(_ credential: Credential, by caller: Caller) async throws -> SignInResult {
    try await enter(
      Verification(credential, .enroll, action: .signUp), as: .signUp, by: caller
    ) { .signUp($0) }
  }

  /// Links a credential's identity to an account.
  ///
  /// The session stays that of the account. If another account is in conflict, the scope's merge policy may decide on a
  /// merge. The receipt's action is then `merge`, and its account the survivor. A session that has not shown the
  /// account's second factor gets `second-factor-required` with a resolver, and the link follows when that is resolved.
  ///
  /// Throws `credential-already-in-use`, `email-already-in-use`, `provider-already-linked`, `requires-recent-login`,
  /// `unverified-email`, `unsupported-first-factor`, `merge-refused` or an error of the provider.
  public func link(
    _ credential: Credential, to account: AccountID, by caller: Caller
  ) async throws -> Receipt {
    try await decideLink(by: .toLink(credential, to: account), for: caller) {
      .link($0, to: account)
    }.receipt
  }

  /// Links an identity without a credential, on an admin's word.
  ///
  /// Throws like ``link(_:to:by:)``, and `invalid-provider-id` for an unknown provider.
  public func assert(
    _ key: IdentityKey, profile: IdentityProfile, on account: AccountID, by caller: Caller
  ) async throws -> Receipt {
    try checkAssertion(of: key)
    return try await performLink(.assert(key, to: account), asserting: profile, by: caller)
      .get().receipt
  }

  /// Throws if an identity cannot be asserted.
  func checkAssertion(of key: IdentityKey) throws(AuthError) {
    try key.checkBounds()
    try KnownProviders.check(key.provider, registered: providers.ids)
    guard key.provider != .anonymous, key.provider != .custom, !key.subject.isEmpty else {
      throw AuthError(
        .invalidArgument, "An identity needs a provider and the provider's subject.",
        field: key.subject.isEmpty ? "subject" : "providerID",
        remedy: "Give { providerID = \"github.com\", subject = \"583231\" }.")
    }
    guard key.provider != .password else {
      throw AuthError(
        .invalidArgument, "A password cannot be asserted.", field: "providerID",
        remedy: "Set one with account:update { password = … }.")
    }
  }

  /// Removes one identity from an account.
  ///
  /// Throws `no-such-provider`, `ambiguous` if the account has several and no subject is given, `last-sign-in-method`
  /// unless an admin forces it, or `requires-recent-login`.
  public func unlink(
    _ provider: ProviderID, subject: String? = nil, from account: AccountID, force: Bool = false,
    by caller: Caller
  ) async throws -> Receipt {
    let request = LinkRequest.unlink(provider, subject: subject, from: account, force: force)
    return try await performLink(request, by: caller).get().receipt
  }

  /// Verifies a credential and signs its holder in.
  func enter(
    _ verification: Verification, as path: SignInPath, by caller: Caller,
    _ request: (VerifiedIdentity) -> LinkRequest
  ) async throws -> SignInResult {
    let (receipt, verdict) = try await decideLink(
      by: verification, giving: CredentialSession(path), for: caller, request)
    return try result(verdict, receipt)
  }

  /// Returns the result of a decided sign-in.
  func result(_ verdict: Verdict, _ receipt: Receipt) throws -> SignInResult {
    guard let account = verdict.written, let grant = try verdict.session?.get() else {
      throw AuthError(.internalError, "The sign-in gave no session.", step: .commit)
    }
    return SignInResult(
      account: account, isNewUser: !verdict.changes.inserted.isEmpty, receipt: receipt,
      session: receipt.dryRun ? nil : grant,
      mergedFrom: verdict.mergedFrom, replaced: verdict.replaced,
      pendingToken: verdict.kept?.token)
  }

  /// Asks the app's functions, then decides and commits a request.
  ///
  /// Commits nothing if the identity was verified with other settings than those of the transaction.
  func performLink(
    _ request: LinkRequest, asserting profile: IdentityProfile = IdentityProfile(),
    shown: SecondFactorProof? = nil, giving session: CredentialSession? = nil,
    keeping: CredentialKeeping? = nil, by caller: Caller
  ) async throws -> Performed {
    let identity = try request.shownIdentity(asserting: profile)
    let newID = newAccountID()
    let decide: Decide = { snapshot, moment in
      if identity.wasVerifiedOtherwise(than: snapshot.settings)
        || identity.wasMigratedMeanwhile(in: snapshot, at: moment.now)
      {
        return .wanting(.verification)
      }
      let context = OperationContext(snapshot: snapshot, moment: moment, caller: caller)
      let quirks = services.quirks.under(snapshot.settings)
      var (ruled, trace) = LinkRules.decide(
        request, by: caller, shown: shown, quirks: quirks, providers: knownProviders,
        at: moment.now, snapshot)
      let conflict = decideConflict(of: request, ruled, shown: shown, on: context, noting: &trace)
      if conflict.isWanting { return .wanting(.policy) }
      let decision = quirks.savedEarly(conflict.decision)
      var verdict = plan(
        decision, trace, of: request, identity, newID: newID, giving: session, on: context)
      verdict.details.merge(conflict.details) { _, new in new }
      verdict.shown = identity
      verdict.proofs = RequestProofs(signsIn: request.signsIn, secondFactor: shown != nil)
      if case .secondFactor(let id, _) = decision, let account = snapshot.account(id) {
        verdict.pending = try keep(
          PendingOperation(request, of: account, by: caller), as: RandomText.handle(random),
          for: account, at: moment.now, using: request.unusedOfPending(on: context))
      } else if let session, verdict.error == nil, let account = verdict.account,
        quirks.waits(session, by: identity.provider, for: account)
      {
        verdict.pending = try keep(
          PendingOperation(
            .signIn(identity), of: account, by: Caller(scope: caller.scope, authority: .anyone)),
          as: RandomText.handle(random), for: account, at: moment.now, using: [])
      }
      verdict.keeping = keeping
      return verdict
    }
    let question = HookQuestion(
      method: identity.provider, claims: identity.claims, factor: shown?.factor,
      givesSession: session != nil && mayAskApp(of: identity))
    let now = clock()
    var query = SnapshotQuery(
      request.keys,
      uses: request.uses + request.retryMarks(by: caller, at: now)
        + [request.repetitionMark(by: caller, at: now)].compactMap(\.self),
      in: caller.scope)
    if identity.migratedFrom != nil, let email = identity.email {
      query.uses.append(.left(email, at: now))
    }
    query.newUIDs = [identity.account].compactMap(\.self)
    query.mayConflict = true
    return try await performAsking(
      question, caller, load: query,
      decide: decide)
  }

  /// Plans the change that a decision calls for, and the session that it gives.
  func plan(
    _ decision: Decision, _ trace: Trace, of request: LinkRequest, _ identity: VerifiedIdentity,
    newID: AccountID, giving session: CredentialSession?, on context: OperationContext
  ) -> Verdict {
    var planner = LinkPlanner(
      self, for: identity, on: context, newID: newID,
      beginningWith: request.verdict(on: context.snapshot, trace))
    planner.plan(decision)
    var verdict = planner.verdict
    verdict.changes.uses = request.unused(on: context)
    if let session {
      let quirks = services.quirks.under(context.snapshot.settings)
      let waits = verdict.account.map { quirks.waits(session, by: identity.provider, for: $0) }
      if waits != true {
        verdict.noteTokens(of: identity.key, at: context.now, from: context.snapshot)
      }
      verdict.allow = session.allow(for: identity, quirks)
    }
    return verdict
  }
}

extension VerifiedIdentity {
  /// Makes an asserted identity; throws `invalid-phone-number` for a phone's subject that is not a number.
  init(asserting key: IdentityKey, _ profile: IdentityProfile) throws(AuthError) {
    self.init(provider: key.provider, key: key, profile: profile.bounded())
    if key.provider == .phone { phoneNumber = try PhoneNumber(key.subject) }
  }
}

extension LinkRequest {
  /// Returns the identity of the request, as a credential or an admin presents it.
  func shownIdentity(asserting profile: IdentityProfile) throws(AuthError) -> VerifiedIdentity {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity
    case .assert(let key, _): try VerifiedIdentity(asserting: key, profile)
    case .unlink(let provider, _, _, _): VerifiedIdentity(provider: provider, key: nil)
    }
  }

  /// Returns the initial verdict, with the action and the account.
  fileprivate func verdict(on snapshot: Snapshot, _ trace: Trace) -> Verdict {
    var verdict = Verdict(action: action, accountID: account, trace: trace)
    if let key = identityKey {
      verdict.accountID = account ?? snapshot.accounts(.identity(key)).first?.id
      verdict.details["identity"] = .string(key.description)
    }
    if let old = identity?.migratedFrom { verdict.details["migratedFrom"] = .string(old.rawValue) }
    return verdict
  }

  private var action: Action {
    switch self {
    case .signIn: .signIn
    case .signUp: .signUp
    case .link: .link
    case .assert: .assert
    case .unlink: .unlink
    }
  }

  private var account: AccountID? {
    switch self {
    case .signIn, .signUp: nil
    case .link(_, let account), .assert(_, let account), .unlink(_, _, let account, _): account
    }
  }

  /// True if the request begins a session by its own credential.
  fileprivate var signsIn: Bool {
    switch self {
    case .signIn, .signUp: true
    case .link, .assert, .unlink: false
    }
  }

  private var identityKey: IdentityKey? {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity.key
    case .assert(let key, _): key
    case .unlink: nil
    }
  }
}
