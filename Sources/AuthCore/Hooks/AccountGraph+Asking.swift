/// The data about a change that the app's functions receive beside the account.
struct HookQuestion: Sendable {
  /// Firebase's `sign_in_method`.
  let method: ProviderID
  var claims = JSONValue.null
  var factor: SessionGrant.Factor?
  /// True if the change gives a session, so that `before_sign_in` is called too.
  var givesSession = false
}

/// The subject of a question to the app; a different one needs a new answer.
private struct AskedAbout: Hashable {
  let action: Action
  let account: AccountID
  let isNew: Bool
  let related: [AccountID]

  /// Describes a decision that creates an account or opens a session; nil for a refusal.
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
  /// A merge with an account of a person is no upgrade, because the app was asked about that person before.
  var upgrade: AccountID? {
    if let merge, !merge.absorbedBefore.isAnonymous { return nil }
    return updated.first { $0.old.isAnonymous && !$0.new.isAnonymous }?.new.id
  }
}

/// An answer of the app's function, with the kind of its event.
private typealias HookAnswer = (kind: SignInHookEvent.Kind, answer: SignInHookAnswer)

extension AccountGraph {
  /// The maximum number of times the app is asked about a sign-in that other writers keep changing.
  private static let questions = 4

  /// Tells whether the app may decide on the session of this identity, if its settings name a function.
  ///
  /// As in Firebase, an admin's operations, anonymous sign-ins, custom tokens and passkeys are exempt.
  func mayAskApp(of identity: VerifiedIdentity) -> Bool {
    identity.key != nil && identity.account == nil && identity.provider != .passkey
  }

  /// Performs a change, and calls the app's functions before it.
  ///
  /// `before_create` is called if an account becomes a person's: it is new, or was anonymous. `before_sign_in` is
  /// called if the change gives a session. An admin's operations and dry runs are exempt.
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
    // The rules decide again at the commit. If their decision differs from the one that the app was asked about, it is
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
            let before = verdict.account
            verdict.take(answer, of: kind, at: moment.now, snapshot)
            quirks.keepVerification(
              stated: answer.emailVerified, before: before, in: &verdict, on: snapshot)
          }
          return verdict
        })
      guard case .wanting(.app) = done else { return done }
    }
    throw AuthError(
      .tooMuchContention, "The accounts changed each time the app was asked.",
      remedy: "Try again.", step: .commit)
  }

  /// Decides outside the write transaction and asks the app about the decision.
  ///
  /// Returns the question's subject, the answers, and the keys by which the answers affect further accounts.
  private func askBeforehand(
    _ question: HookQuestion, by caller: Caller, load query: SnapshotQuery, decide: Decide
  ) async throws -> (AskedAbout?, [HookAnswer], [AccountKey]) {
    let now = clock()
    let context = OperationContext(
      snapshot: try await store.read { try $0.snapshot(query) },
      moment: Moment(now: now, eventID: newEventID(at: now)), caller: caller)
    let preview = try decide(context.snapshot, context.moment)
    guard let asked = AskedAbout(preview, services.quirks) else { return (nil, [], []) }
    // An address that becomes verified may belong to another account.
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
        account = account.applying(answer.changes, secret: nil, at: context.now)
        answers.append((kind, answer))
      } catch let error as AuthError {
        throw HookVeto(error, to: event)
      }
    }
    return answers
  }

  /// Records a hook's refusal after the steps of the rules, and throws it with its event's ID.
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
      // This includes a script that was valid when it was enabled and is no longer.
      throw AuthError(
        .blockingFunctionError, "A function of the app could not be called.",
        remedy: "Read the server's log, and try again.", step: .decision,
        cause: error as? AuthError ?? AuthError(.internalError, "\(error)", cause: error))
    }
  }
}

/// The refusal or failure of a hook.
private struct HookVeto: Error {
  let kind: SignInHookEvent.Kind
  /// The script, or the URL of the function, that was called.
  let source: String
  let error: AuthError
  /// The description for admins.
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
  /// True if a hook could not be called or gave an invalid answer, and did not refuse.
  fileprivate var isFailureOfHook: Bool {
    code != .blockingFunctionError || step == .exchange || cause != nil
  }
}

extension BlockingFunctions {
  /// The script and URL for a kind of event, as an admin knows them, without a URL's query, which may hold a secret.
  fileprivate func sources(of kind: SignInHookEvent.Kind) -> String {
    let uri = functionURIs[kind.rawValue].map { String($0.prefix { $0 != "?" && $0 != "#" }) }
    return [script?.name, uri].compactMap(\.self).joined(separator: ", ")
  }
}

extension SignInHookAnswer {
  /// The changes that the answer asks for, with an admin's authority.
  fileprivate var changes: ProfileChanges {
    var changes = ProfileChanges(disabled: disabled)
    changes.displayName = displayName
    changes.photoURL = photoURL
    changes.emailVerified = emailVerified
    changes.customClaims = customClaims
    return changes
  }

  /// Checks the session's claims; throws `invalid-claims`, `claims-too-large` or `reserved-claims`.
  fileprivate func checkSessionClaims() throws(AuthError) {
    switch sessionClaims {
    case .null: return
    case .object(let members): _ = try CustomClaims(members)
    default: _ = try CustomClaims(text: sessionClaims.text)
    }
  }

  /// The answer as the audit records it; of claims the names alone.
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
  /// Applies an answer of the app, which was already checked.
  fileprivate mutating func take(
    _ answer: SignInHookAnswer, of kind: SignInHookEvent.Kind, at now: Timestamp,
    _ snapshot: Snapshot
  ) {
    guard var account else { return }
    account = account.applying(answer.changes, secret: nil, at: now)
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
