import AuthCore

/// A client's request, which is the same when it is retried.
enum SimulatedAct: Sendable {
  case signIn(Claim)
  case anonymous
  case signUp(String)
  case enter(String)
  /// Requests a code by mail, which arrives late, twice or never, and sets a password with it.
  case reset(String)
  case link(Claim, SessionGrant)
  case linkPassword(String, SessionGrant)
  case unlink(ProviderID, SessionGrant)
  case setEmail(String?, SessionGrant)
  case changeEmail(String, SessionGrant)
  case renew(SessionGrant)
  case mergeOwn(SessionGrant, into: SessionGrant)
  /// Brings an identity from the account of one session to that of another.
  case moveOwn(Claim, SessionGrant, to: SessionGrant)
  case deleteOwn(SessionGrant)
  case merge(keep: AccountID, absorb: AccountID)
  case undo(String, force: Bool)
  case split(AccountID, ProviderID)
  case move(ProviderID, from: AccountID, to: AccountID)
  case disable(AccountID, Bool)
  case delete(AccountID)
  case oneAccountPerEmail(Bool)
  case trust(Bool)

  /// A vendor's statement on a person.
  struct Claim: Sendable {
    let provider: ProviderID
    let subject: String
    let email: String?
    let isVerified: Bool

    var key: IdentityKey { IdentityKey(provider, subject: subject) }
  }

  var name: String { String("\(self)".prefix { $0 != "(" }) }
}

/// The result of an act: the receipts of its changes, and the session that continues.
struct SimulatedAnswer: Sendable {
  var receipts: [Receipt] = []
  var session: SessionGrant?

  fileprivate init(_ receipt: Receipt? = nil, _ session: SessionGrant? = nil) {
    receipts = [receipt].compactMap(\.self)
    self.session = session
  }
}

extension SimulatedAct {
  /// Picks a client's next act, from few names and addresses, so that conflicts are frequent.
  static func pick(
    _ scheduler: SimulationScheduler, sessions: [SessionGrant], known: CommitLedger.Contents
  ) -> SimulatedAct {
    let email = "m\(scheduler.number(below: 6))@example.com"
    let claim = Claim(
      provider: (scheduler.happens(oneIn: 3) ? Vendor.careless : .honest).id,
      subject: "s\(scheduler.number(below: 8))",
      email: scheduler.happens(oneIn: 4) ? nil : email, isVerified: !scheduler.happens(oneIn: 3))
    let uids = known.accounts.keys.sorted()
    let merges = known.order.filter { known.entries[$0]?.canBeUndone ?? false }
    if let uid = scheduler.pick(uids), scheduler.happens(oneIn: 4) {
      let isOn = scheduler.happens(oneIn: 2)
      switch scheduler.number(below: 13) {
      case 10: return .split(uid, claim.provider)
      case 11: return .move(claim.provider, from: uid, to: scheduler.pick(uids) ?? uid)
      case 12: return .split(uid, .password)
      case 0...2: return .merge(keep: uid, absorb: scheduler.pick(uids) ?? uid)
      case 3...5: return scheduler.pick(merges).map { .undo($0, force: isOn) } ?? .delete(uid)
      case 6: return .disable(uid, scheduler.happens(oneIn: 3))
      case 7: return .delete(uid)
      case 8: return .oneAccountPerEmail(isOn)
      default: return .trust(isOn)
      }
    }
    guard let session = scheduler.pick(sessions), scheduler.number(below: 3) > 0 else {
      switch scheduler.number(below: 12) {
      case 0: return .anonymous
      case 1, 2: return .signUp(email)
      case 3: return .enter(email)
      case 4: return .reset(email)
      default: return .signIn(claim)
      }
    }
    switch scheduler.number(below: 16) {
    case 15: return .moveOwn(claim, scheduler.pick(sessions) ?? session, to: session)
    case 0...3: return .link(claim, session)
    case 4: return .linkPassword(email, session)
    case 5, 6: return .unlink(claim.provider, session)
    case 7: return .setEmail(email, session)
    case 8: return .setEmail(nil, session)
    case 9, 10: return .changeEmail(email, session)
    case 11: return .renew(session)
    case 12, 13: return .mergeOwn(scheduler.pick(sessions) ?? session, into: session)
    default: return .deleteOwn(session)
    }
  }

  /// Tells whether an account is in the state that an acknowledged act requires; nil stands for no account.
  func fits(_ account: Account?) -> Bool {
    switch self {
    case .signIn(let claim), .link(let claim, _): account?.owns(claim.key) ?? false
    case .signUp(let email), .enter(let email), .reset(let email), .linkPassword(let email, _):
      account?.identities(of: .password).contains { $0.key.subject == email } ?? false
    case .unlink(let provider, _): account?.identities(of: provider).isEmpty ?? false
    case .setEmail(let email, _): account != nil && account?.email?.canonical == email
    case .changeEmail(let email, _):
      account?.email?.canonical == email && account?.emailVerified == true
    case .deleteOwn, .delete: account == nil
    case .disable(_, let isOn): account?.disabled == isOn
    case .anonymous, .merge, .mergeOwn, .split, .move, .moveOwn: account != nil
    case .renew, .undo, .oneAccountPerEmail, .trust: true
    }
  }
}

extension SimulatedAct {
  private static let admin = Caller(scope: SimulatedServer.scope, authority: .admin("admin"))
  private static let anyone = Caller(scope: SimulatedServer.scope, authority: .anyone)
  private static let secret = "a secret"

  func perform(
    on graph: AccountGraph, _ scheduler: SimulationScheduler
  ) async throws -> SimulatedAnswer {
    switch self {
    case .signIn(let claim):
      return try await enter(claim.provider, claim.fields, graph)
    case .anonymous: return try await enter(.anonymous, [:], graph)
    case .enter(let email): return try await enter(.password, Self.password(email), graph)
    case .signUp(let email):
      let credential = try graph.providers.credential(.password, Self.password(email))
      let result = try await graph.signUp(credential, by: Self.anyone)
      return SimulatedAnswer(result.receipt, result.session)
    case .reset(let email):
      let request = ActionCodeRequest(.resetPassword, email: try EmailAddress(email))
      return try await byMail(request, by: Self.admin, in: graph, scheduler) { code in
        try await graph.confirmPasswordReset(
          code, newPassword: Secret(Self.secret), by: Self.anyone
        ).receipt
      }
    case .link(let claim, let session):
      return try await link(claim.provider, claim.fields, to: session, in: graph)
    case .linkPassword(let email, let session):
      return try await link(.password, Self.password(email), to: session, in: graph)
    case .unlink(let provider, let session):
      return SimulatedAnswer(
        try await graph.unlink(provider, from: session.account, by: session.caller))
    case .setEmail(let email, let session):
      var update = AccountUpdate()
      update.profile.email = try email.map { .set(try EmailAddress($0)) } ?? .clear
      let result = try await graph.update(session.account, update, by: session.caller)
      return SimulatedAnswer(result.receipt)
    case .changeEmail(let email, let session):
      let request = ActionCodeRequest(.verifyAndChangeEmail, newEmail: try EmailAddress(email))
      return try await byMail(request, by: session.caller, in: graph, scheduler) { code in
        try await graph.applyActionCode(code, by: Self.anyone).receipt
      }
    case .renew(let session):
      let renewed = try await graph.renewSession(
        provider: session.provider, identity: session.identity, showing: nil, by: session.caller)
      return SimulatedAnswer(nil, renewed.session)
    case .mergeOwn(let absorbed, let survivor):
      let result = try await graph.merge(OwnMerge(absorbed.proof, into: survivor.proof))
      return SimulatedAnswer(result.receipt, result.session)
    case .deleteOwn(let session):
      return SimulatedAnswer(try await graph.delete(session.account, by: session.caller))
    case .moveOwn(let claim, let source, let target):
      let credential = try graph.providers.credential(claim.provider, claim.fields)
      let result = try await graph.move(
        credential, by: OwnMove(from: source.proof, to: target.proof))
      return SimulatedAnswer(result.receipt)
    case .merge, .undo, .split, .move, .disable, .delete, .oneAccountPerEmail, .trust:
      return SimulatedAnswer(try await performAsAdmin(on: graph, scheduler))
    }
  }

  private func performAsAdmin(
    on graph: AccountGraph, _ scheduler: SimulationScheduler
  ) async throws -> Receipt? {
    switch self {
    case .merge(let keep, let absorb):
      let plan = try await graph.planMerge(keep: keep, absorb: absorb, in: SimulatedServer.scope)
      await scheduler.pause(atMost: 2_000)
      return try await graph.commit(plan, by: Self.admin)
    case .undo(let merge, let force):
      return try await graph.undo(merge, force: force, by: Self.admin)
    case .split(let id, let provider):
      guard let key = try await Self.key(provider, of: id, graph) else { return nil }
      let plan = try await graph.planSplit(
        id, by: SplitRules(identities: [key]), in: SimulatedServer.scope)
      await scheduler.pause(atMost: 2_000)
      return try await graph.commit(plan, by: Self.admin)
    case .move(let provider, let id, let other):
      guard let key = try await Self.key(provider, of: id, graph) else { return nil }
      let plan = try await graph.planMove(key, from: id, to: other, in: SimulatedServer.scope)
      await scheduler.pause(atMost: 2_000)
      return try await graph.commit(plan, by: Self.admin)
    case .disable(let id, let isOn): return try await graph.setDisabled(isOn, id, by: Self.admin)
    case .delete(let id): return try await graph.delete(id, by: Self.admin)
    case .oneAccountPerEmail(let isOn):
      return try await graph.changeSettings(by: Self.admin) { $0.oneAccountPerEmail = isOn }
    case .trust(let isOn):
      return try await graph.changeSettings(by: Self.admin) {
        $0.trust[Vendor.honest.id] = isOn ? .always : .never
      }
    default: return nil
    }
  }

  private static func key(
    _ provider: ProviderID, of id: AccountID, _ graph: AccountGraph
  ) async throws -> IdentityKey? {
    try await graph.account(id, in: SimulatedServer.scope)?.identities(of: provider).first?.key
  }

  private static func password(_ email: String) -> [String: String] {
    ["email": email, "password": secret]
  }

  private func enter(
    _ provider: ProviderID, _ fields: [String: String], _ graph: AccountGraph
  ) async throws -> SimulatedAnswer {
    let credential = try graph.providers.credential(provider, fields)
    let result = try await graph.signIn(credential, by: Self.anyone)
    return SimulatedAnswer(result.receipt, result.session)
  }

  private func link(
    _ provider: ProviderID, _ fields: [String: String], to session: SessionGrant,
    in graph: AccountGraph
  ) async throws -> SimulatedAnswer {
    let credential = try graph.providers.credential(provider, fields)
    let result = try await graph.linkForSession(
      credential, to: session.account, by: session.caller)
    return SimulatedAnswer(result.receipt, result.session)
  }

  /// Requests a code, and uses it when the mail has arrived: late, twice or never.
  private func byMail(
    _ request: ActionCodeRequest, by caller: Caller, in graph: AccountGraph,
    _ scheduler: SimulationScheduler, _ use: (String) async throws -> Receipt
  ) async throws -> SimulatedAnswer {
    guard let issued = try await graph.makeActionCode(request, by: caller),
      !scheduler.happens(oneIn: 8)
    else { return SimulatedAnswer() }
    await scheduler.pause(atMost: scheduler.happens(oneIn: 4) ? 90_000 : 2_000)
    var answer = SimulatedAnswer(try await use(issued.code.reveal()))
    guard scheduler.happens(oneIn: 4) else { return answer }
    do {
      answer.receipts.append(try await use(issued.code.reveal()))
    } catch is AuthError {
      // The code was used, as the first receipt shows.
    }
    return answer
  }
}

extension SimulatedAct.Claim {
  fileprivate var fields: [String: String] {
    var fields = ["subject": subject, "emailVerified": isVerified ? "true" : "false"]
    fields["email"] = email
    return fields
  }
}

extension CommitLedger.Entry {
  fileprivate var canBeUndone: Bool {
    [.merge, .split, .move].contains(event.action) && event.errorCode == nil
  }
}

extension SessionGrant {
  /// The caller that a token of the session names.
  fileprivate var caller: Caller {
    var caller = Caller(
      scope: SimulatedServer.scope,
      authority: .session(
        account, signedInAt: signedInAt, secondFactor: false, identity: identity))
    caller.mark = .of(mark)
    return caller
  }

  fileprivate var proof: ProvenSession {
    ProvenSession(
      scope: SimulatedServer.scope, account: account, signedInAt: signedInAt, provider: provider,
      identity: identity, secondFactor: nil, mark: .of(mark))
  }
}
