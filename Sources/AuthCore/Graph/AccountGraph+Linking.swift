/// What a sign-in gave.
public struct SignInResult: Sendable, Hashable {
  public let account: Account
  public let isNewUser: Bool
  public let receipt: Receipt
}

extension AccountGraph {
  /// Signs in with a credential, opening an account where the identity is new.
  ///
  /// Throws `invalid-credential`, `account-exists-with-different-credential`, `ambiguous`,
  /// `user-disabled`, `second-factor-required` or what the provider throws.
  public func signIn(_ credential: AuthCredential, by caller: Caller) async throws -> SignInResult {
    try await enter(credential, .signIn, by: caller) { .signIn($0) }
  }

  /// Opens an account with a secret that is chosen now, such as an e-mail and a password.
  ///
  /// Throws `email-already-in-use`, `weak-password` or what the provider throws.
  public func signUp(_ credential: AuthCredential, by caller: Caller) async throws -> SignInResult {
    try await enter(credential, .enroll, by: caller) { .signUp($0) }
  }

  /// Links a credential's identity to an account.
  ///
  /// Whose session it is never changes.
  ///
  /// Where another account is in the way, the scope's merge policy may answer with a merge; the receipt
  /// then says `merge`, and names the survivor. Throws `credential-already-in-use`,
  /// `email-already-in-use`, `provider-already-linked`, `requires-recent-login`, `merge-refused` or what
  /// the provider throws.
  public func link(
    _ credential: AuthCredential, to account: AccountID, by caller: Caller
  ) async throws -> Receipt {
    let identity = try await audited(.link, account, credential, caller) {
      try await verify(credential, .enroll, in: caller.scope)
    }
    return try await decideLink(.link(identity, to: account), identity, by: caller).receipt
  }

  /// Links an identity that no credential proves, on an admin's word.
  ///
  /// Throws like ``link(_:to:by:)``, and `invalid-provider-id` for a provider that nobody knows.
  public func assert(
    _ key: IdentityKey, profile: IdentityProfile, on account: AccountID, by caller: Caller
  ) async throws -> Receipt {
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
    var identity = VerifiedIdentity(provider: key.provider, key: key, profile: profile)
    if key.provider == .phone { identity.phoneNumber = try PhoneNumber(key.subject) }
    return try await decideLink(.assert(key, to: account), identity, by: caller).receipt
  }

  /// Takes one identity away from an account.
  ///
  /// Throws `no-such-provider`, `ambiguous` where the account has several and no subject chooses,
  /// `last-sign-in-method` unless forced, or `requires-recent-login`.
  public func unlink(
    _ provider: ProviderID, subject: String? = nil, from account: AccountID, force: Bool = false,
    by caller: Caller
  ) async throws -> Receipt {
    let identity = VerifiedIdentity(provider: provider, key: nil)
    let request = LinkRequest.unlink(provider, subject: subject, from: account, force: force)
    return try await decideLink(request, identity, by: caller).receipt
  }

  private func enter(
    _ credential: AuthCredential, _ purpose: VerificationContext.Purpose, by caller: Caller,
    _ request: (VerifiedIdentity) -> LinkRequest
  ) async throws -> SignInResult {
    let action: Action = purpose == .enroll ? .signUp : .signIn
    let identity = try await audited(action, nil, credential, caller) {
      try await verify(credential, purpose, in: caller.scope)
    }
    let (receipt, verdict) = try await decideLink(request(identity), identity, by: caller)
    guard let account = verdict.account else {
      throw AuthError(.internalError, "The sign-in wrote no account.", step: .commit)
    }
    return SignInResult(
      account: account, isNewUser: !verdict.changes.inserted.isEmpty, receipt: receipt)
  }

  /// Keeps a credential's refusal in the audit; the error then names its event.
  private func audited(
    _ action: Action, _ account: AccountID?, _ credential: AuthCredential, _ caller: Caller,
    _ verify: () async throws -> VerifiedIdentity
  ) async throws -> VerifiedIdentity {
    do {
      return try await verify()
    } catch let error as AuthError {
      _ = try await perform(
        caller, load: { try $0.snapshot([], in: caller.scope) },
        decide: { _, _ in
          var verdict = Verdict(action: action, accountID: account, error: error)
          verdict.details["provider"] = .string(credential.provider.rawValue)
          return verdict
        })
      throw error
    }
  }

  /// Asks the credential's provider whose it is.
  func verify(
    _ credential: AuthCredential, _ purpose: VerificationContext.Purpose, in scope: Scope
  ) async throws -> VerifiedIdentity {
    let provider = try providers.provider(credential.provider)
    let context = VerificationContext(scope: scope, purpose: purpose, now: clock()) { key in
      try await store.read { reader in
        guard let owner = try reader.owner(of: key, in: scope) else { return nil }
        return try reader.account(owner, in: scope)?.identity(key)?.secret
      }
    }
    let identity = try await provider.verify(credential, context)
    if let key = identity.key, key.subject.isEmpty || key.provider != provider.id {
      throw AuthError(
        .invalidCredential, "The provider \(provider.id) named no subject of its own.",
        remedy: "The provider plug-in has to give the immutable subject.", step: .profile)
    }
    return identity
  }

  private func decideLink(
    _ request: LinkRequest, _ identity: VerifiedIdentity, by caller: Caller
  ) async throws -> (receipt: Receipt, verdict: Verdict) {
    let newID = newAccountID()
    return try await perform(
      caller,
      load: { try $0.snapshot(request.keys, in: caller.scope) },
      decide: { snapshot, moment in
        let (decision, trace) = LinkRules.decide(request, by: caller, at: moment.now, snapshot)
        var verdict = Verdict(action: request.action, accountID: request.account, trace: trace)
        if let key = request.identityKey {
          verdict.accountID = request.account ?? snapshot.accounts(.identity(key)).first?.id
          verdict.details["identity"] = .string(key.description)
        }
        let effects = LinkEffects(
          identity: identity, settings: snapshot.settings, now: moment.now)
        carryOut(decision, effects, newID, snapshot, moment, caller, &verdict)
        return verdict
      })
  }
}

extension LinkRequest {
  fileprivate var action: Action {
    switch self {
    case .signIn: .signIn
    case .signUp: .signUp
    case .link: .link
    case .assert: .assert
    case .unlink: .unlink
    }
  }

  fileprivate var account: AccountID? {
    switch self {
    case .signIn, .signUp: nil
    case .link(_, let account), .assert(_, let account), .unlink(_, _, let account, _): account
    }
  }

  fileprivate var identityKey: IdentityKey? {
    switch self {
    case .signIn(let identity), .signUp(let identity), .link(let identity, _): identity.key
    case .assert(let key, _): key
    case .unlink: nil
    }
  }
}
