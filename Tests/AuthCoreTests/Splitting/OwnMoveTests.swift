import AuthCore
import AuthTesting
import Testing
import TestSupport

/// A person's own move, which needs a session of each account and a credential of the identity.
@Suite struct `Bringing one's own identity here` {
  /// Two accounts of one person: `here`, and `there` with the identity to bring and another way in.
  struct Pair {
    let home: TestHome
    var here: Account
    var there: Account

    init(_ behavior: EmulatorQuirks = .production) async throws {
      home = TestHome(behavior: behavior)
      here = try await home.signIn(home.credential("here")).account
      there = try await home.signIn(home.credential("there")).account
      _ = try await home.graph.assert(
        key, profile: IdentityProfile(), on: there.id, by: home.admin)
      try await look()
    }

    let key = TestHome.other("mine")
    var credential: Credential {
      get throws { try home.credential("mine", provider: TestHome.other) }
    }

    /// Reads both accounts again.
    mutating func look() async throws {
      here = try await home.account(here.id)
      there = try await home.account(there.id)
    }

    var move: OwnMove { OwnMove(from: home.proof(there), to: home.proof(here)) }
  }

  @Test func `it goes from one to the other, with both proofs in the audit`() async throws {
    let pair = try await Pair()
    let home = pair.home
    let before = try await home.rows()

    let result = try await home.graph.move(pair.credential, by: pair.move)

    #expect(result.account.id == pair.here.id && result.account.owns(pair.key))
    #expect(result.moved == [pair.key])
    #expect(try await home.account(result.account.id) == result.account)
    #expect(try await !home.account(pair.there.id).owns(pair.key))
    let event = try #require(
      try await home.graph.store.read { try $0.event(result.receipt.id, in: home.scope) })
    #expect(event.action == .move && event.accountID == pair.there.id)
    #expect(event.actor == "account:\(pair.here.id)" && event.concernsApps)
    guard case .array(let proofs)? = event.details["proofs"] else {
      throw Failed(description: "There are no proofs.")
    }
    #expect(
      proofs.map { $0["account"]?.stringValue }
        == [pair.here.id.rawValue, pair.there.id.rawValue])
    // Sessions that did not begin with the identity continue on both accounts.
    for account in [pair.here, pair.there] {
      #expect(try await home.account(account.id).sessionMark == account.sessionMark)
    }
    _ = try await home.graph.undo(result.receipt.id, by: home.admin)
    #expect(try await home.rows() == before)
  }

  @Test func `an address goes along, and ends the sessions of the account it leaves`()
    async throws
  {
    let home = TestHome()
    let there = try await home.shared()
    let here = try await home.signIn(home.credential("here")).account
    let email = try EmailAddress("ada@example.com")

    let result = try await home.graph.move(
      home.password(email.text, "first-secret"),
      by: OwnMove(from: home.proof(there), to: home.proof(here)))

    #expect(result.account.email == email && result.account.emailVerified)
    let left = try await home.account(there.id)
    #expect(left.email == nil && left.sessionMark != there.sessionMark)
    #expect(result.receipt.takeBacks.isEmpty)
  }

  enum Side: String, CaseIterable, Sendable { case here, there }

  /// A proof that is missing, with the code of the refusal.
  struct Missing: CustomStringConvertible, Sendable {
    let description: String
    let code: AuthError.Code
    /// Spoils the state or the request.
    let spoil: @Sendable (inout Pair, inout OwnMove) async throws -> Credential

    init(
      _ description: String, _ code: AuthError.Code,
      _ spoil: @escaping @Sendable (inout Pair, inout OwnMove) async throws -> Credential
    ) {
      self.description = description
      self.code = code
      self.spoil = spoil
    }
  }

  private static let missing: [Missing] =
    Side.allCases.flatMap { side in
      let name = side.rawValue
      @Sendable func account(_ pair: Pair) -> Account { side == .here ? pair.here : pair.there }
      return [
        Missing("a session of \(name) that was ended", .userTokenExpired) { pair, _ in
          pair.home.clock.advance(seconds: 5)
          _ = try await pair.home.graph.revokeSessions(of: account(pair).id, by: pair.home.admin)
          return try pair.credential
        },
        Missing("an old session of \(name)", .requiresRecentLogin) { pair, move in
          let start = pair.home.clock.now
          pair.home.clock.advance(seconds: 3600)
          let other = side == .here ? pair.there : pair.here
          let fresh = pair.home.proof(other)
          if side == .here { move.source = fresh } else { move.target = fresh }
          move[side] = pair.home.proof(account(pair), signedInAt: start)
          return try pair.credential
        },
        Missing("a session of \(name) without its second factor", .secondFactorRequired) {
          pair, move in
          let id = account(pair).id
          try await pair.home.update(id) {
            $0.secondFactors = [SecondFactor(id: "f", kind: .totp)]
          }
          try await pair.look()
          move = pair.move
          return try pair.credential
        },
        Missing("a factor of another account for \(name)", .secondFactorRequired) { pair, move in
          try await pair.home.update(account(pair).id) {
            $0.secondFactors = [SecondFactor(id: "f", kind: .totp)]
          }
          try await pair.look()
          move = pair.move
          move[side] = pair.home.proof(
            account(pair), factor: SessionGrant.Factor(kind: "totp", id: "another"))
          return try pair.credential
        },
        Missing("\(name) is disabled", .userDisabled) { pair, _ in
          _ = try await pair.home.graph.setDisabled(
            true, account(pair).id, by: pair.home.admin)
          return try pair.credential
        },
        Missing("\(name) is gone", .userNotFound) { pair, move in
          move[side] = ProvenSession(
            scope: pair.home.scope, account: AccountID("gone"), signedInAt: pair.home.clock.now,
            provider: .custom, identity: nil, secondFactor: nil)
          return try pair.credential
        },
        Missing("\(name) is the uid of an absorbed account", .userNotFound) { pair, move in
          let old = try await pair.home.signIn(pair.home.credential("absorbed")).account
          var rules = MergeRules()
          rules.droppedIdentities = [TestHome.key("absorbed")]
          let plan = try await pair.home.graph.planMerge(
            keep: account(pair).id, absorb: old.id, rules: rules, in: pair.home.scope)
          _ = try await pair.home.graph.commit(plan, by: pair.home.admin)
          try await pair.look()
          move = pair.move
          move[side] = pair.home.proof(old)
          return try pair.credential
        },
        Missing("a session of \(name) by an identity that it lost", .userTokenExpired) {
          pair, move in
          let key = side == .here ? TestHome.key("here") : TestHome.key("there")
          move[side] = pair.home.proof(account(pair), by: key)
          _ = try await pair.home.graph.unlink(
            TestHome.fake, from: account(pair).id, force: true, by: pair.home.admin)
          return try pair.credential
        },
      ]
    } + [
      Missing("the other account is of another tenant", .tenantMismatch) { pair, move in
        move.source = ProvenSession(
          scope: Scope(project: "test", tenant: "tenant"), account: pair.there.id,
          signedInAt: pair.home.clock.now, provider: .custom, identity: nil, secondFactor: nil)
        return try pair.credential
      },
      Missing("no second account", .operationNotAllowed) { pair, move in
        move.source = move.target
        return try pair.credential
      },
      Missing("a credential of nobody", .operationNotAllowed) { pair, _ in
        try pair.home.credential("nobody", provider: TestHome.other)
      },
      Missing("a credential of a third account", .operationNotAllowed) { pair, _ in
        _ = try await pair.home.signIn(
          pair.home.credential("third", provider: TestHome.other))
        return try pair.home.credential("third", provider: TestHome.other)
      },
      Missing("a credential of the account that asks", .operationNotAllowed) { pair, _ in
        try pair.home.credential("here")
      },
      Missing("a credential that the provider refuses", .invalidCredential) { pair, _ in
        try pair.home.password("nobody@example.com", "wrong-secret")
      },
      Missing("a credential without an identity", .operationNotAllowed) { pair, _ in
        try pair.home.graph.providers.credential(.anonymous, [:])
      },
      Missing("the last way into the other account", .lastSignInMethod) { pair, move in
        _ = try await pair.home.graph.unlink(
          TestHome.fake, from: pair.there.id, by: pair.home.admin)
        try await pair.look()
        move = pair.move
        return try pair.credential
      },
      Missing("a second identity of the provider", .providerAlreadyLinked) { pair, move in
        _ = try await pair.home.graph.assert(
          TestHome.other("own"), profile: IdentityProfile(), on: pair.here.id, by: pair.home.admin)
        try await pair.look()
        move = pair.move
        return try pair.credential
      },
      Missing("a provider that is closed", .operationNotAllowed) { pair, _ in
        _ = try await pair.home.graph.changeSettings(by: pair.home.admin) {
          $0.signIn.closedProviders.insert(TestHome.other)
        }
        return try pair.credential
      },
    ]

  @Test(arguments: missing)
  func `each missing proof refuses the move, and nothing changes`(_ missing: Missing) async throws {
    var pair = try await Pair()
    var move = pair.move
    let credential = try await missing.spoil(&pair, &move)
    let before = try await pair.home.everything()
    let request = move
    let home = pair.home
    let error = await expectError(missing.code) {
      try await home.graph.move(credential, by: request)
    }
    #expect(try await home.everything() == before)
    // Whose the identity is, is not revealed.
    #expect(error?.message.contains("third") != true)
  }

  @Test func `a code that was used moves nothing`() async throws {
    let pair = try await Pair()
    let home = pair.home
    let number = try PhoneNumber("+15555550123")
    _ = try await home.graph.link(
      await home.phone(number.text), to: pair.there.id, by: home.session(pair.there.id))
    let used = try await home.phone(number.text)
    _ = try await home.signIn(used)
    let there = try await home.account(pair.there.id)
    let move = OwnMove(from: home.proof(there), to: home.proof(pair.here))
    await expectError {
      try await home.graph.move(used, by: move)
    }
    home.clock.advance(seconds: 60)
    let moved = try await home.graph.move(
      await home.phone(number.text),
      by: OwnMove(from: home.proof(there), to: home.proof(pair.here)))
    #expect(moved.account.phoneNumber == number)
  }
}

extension OwnMove {
  fileprivate subscript(side: `Bringing one's own identity here`.Side) -> ProvenSession {
    get { side == .here ? target : source }
    set { if side == .here { target = newValue } else { source = newValue } }
  }
}
