// Concurrent operations of many writers on one graph, for tests that check the result. Start with `RandomGraph`; imports
// AuthCore and AuthTesting.
package import AuthCore
package import AuthTesting

/// One thing a writer does to the graph.
package enum Operation: Sendable {
  case signIn(Claim)
  case link(Claim, to: AccountID)
  case assert(IdentityKey, to: AccountID)
  case unlink(ProviderID, from: AccountID, force: Bool)
  /// Unlinks what an account has of several providers, all or none.
  case endWaysIn([ProviderID], of: AccountID, force: Bool)
  case merge(keep: AccountID, absorb: AccountID)
  case undo(String, force: Bool)
  /// Makes an account of what another one has of a provider.
  case split(ProviderID, of: AccountID)
  /// Moves what an account has of a provider to another one.
  case move(ProviderID, from: AccountID, to: AccountID)
  /// Undoes a split or a move.
  case undoTransfer(String, force: Bool)
  case setEmail(AccountID, EmailAddress)
  case verifyEmail(AccountID)
  case disable(AccountID, Bool)
  case delete(AccountID)
  case importAccount(AccountID, Claim)
  /// Opens an account by an address and a password.
  case signUp(EmailAddress)
  /// Signs in by an address and its password.
  case enter(EmailAddress)
  /// Sets an account's password, as an admin.
  case setPassword(AccountID)
  /// Resets the password of an address by a code that its mailbox got.
  case reset(EmailAddress)
  /// Gives an account one second factor or takes it away, as an admin.
  case setFactor(AccountID, Bool)

  /// A provider's claims about a person.
  package struct Claim: Sendable {
    package let provider: ProviderID
    package let subject: String
    package let email: EmailAddress?
    package let verified: Bool

    package var key: IdentityKey { IdentityKey(provider, subject: subject) }
    /// True if the claim proves the e-mail address: only one of the two providers is trusted.
    package var isProven: Bool { email != nil && verified && provider == Self.trusted }

    package static let trusted = ProviderID("trusted.example")
    package static let untrusted = ProviderID("untrusted.example")
  }
}

/// The accounts and merges that a writer may pick from.
package struct Population: Sendable {
  package var accounts: [AccountID] = []
  package var merges: [String] = []
  /// The splits and moves.
  package var transfers: [String] = []

  package init() {}
}

extension Operation {
  /// Picks an operation; few subjects and addresses, so that they meet often.
  ///
  /// Of both providers there are fewer subjects than an account may have identities, so that merges never come near that
  /// bound, which the model does not know.
  package static func random(
    _ population: Population, serial: String, using generator: inout SeededGenerator
  ) throws -> Operation {
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
    let claim = try Claim(
      provider: pick(2) == 0 ? Claim.trusted : Claim.untrusted, subject: "s\(pick(48))",
      email: pick(4) == 0 ? nil : EmailAddress("p\(pick(50))@example.com"), verified: pick(3) > 0)
    guard let account = population.accounts.randomElement(using: &generator) else {
      return .signIn(claim)
    }
    let provider = [Claim.trusted, Claim.untrusted, .password][pick(3)]
    let other = population.accounts.randomElement(using: &generator) ?? account
    switch pick(33) {
    case 0...5: return .signIn(claim)
    case 6...8: return .link(claim, to: account)
    case 9: return .assert(claim.key, to: account)
    case 10, 11: return .unlink(claim.provider, from: account, force: pick(3) == 0)
    case 12, 13:
      return .merge(
        keep: account, absorb: population.accounts.randomElement(using: &generator) ?? account)
    case 14:
      guard let merge = population.merges.randomElement(using: &generator) else {
        return .signIn(claim)
      }
      return .undo(merge, force: pick(4) == 0)
    case 15: return .setEmail(account, try EmailAddress("p\(pick(50))@example.com"))
    case 16: return .verifyEmail(account)
    case 17: return .disable(account, pick(3) == 0)
    case 18: return .delete(account)
    case 19, 20: return .signUp(try EmailAddress("p\(pick(50))@example.com"))
    case 21, 22: return .enter(try EmailAddress("p\(pick(50))@example.com"))
    case 23: return .setPassword(account)
    case 24, 25: return .reset(try EmailAddress("p\(pick(50))@example.com"))
    case 26: return .setFactor(account, pick(3) == 0)
    case 27: return .split(provider, of: account)
    case 28, 29: return .move(provider, from: account, to: other)
    case 30:
      guard let transfer = population.transfers.randomElement(using: &generator) else {
        return .split(provider, of: account)
      }
      return .undoTransfer(transfer, force: pick(3) == 0)
    case 31:
      let providers = [provider, pick(2) == 0 ? claim.provider : provider]
      return .endWaysIn(providers, of: account, force: pick(3) == 0)
    default: return .importAccount(AccountID("imported-\(serial)"), claim)
    }
  }

  /// The key of its event before the event's ID is known: imports return no ID, but have a uid each.
  package var notedID: String? {
    if case .importAccount(let id, _) = self { "import \(id)" } else { nil }
  }

  /// The result of an operation: the ID of its event, or the error if it has none, and the session that began.
  package struct Result: Sendable {
    package var event: String?
    package var error: AuthError?
    package var session: OperationRecord.Session?
  }

  /// Performs the operation.
  package func perform(on graph: AccountGraph, in scope: Scope) async throws -> Result {
    do {
      if let entered = try await session(on: graph, in: scope) {
        return Result(
          event: entered.receipt.id, session: entered.session.map(OperationRecord.Session.init))
      }
      return Result(event: try await event(on: graph, in: scope))
    } catch let error as AuthError {
      return Result(event: error.eventID, error: error.eventID == nil ? error : nil)
    }
  }

  /// Performs an operation that begins a session; nil for any other one.
  private func session(on graph: AccountGraph, in scope: Scope) async throws -> SignInResult? {
    let anyone = Caller(scope: scope, authority: .anyone)
    switch self {
    case .signIn(let claim): return try await graph.signIn(claim.credential(graph), by: anyone)
    case .signUp(let email): return try await graph.signUp(Self.password(email, graph), by: anyone)
    case .enter(let email): return try await graph.signIn(Self.password(email, graph), by: anyone)
    default: return nil
    }
  }

  private static func password(
    _ email: EmailAddress, _ graph: AccountGraph
  ) throws -> Credential {
    try graph.providers.credential(.password, ["email": email.text, "password": password])
  }

  private static let password = "a secret"

  private func event(on graph: AccountGraph, in scope: Scope) async throws -> String? {
    let admin = Caller(scope: scope, authority: .admin("test"))
    switch self {
    case .signIn, .signUp, .enter: return nil
    case .setPassword(let account):
      var changes = ProfileChanges()
      changes.password = Secret(Self.password)
      return try await graph.update(account, changes, by: admin).committed
    case .reset(let email):
      let request = ActionCodeRequest(.resetPassword, email: email)
      guard let issued = try await graph.makeActionCode(request, by: admin) else { return nil }
      return try await graph.confirmPasswordReset(
        issued.code.reveal(), newPassword: Secret(Self.password), by: admin
      ).receipt.id
    case .setFactor(let account, let isOn):
      var changes = ProfileChanges()
      changes.secondFactors = isOn ? [SecondFactor(id: "factor", kind: .totp)] : []
      return try await graph.update(account, changes, by: admin).committed
    case .link(let claim, let account):
      return try await graph.link(claim.credential(graph), to: account, by: admin).id
    case .assert(let key, let account):
      return try await graph.assert(key, profile: IdentityProfile(), on: account, by: admin).id
    case .unlink(let provider, let account, let force):
      return try await graph.unlink(provider, from: account, force: force, by: admin).id
    case .endWaysIn(let providers, let account, let force):
      return try await graph.endWaysIn(
        providers.map(\.rawValue), of: account, force: force, by: admin
      ).receipt.id
    case .merge(let keep, let absorb):
      let plan = try await graph.planMerge(keep: keep, absorb: absorb, in: scope)
      return try await graph.commit(plan, by: admin).id
    case .undo(let merge, let force):
      return try await graph.undoMerge(merge, force: force, by: admin).id
    case .split, .move, .undoTransfer: return try await transfer(on: graph, by: admin)
    case .setEmail(let account, let email):
      var changes = ProfileChanges()
      changes.email = .set(email)
      return try await graph.update(account, changes, by: admin).committed
    case .verifyEmail(let account):
      var changes = ProfileChanges()
      changes.emailVerified = true
      return try await graph.update(account, changes, by: admin).committed
    case .disable(let account, let disabled):
      return try await graph.setDisabled(disabled, account, by: admin).committed
    case .delete(let account): return try await graph.delete(account, by: admin).id
    case .importAccount(let id, let claim):
      _ = try await graph.importAccounts(
        [ImportedAccount(account: claim.account(id, in: scope), line: 1)], by: admin)
      return nil
    }
  }
}

extension Operation {
  /// Performs a split, a move or the undo of one; an account without such an identity gives no event.
  private func transfer(on graph: AccountGraph, by admin: Caller) async throws -> String? {
    func key(_ provider: ProviderID, of id: AccountID) async throws -> IdentityKey? {
      try await graph.account(id, in: admin.scope)?.identities(of: provider).first?.key
    }
    switch self {
    case .split(let provider, let id):
      guard let key = try await key(provider, of: id) else { return nil }
      let rules = SplitRules(identities: [key])
      let plan = try await graph.planSplit(id, by: rules, in: admin.scope)
      return try await graph.commit(plan, by: admin).id
    case .move(let provider, let id, let other):
      guard let key = try await key(provider, of: id) else { return nil }
      let plan = try await graph.planMove(key, from: id, to: other, in: admin.scope)
      return try await graph.commit(plan, by: admin).id
    case .undoTransfer(let id, let force):
      return try await graph.undoTransfer(id, force: force, by: admin).id
    default: return nil
    }
  }
}

extension Operation.Claim {
  fileprivate func credential(_ graph: AccountGraph) throws -> Credential {
    var fields = ["subject": subject, "emailVerified": verified ? "true" : "false"]
    fields["email"] = email?.text
    return try graph.providers.credential(provider, fields)
  }

  /// The account that an import brings: its address is never verified, so that several share one.
  fileprivate func account(_ id: AccountID, in scope: Scope) -> Account {
    var account = Account(id: id, scope: scope, createdAt: Timestamp(milliseconds: 1))
    account.email = email
    account.identities = [
      Identity(key: key, origin: .imported, linkedAt: Timestamp(milliseconds: 1))
    ]
    return account
  }
}

extension Receipt {
  /// The ID of the event; nil for an edit that changed nothing.
  fileprivate var committed: String? { isUnchanged ? nil : id }
}
