/// The rules that decide who owns an identity.
///
/// One pure function for all interfaces: it takes a snapshot, a request and the caller, and returns a decision and its
/// trace. The rules are those of Firebase in production, with trust per provider and domain as an admin sets it.
///
/// `LinkRules+SigningIn.swift` decides on sign-ins and take-overs, and `WaysIn` on the last way to sign in.
public enum LinkRules {
  /// Returns the decision on a request, with the trace of the applied rules.
  public static func decide(
    _ request: LinkRequest, by caller: Caller, shown: SecondFactorProof? = nil,
    quirks: EmulatorQuirks = .production, providers: ProviderRegistry? = nil,
    at now: Timestamp, _ snapshot: Snapshot
  ) -> (decision: Decision, trace: Trace) {
    var rules = RuleEvaluation(
      caller: caller, now: now, snapshot: snapshot, quirks: quirks, shown: shown,
      providers: providers)
    if let used = request.uses.first(where: { snapshot.used.contains($0.name) }),
      !rules.isRetried(request), !rules.isRepeated(request)
    {
      rules.trace.note("one-time use", ["what": used.name], "it was used before")
      return (.refuse(.usedBefore), rules.trace)
    }
    if let refusal = rules.refuseClosed(request) { return (refusal, rules.trace) }
    if let refusal = rules.refuseChangedProvider(request) { return (refusal, rules.trace) }
    if let refusal = rules.refuseStopped(request) { return (refusal, rules.trace) }
    let decision =
      switch request {
      case .signIn(let identity): rules.signIn(identity)
      case .signUp(let identity): rules.signUp(identity)
      case .link(let identity, let account): rules.link(identity, to: account)
      case .assert(let key, let account): rules.assert(key, to: account)
      case .unlink(let provider, let subject, let account, let force):
        rules.unlink(provider, subject: subject, from: account, force: force)
      }
    return (rules.refuseSignUp(decision, request) ?? decision, rules.trace)
  }
}

/// One evaluation of the rules, with its trace.
struct RuleEvaluation {
  let caller: Caller
  let now: Timestamp
  let snapshot: Snapshot
  var quirks = EmulatorQuirks.production
  /// The second factor that was shown for this operation.
  var shown: SecondFactorProof?
  /// The registered providers; nil to accept every provider.
  var providers: ProviderRegistry?
  var trace = Trace()

  var settings: ProjectSettings { snapshot.settings }

  func owner(of key: IdentityKey) -> Account? {
    snapshot.accounts(.identity(key)).first
  }

  /// Notes that a key was replaced, and refuses it after the end of its window.
  mutating func refuseReplaced(_ key: IdentityKey, of owner: Account) -> Decision? {
    guard let identity = owner.identity(reachedBy: key), let old = identity.predecessor(key) else {
      return nil
    }
    let isOver = old.until <= now
    trace.note(
      "replaced key",
      [
        "identity": key.description, "by": identity.key.description, "rekey": old.rekey,
        "until": old.until.text,
      ], isOver ? "its window is over" : "it leads to the account until then")
    return isOver ? .refuse(.subjectReplaced) : nil
  }

  /// Tells whether the provider's word on the e-mail counts, and notes the setting that decides it.
  mutating func trusted(_ identity: VerifiedIdentity) -> Bool {
    guard let email = identity.email else { return false }
    let trusted =
      identity.emailVerified
      && quirks.trusts(identity.voucher, for: email, settings.trust)
    trace.note(
      "trust",
      [
        "provider": identity.provider.rawValue, "domain": email.domain,
        "claims verified": identity.emailVerified ? "yes" : "no",
        "setting": quirks.named(
          "trust \(identity.provider) \(settings.trust[identity.provider])"),
      ], trusted ? "its word counts" : "its word does not count")
    return trusted
  }

  /// Admits a sign-in to an account, unless it is disabled or requires a second factor first.
  mutating func admit(
    _ account: Account, _ decision: Decision, by provider: ProviderID
  ) -> Decision {
    if let refusal = refuseDisabled(account) { return refusal }
    let skipsFactor = quirks.skipsFactor(of: provider)
    guard account.secondFactors.isEmpty || skipsFactor || shown(for: account) else {
      trace.note(
        "second factor",
        ["account": account.id.rawValue, "enrolled": "\(account.secondFactors.count)"], "required")
      return .secondFactor(account.id, then: decision)
    }
    return decision
  }

  /// Refuses a disabled account.
  mutating func refuseDisabled(_ account: Account) -> Decision? {
    guard account.disabled else { return nil }
    trace.note("account enabled", ["account": account.id.rawValue], "no: it is disabled")
    return .refuse(.userDisabled)
  }

  /// Tells whether the account's second factor was shown for this operation.
  private mutating func shown(for account: Account) -> Bool {
    guard let shown, shown.account == account.id,
      account.secondFactors.contains(where: { $0.id == shown.factorID })
    else { return false }
    trace.note(
      "second factor", ["account": account.id.rawValue, "factor": shown.factorID], "shown")
    return true
  }

  /// Returns the account to change, after a check that the caller may change it.
  mutating func editable(
    _ id: AccountID, needsRecentLogin: Bool = true
  ) -> Result<Account, AuthError> {
    do throws(AuthError) { try settings.signIn.checkOpen(to: caller) } catch {
      trace.note("sign-in", ["setting": "signIn.isDisabled"], "closed to all but admins")
      return .failure(error)
    }
    guard let account = snapshot.account(id) else { return .failure(.userNotFound) }
    if case .anyone = caller.authority {
      trace.note("authority", ["caller": caller.actor], "needs a session or an admin")
      return .failure(.onlyOwnerOrAdmin)
    }
    guard case .session(let holder, let signedInAt, let secondFactor, let key) = caller.authority
    else {
      trace.note("authority", ["caller": caller.actor, "reason": caller.reason], "an admin may")
      return .success(account)
    }
    guard snapshot.account(holder)?.id == account.id, holder == account.id else {
      trace.note("authority", ["session of": holder.rawValue], "it is another account's session")
      return .failure(
        .notAllowed(
          "A session changes only its own account.", remedy: "Sign in to the account to change."))
    }
    guard !account.disabled else {
      trace.note("account enabled", ["account": account.id.rawValue], "no: it is disabled")
      return .failure(.userDisabled)
    }
    if account.hasEnded(caller.mark, begunAt: signedInAt) {
      trace.note("session valid", ["signed in at": "\(signedInAt.milliseconds)"], "it was ended")
      return .failure(.sessionEnded)
    }
    if let key, quirks.isOver(!account.keepsSession(of: key, begunAt: signedInAt)) {
      trace.note("session valid", ["identity": key.description], "the account has lost it since")
      return .failure(.sessionEnded)
    }
    if quirks.takesSession(of: caller, &trace) { return .success(account) }
    if !account.secondFactors.isEmpty && shown(for: account) {
      // The request that the factor completes was checked for a recent sign-in at its beginning.
      return .success(account)
    }
    let isRecent = now <= signedInAt.adding(seconds: settings.recentLoginSeconds)
    if needsRecentLogin && !account.isAnonymous && !isRecent {
      trace.note(
        "recent login", ["setting": "recentLoginSeconds \(settings.recentLoginSeconds)"],
        "the session is too old")
      return .failure(.requiresRecentLogin)
    }
    if !account.secondFactors.isEmpty && !secondFactor {
      trace.note("second factor", ["account": account.id.rawValue], "the session has not shown it")
      return .failure(.secondFactorRequired)
    }
    trace.note("authority", ["caller": caller.actor], "its own session")
    return .success(account)
  }
}
