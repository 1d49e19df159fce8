import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Proposals for duplicates` {
  let home = TestHome()

  private func decisions(_ proposals: [MergeProposal]) -> [String] {
    proposals.map { "\($0.pair.keep)<\($0.pair.absorb) \($0.decision.rawValue)" }
  }

  @Test func `keep the account with the verified address, and then the older one`() async throws {
    try await home.add("old", age: 50)
    try await home.add("proven", verified: true, age: 1, identities: [TestHome.key("1")])
    try await home.add("young")

    let proposals = try await home.proposals()

    #expect(decisions(proposals) == ["proven<old merge", "proven<young merge"])
    #expect(proposals[0].reason == "proven verified p@example.com")
    #expect(proposals[0].key == .email(try EmailAddress("p@example.com")))
    #expect(proposals.allSatisfy { $0.plan != nil && $0.pair.decidedBy == "admin" })
  }

  @Test func `leave an address that nobody verified to an admin`() async throws {
    try await home.add("a", age: 9, identities: [TestHome.key("1")])
    try await home.add("b")

    let proposals = try await home.proposals()

    #expect(decisions(proposals) == ["a<b look"])
    #expect(proposals[0].reason == "nobody verified p@example.com")
  }

  @Test func `leave addresses that are only similar to an admin`() async throws {
    try await home.add(
      "a", email: "jose@example.com", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add(
      "b", email: "josé@example.com", verified: true, identities: [TestHome.key("2")])
    try await home.add("c", email: "jose@example.com")

    let proposals = try await home.proposals(by: .similarEmail)

    #expect(decisions(proposals) == ["a<b look", "a<c merge"])
    #expect(
      proposals[0].reason == "jose@example.com and josé@example.com are similar, not the same")
    #expect(proposals[0].key == nil && proposals[0].plan != nil)
  }

  @Test func `leave a way in that the address does not prove to an admin`() async throws {
    try await home.add("victim", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("thief", identities: [TestHome.key("2", of: TestHome.other)])

    let proposals = try await home.proposals()

    #expect(decisions(proposals) == ["victim<thief look"])
    #expect(
      proposals[0].reason
        == "thief never verified p@example.com, and other.example/2 would open victim")
  }

  @Test func `merge an account whose provider vouches for the address`() async throws {
    try await home.trust(TestHome.other)
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b") { account in
      account.identities = [
        Identity(
          key: TestHome.key("2", of: TestHome.other),
          profile: IdentityProfile(email: "P@example.com"), emailVerified: true,
          origin: .credential, linkedAt: account.createdAt)
      ]
    }
    #expect(decisions(try await home.proposals()) == ["a<b merge"])
  }

  @Test func `leave the password of an unproven account behind`() async throws {
    let address = try EmailAddress("p@example.com")
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b") { account in
      account.identities = [
        Identity(
          key: .password(address), origin: .imported, linkedAt: account.createdAt,
          secret: StoredSecret(encoded: "$hash", changedAt: account.createdAt))
      ]
    }

    let proposals = try await home.proposals()

    #expect(decisions(proposals) == ["a<b merge"])
    #expect(proposals[0].plan?.lostPasswords == [.password(address)])
  }

  @Test func `do not lift a ban, and let no stranger's factor lock a person out`() async throws {
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("banned") { $0.disabled = true }
    // An earlier version left a factor beside an unverified address.
    var account = Account(id: AccountID("guarded"), scope: home.scope, createdAt: home.clock.now)
    account.email = try EmailAddress("p@example.com")
    account.secondFactors = [
      SecondFactor(id: "f", kind: .phone(try PhoneNumber("+15555550123")))
    ]
    let guarded = account
    try await home.store.write { try $0.insert(guarded) }

    let proposals = try await home.proposals()

    #expect(decisions(proposals) == ["a<banned look", "a<guarded look"])
    #expect(proposals[0].reason == "banned is disabled")
    #expect(proposals[1].reason == "the second factor of guarded would guard a")
  }

  @Test func `judge a number by the identity that proves it`() async throws {
    let number = try PhoneNumber("+15555550123")
    // Two accounts of one number are left by earlier versions.
    try await home.add("a", email: nil, age: 9, identities: [.phone(number)]) {
      $0.phoneNumber = number
    }
    var second = Account(id: AccountID("b"), scope: home.scope, createdAt: home.clock.now)
    second.phoneNumber = number
    let other = second
    try await home.store.write { try $0.insert(other) }

    let proposals = try await home.proposals(by: .phone)

    #expect(decisions(proposals) == ["a<b merge"])
    #expect(proposals[0].reason == "a verified +15555550123")
  }

  @Test func `plan each pair on the result of the earlier ones`() async throws {
    try await home.add("a", verified: true, identities: [TestHome.key("1")])
    try await home.add("b", age: 9) { $0.displayName = "B" }
    try await home.add("c", age: 5) { $0.displayName = "C" }

    let proposals = try await home.proposals()

    #expect(proposals[0].plan?.result.displayName == "B")
    #expect(proposals[1].plan?.survivor.displayName == "B")
    #expect(proposals[1].pair.keepState == proposals[0].pair.keepState)
  }

  @Test func `drop what the rules name, and say why a merge is impossible`() async throws {
    let key = TestHome.key("1")
    try await home.add("a", verified: true, age: 9, identities: [key])
    try await home.add("b")

    let proposals = try await home.proposals(rules: MergeRules(droppedIdentities: [key]))

    #expect(decisions(proposals) == ["a<b leave"])
    #expect(proposals[0].reason.contains("no way to sign in"))
    #expect(proposals[0].plan == nil)
  }

  // MARK: Policies

  @Test func `follow a policy, which may turn the pair round`() async throws {
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b", age: 5)
    try await home.add("c", age: 1)
    let turning = ClosurePolicy(answersUnproven: true) { conflict in
      #expect(conflict.code == .emailAlreadyInUse && !conflict.proof.current)
      #expect(conflict.current.createdAt > conflict.existing.createdAt)
      return .merge(into: conflict.current.id, from: conflict.existing.id, MergeRules())
    }
    let turned = try await home.proposals(policy: turning)
    #expect(decisions(turned) == ["b<a merge", "c<b merge"])
    #expect(turned[0].pair.decidedBy == "policy closure")
    let before = try await home.everything()
    try await home.commit(turned, asBatch: "turned")
    #expect(try await home.account(AccountID("a")).id == AccountID("c"))
    try await home.undo(batch: "turned")
    #expect(try await home.everything().map(\.withoutRevision) == before.map(\.withoutRevision))
  }

  @Test func `leave out what a policy refuses, with its reason`() async throws {
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b")
    let proposals = try await home.proposals(policy: ClosurePolicy { _ in .refuse("not today") })
    #expect(decisions(proposals) == ["a<b leave"])
    #expect(proposals[0].reason.contains("not today"))
  }

  @Test func `a policy that fails in the middle leaves that pair to an admin`() async throws {
    for name in ["1", "2", "3"] {
      try await home.add(
        "a\(name)", email: "\(name)@example.com", verified: true, age: 9,
        identities: [TestHome.key(name)])
      try await home.add("b\(name)", email: "\(name)@example.com")
    }
    let policy = ClosurePolicy(answersUnproven: true) { conflict in
      if conflict.existing.id == AccountID("a2") {
        throw AuthError(.invalidPolicy, "attempt to index a nil value")
      }
      return .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
    }
    let proposals = try await home.proposals(policy: policy)
    #expect(proposals.map(\.decision) == [.merge, .look, .merge])
    #expect(!proposals[1].reason.isEmpty)
  }

  @Test func `a policy for proven conflicts does not decide over unproven ones`() async throws {
    let policy = ClosurePolicy {
      .merge(into: $0.existing.id, from: $0.current.id, MergeRules())
    }
    try await home.add("a", age: 9, identities: [TestHome.key("1")])
    try await home.add("b")
    #expect(decisions(try await home.proposals(policy: policy)) == ["a<b look"])
  }

  @Test(arguments: [true, false])
  func `a policy is not asked about a disabled account, or about another conflict`(
    isDisabled: Bool
  ) async throws {
    let policy = ClosurePolicy(
      triggers: isDisabled ? [.emailAlreadyInUse] : [.credentialAlreadyInUse],
      answersUnproven: true
    ) { _ in
      Issue.record("the policy was asked")
      return .refuse("no")
    }
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b") { $0.disabled = isDisabled }
    #expect(
      try await home.proposals(policy: policy).map(\.decision) == [isDisabled ? .look : .leave])
  }

  // MARK: Pairs of a file

  private func pair(_ keep: String, _ absorb: String) async throws -> MergePair {
    MergePair(
      keep: AccountID(keep), absorb: AccountID(absorb),
      keepState: AccountState(try await home.account(AccountID(keep))),
      absorbState: AccountState(try await home.account(AccountID(absorb))))
  }

  @Test func `a changed account is not merged before it is planned anew`() async throws {
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b")
    let pair = try await pair("a", "b")
    try await home.update(AccountID("b")) { $0.displayName = .set("Bo") }

    let changed = try await home.proposals(for: [pair])
    let anew = try await home.proposals(for: [pair], replanning: true)

    #expect(changed.map(\.decision) == [.changed] && changed[0].reason == "b changed since")
    #expect(anew.map(\.decision) == [.merge] && anew[0].reason.contains("planned anew"))
  }

  @Test func `an account made again under the uid is another one`() async throws {
    try await home.add("a", verified: true, age: 9, identities: [TestHome.key("1")])
    try await home.add("b")
    let pair = try await pair("a", "b")
    _ = try await home.graph.delete(AccountID("b"), by: home.admin)
    try await home.add("b")
    #expect(try await home.proposals(for: [pair]).map(\.decision) == [.changed])
  }

  @Test func `accounts that are gone, merged or in another tenant are left out`() async throws {
    for name in ["a", "b", "c"] { try await home.add(name, email: "\(name)@example.com") }
    let pairs = try await [pair("a", "b"), pair("a", "c")]
    _ = try await home.graph.delete(AccountID("b"), by: home.admin)
    try await home.add("d", email: nil, identities: [TestHome.key("1")])
    _ = try await home.graph.commit(
      home.graph.planMerge(keep: AccountID("d"), absorb: AccountID("c"), in: home.scope),
      by: home.admin)
    let tenant = try await home.graph.createTenant(
      "other", in: home.scope.project, settings: ProjectSettings(), by: home.admin)
    let stranger = try await home.graph.create(
      ProfileChanges(), uid: AccountID("stranger"),
      by: Caller(scope: tenant, authority: .admin("ada"))
    ).accountID

    let proposals = try await home.proposals(
      for: pairs + [MergePair(keep: AccountID("a"), absorb: stranger)])

    #expect(proposals.map(\.decision) == [.leave, .leave, .leave])
    #expect(
      proposals.map(\.reason) == [
        "b does not exist", "c was merged into d", "stranger does not exist",
      ])
  }

  @Test func `a cycle merges only its first pair`() async throws {
    try await home.add("a", verified: true, identities: [TestHome.key("1")])
    try await home.add("b")
    let proposals = try await home.proposals(for: [pair("a", "b"), pair("b", "a")])
    #expect(proposals.map(\.decision) == [.merge, .leave])
    #expect(proposals[1].reason == "an earlier pair absorbs b")
  }

  @Test func `an admin may merge strangers, and the proposal shows that they are`() async throws {
    try await home.add("a", email: "a@example.com", identities: [TestHome.key("1")])
    try await home.add("b", email: "b@example.com")
    let pair = try await pair("a", "b")
    let named = try await home.proposals(for: [pair])
    #expect(named.map(\.decision) == [.merge] && named[0].key == nil)
    #expect(named[0].reason == "they share no address and no number")
    // Its state is not that of a list, so it is judged.
    let judged = try await home.proposals(for: [pair], decided: .changed)
    #expect(judged.map(\.decision) == [.look])
  }

  @Test(arguments: [
    MergeRules(),
    MergeRules(
      fields: [.displayName: .newest, .email: .verified, .photoURL: .value(.null)],
      droppedIdentities: [IdentityKey(ProviderID("oidc.x"), issuer: "https://x/", subject: "a/b")]),
    MergeRules(fields: [.customClaims: .value(["a": [1, "b"]])]),
  ])
  func `rules come back from their JSON`(_ rules: MergeRules) throws {
    #expect(try MergeRules(json: JSONValue(text: rules.json.text)) == rules)
  }

  @Test(arguments: [
    "[]", #"{"field":{}}"#, #"{"fields":{"name":"keep"}}"#, #"{"fields":{"email":"union"}}"#,
    #"{"fields":{"email":{"values":1}}}"#, #"{"dropIdentities":["github.com/1"]}"#,
  ])
  func `rules that are none are refused`(_ text: String) throws {
    let json = try JSONValue(text: text)
    #expect(throws: AuthError.self) { try MergeRules(json: json) }
  }

  @Test(arguments: ["r3", "r3-o81985529216486895", "r0-o-7"])
  func `a state comes back from its text`(_ text: String) {
    #expect(AccountState(text)?.description == text)
  }

  @Test(arguments: ["", "3", "r", "r3-o", "r-1", "r3-o99999999999999999999", "r3 "])
  func `a text that is no state is refused`(_ text: String) {
    #expect(AccountState(text) == nil)
  }
}

extension Account {
  /// The account as the first writer left it.
  var withoutRevision: Account {
    var account = self
    account.revision = 0
    return account
  }
}
