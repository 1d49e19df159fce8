/// What the app's functions are told about a change beside the account.
struct HookQuestion: Sendable {
  /// Firebase's `sign_in_method`.
  let method: ProviderID
  var claims = JSONValue.null
  var factor: SessionGrant.Factor?
  /// Whether a session comes of it, so that `before_sign_in` is asked too.
  var givesSession = false
}

/// What a function of the app was asked about, as far as another decision needs another answer.
private struct AskedAbout: Hashable {
  let action: Action
  let account: AccountID
  let isNew: Bool
  let related: [AccountID]

  /// Describes a decision that lets somebody in, or makes somebody a person of the app; nil for a refusal.
  init?(_ verdict: Verdict, _ quirks: EmulatorQuirks) {
    guard verdict.error == nil, let account = verdict.account else { return nil }
    action = verdict.action
    self.account = account.id
    isNew =
      verdict.changes.inserted.contains { $0.id == account.id }
      || quirks.asked(verdict.changes.upgrade) != nil
    related = verdict.relatedIDs
  }
}

extension ChangeSet {
  /// The anonymous account that becomes a person's; nil if none does.
  ///
  /// A person that a merge brings along was asked about before.
  var upgrade: AccountID? {
    if let merge, !merge.absorbedBefore.isAnonymous { return nil }
    return updated.first { $0.old.isAnonymous && !$0.new.isAnonymous }?.new.id
  }
}

/// What a function of the app answered.
private typealias HookAnswer = (kind: SignInHookEvent.Kind, answer: SignInHookAnswer)

extension AccountGraph {
  /// How often the app is asked about one sign-in that other writers change meanwhile.
  private static let questions = 4

  /// Whether the app may have a say in the session that this identity gives, where its settings name a function.
  ///
  /// As in Firebase, not where an admin asks, nor for anonymous sign-ins, custom tokens and passkeys.
  func mayAskApp(of identity: VerifiedIdentity) -> Bool {
    identity.key != nil && identity.account == nil && identity.provider != .passkey
  }

  /// Performs a change, and asks the app's functions before it.
  ///
  /// `before_create` is asked where an account becomes a person's: it is opened, or was anonymous until now. `before_sign_in` is
  /// asked where a session comes of it. An admin is not asked about, nor a rehearsal.
  func performAsking(
    _ question: HookQuestion, _ caller: Caller, load query: SnapshotQuery,
    decide: @escaping Decide
  ) async throws -> Performed {
    let quirks = services.quirks
    let mayAsk = !(services.hooks is NoHooks) && !caller.isAdmin && !caller.dryRun
    let unasked = try await performUnlessWanting(
      caller, load: query,
      decide: { snapshot, moment in
        let functions = snapshot.settings.signIn.blockingFunctions
        let concerns = mayAsk && services.hooks.isInterested(in: functions)
        if concerns && question.givesSession { return .wanting(.app) }
        let verdict = try decide(snapshot, moment)
        let isUpgrade = quirks.asked(verdict.changes.upgrade) != nil
        return concerns && verdict.error == nil && isUpgrade ? .wanting(.app) : verdict
      })
    guard case .wanting(.app) = unasked else { return unasked }
    // The rules decide again when it is committed. If they then say another thing than the app was asked about, it is
    // asked again.
    for _ in 0..<Self.questions {
      let (asked, answers, further) = try await askBeforehand(
        question, by: caller, load: query, decide: decide)
      let done = try await performUnlessWanting(
        caller, load: query.and(further),
        decide: { snapshot, moment in
          var verdict = try decide(snapshot, moment)
          if verdict.wanted != nil { return verdict }
          guard AskedAbout(verdict, quirks) == asked else { return .wanting(.app) }
          for (kind, answer) in answers where verdict.error == nil {
            verdict.take(answer, of: kind, at: moment.now, snapshot)
          }
          return verdict
        })
      guard case .wanting(.app) = done else { return done }
    }
    throw AuthError(
      .tooMuchContention, "The accounts changed each time the app was asked.",
      remedy: "Try again.", step: .commit)
  }

  /// Decides beside the writers and asks the app about that, outside of every transaction.
  ///
  /// Gives what it was asked about, its answers, and the keys by which these find more accounts.
  private func askBeforehand(
    _ question: HookQuestion, by caller: Caller, load query: SnapshotQuery, decide: Decide
  ) async throws -> (AskedAbout?, [HookAnswer], [AccountKey]) {
    let now = clock()
    let context = OperationContext(
      snapshot: try await store.read { try $0.snapshot(query) },
      moment: Moment(now: now, eventID: newEventID(at: now)), caller: caller)
    let preview = try decide(context.snapshot, context.moment)
    guard let asked = AskedAbout(preview, services.quirks) else { return (nil, [], []) }
    // An address that becomes verified may be somebody else's.
    let further = preview.account?.email.map { [AccountKey.email($0)] } ?? []
    do {
      let answers = try await ask(question, about: preview, isNew: asked.isNew, on: context)
      return (asked, answers, further)
    } catch let veto as HookVeto {
      try await keep(veto, against: preview, of: asked.account, caller)
    }
  }

  private func ask(
    _ question: HookQuestion, about preview: Verdict, isNew: Bool, on context: OperationContext
  ) async throws -> [HookAnswer] {
    guard var account = preview.account else { return [] }
    let caller = context.caller
    var kinds: [SignInHookEvent.Kind] = isNew ? [.beforeCreate] : []
    if question.givesSession { kinds.append(.beforeSignIn) }
    var answers: [HookAnswer] = []
    for kind in kinds {
      let event = SignInHookEvent(
        kind: kind, scope: caller.scope, account: account, signInMethod: question.method.rawValue,
        secondFactor: question.factor, claims: question.claims,
        functions: context.snapshot.settings.signIn.blockingFunctions, client: caller.client)
      do {
        guard let answer = try await answer(to: event) else { continue }
        try answer.changes.check()
        if kind == .beforeSignIn { try answer.checkSessionClaims() }
        account = try account.applying(answer.changes, secret: nil, at: context.now)
        answers.append((kind, answer))
      } catch let error as AuthError {
        throw HookVeto(error, to: event)
      }
    }
    return answers
  }

  /// Keeps why a hook let nobody in, behind the rules that would have, and throws the refusal with its event's ID.
  private func keep(
    _ veto: HookVeto, against preview: Verdict, of account: AccountID, _ caller: Caller
  ) async throws -> Never {
    _ = try await perform(
      caller, load: SnapshotQuery(in: caller.scope),
      decide: { _, _ in
        var verdict = Verdict(
          action: preview.action, accountID: account, relatedIDs: preview.relatedIDs,
          error: veto.error)
        verdict.details = preview.details
        verdict.details["hook"] = .string(veto.detail)
        verdict.trace = preview.trace
        verdict.trace.note(
          "the app's \(veto.kind.rawValue)", ["account": account.rawValue, "asked": veto.source],
          veto.detail)
        return verdict
      })
    throw veto.error
  }

  private func answer(to event: SignInHookEvent) async throws -> SignInHookAnswer? {
    do {
      return try await services.hooks.answer(event)
    } catch let error as AuthError where error.code != .invalidPolicy {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      // Also a script that was good when it was put to use, and is no longer.
      throw AuthError(
        .blockingFunctionError, "A function of the app could not be asked.",
        remedy: "Look into the log, and try again.", step: .decision,
        cause: error as? AuthError ?? AuthError(.internalError, "\(error)", cause: error))
    }
  }
}

/// A hook's refusal, or its failure.
private struct HookVeto: Error {
  let kind: SignInHookEvent.Kind
  /// The script, or the address of the function, that was asked.
  let source: String
  let error: AuthError
  /// What an admin reads.
  let detail: String

  init(_ error: AuthError, to event: SignInHookEvent) {
    kind = event.kind
    source = event.functions.sources(of: event.kind)
    guard error.isFailureOfHook else {
      self.error = error
      detail = (["refused: \(error.message)"] + [error.remedy].compactMap(\.self))
        .joined(separator: " ")
      return
    }
    let failure = AppScriptFailure(.hook, event.kind.rawValue, error, from: source)
    var refusal = error
    refusal.cause = failure
    self.error = refusal
    detail = "failed: \(failure.message)"
  }
}

extension AuthError {
  /// Whether a hook could not be asked or said what cannot be, rather than refused.
  fileprivate var isFailureOfHook: Bool {
    code != .blockingFunctionError || step == .exchange || cause != nil
  }
}

extension BlockingFunctions {
  /// What may be asked of a kind, as an admin knows it; an address without what may hold a secret.
  fileprivate func sources(of kind: SignInHookEvent.Kind) -> String {
    let uri = functionURIs[kind.rawValue].map { String($0.prefix { $0 != "?" && $0 != "#" }) }
    return [script?.name, uri].compactMap(\.self).joined(separator: ", ")
  }
}

extension SignInHookAnswer {
  /// What it wants changed, as an admin would.
  fileprivate var changes: ProfileChanges {
    var changes = ProfileChanges(disabled: disabled)
    changes.displayName = displayName
    changes.photoURL = photoURL
    changes.emailVerified = emailVerified
    changes.customClaims = customClaims
    return changes
  }

  /// Throws `invalid-claims`, `claims-too-large` or `reserved-claims`.
  fileprivate func checkSessionClaims() throws(AuthError) {
    switch sessionClaims {
    case .null: return
    case .object(let members): _ = try CustomClaims(members)
    default: _ = try CustomClaims(text: sessionClaims.text)
    }
  }

  /// What the audit keeps: of claims the names.
  fileprivate var shown: JSONValue {
    var shown: [String: JSONValue] = [:]
    if displayName != .leave { shown["displayName"] = .optional(displayName.applied(to: nil)) }
    if photoURL != .leave { shown["photoURL"] = .optional(photoURL.applied(to: nil)) }
    if let emailVerified { shown["emailVerified"] = .bool(emailVerified) }
    if let disabled { shown["disabled"] = .bool(disabled) }
    if customClaims != .leave {
      shown["customClaims"] = .names(of: .object(customClaims.applied(to: nil)?.members ?? [:]))
    }
    if sessionClaims != .null { shown["sessionClaims"] = .names(of: sessionClaims) }
    return .object(shown)
  }
}

extension JSONValue {
  fileprivate static func names(of value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return .null }
    return .array(members.keys.sorted().map(JSONValue.string))
  }
}

extension Verdict {
  /// Takes over what the app said; it was checked when it came.
  fileprivate mutating func take(
    _ answer: SignInHookAnswer, of kind: SignInHookEvent.Kind, at now: Timestamp,
    _ snapshot: Snapshot
  ) {
    guard var account else { return }
    do throws(AuthError) {
      account = try account.applying(answer.changes, secret: nil, at: now)
    } catch {
      self.error = error
      return
    }
    if answer.emailVerified == true, let email = account.email,
      !snapshot.owners(of: email, beside: [account.id] + relatedIDs, shown: .mailbox).isEmpty
    {
      error = .emailAlreadyInUse
      return
    }
    become(account, from: snapshot)
    if kind == .beforeSignIn, answer.sessionClaims != .null { sessionClaims = answer.sessionClaims }
    details[kind.rawValue] = answer.shown
    trace.note("the app's \(kind.rawValue)", ["account": account.id.rawValue], "answered")
  }
}
