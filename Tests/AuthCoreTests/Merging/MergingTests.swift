import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct Merging {
  let home = TestHome()

  /// Makes two accounts with names, claims and an identity each.
  private func pair() async throws -> (keep: Account, absorb: Account) {
    let keep = try await home.signIn(home.credential("1", email: "a@example.com", name: "Ada"))
      .account
    home.clock.advance(seconds: 60)
    let absorb = try await home.signIn(
      home.credential("9", email: "b@example.com", provider: TestHome.other, name: "A. L.")
    ).account
    try await home.update(keep.id) {
      $0.customClaims = .set(try CustomClaims(text: #"{"role":"editor","x":1}"#))
    }
    try await home.update(absorb.id) {
      $0.customClaims = .set(try CustomClaims(text: #"{"beta":true,"x":2}"#))
    }
    return (try await home.account(keep.id), try await home.account(absorb.id))
  }

  @Test func `a plan writes nothing, its commit everything`() async throws {
    let (keep, absorb) = try await pair()
    let before = try await home.everything()
    let plan = try await home.graph.planMerge(
      keep: keep.id, absorb: absorb.id, rules: MergeRules(fields: [.customClaims: .union]),
      in: home.scope)
    #expect(try await home.everything() == before)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    let merged = try await home.account(absorb.id)
    #expect(merged.id == keep.id)
    #expect(merged.customClaims?.members == ["role": "editor", "x": 1, "beta": true])
    #expect(merged.displayName == "Ada")
    #expect(merged.identities.count == 2)
    #expect(receipt.action == .merge)
    let entered = try await home.signIn(home.credential("9", provider: TestHome.other))
    #expect(entered.account.id == keep.id)
  }

  @Test(arguments: [
    (FieldRule.keep, "Ada"), (.theirs, "A. L."), (.oldest, "Ada"), (.newest, "A. L."),
    (.value("Ada Lovelace"), "Ada Lovelace"),
  ])
  func `a field rule decides its field`(rule: FieldRule, expected: String) async throws {
    let (keep, absorb) = try await pair()
    let plan = try await home.graph.planMerge(
      keep: keep.id, absorb: absorb.id, rules: MergeRules(fields: [.displayName: rule]),
      in: home.scope)
    #expect(plan.result.displayName == expected)
  }

  @Test func `undoing restores both accounts exactly`() async throws {
    let (keep, absorb) = try await pair()
    let before = try await home.everything()
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    let after = try await home.everything()
    #expect(after.map(\.id) == before.map(\.id))
    for (old, new) in zip(before, after) {
      var old = old
      old.revision = new.revision
      #expect(old == new)
    }
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, by: home.admin)
    }
  }

  @Test func `undoing ends the sessions that began since`() async throws {
    let (keep, absorb) = try await pair()
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    home.clock.advance(seconds: 5)
    let entered = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    let session = home.session(entered.id)
    home.clock.advance(seconds: 5)
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    await expectError(.userTokenExpired) { try await home.graph.delete(keep.id, by: session) }
    #expect(try await home.account(keep.id).displayName == "Ada")
  }

  @Test func `the result has the first creation and the last sign-in`() async throws {
    let (keep, absorb) = try await pair()
    home.clock.advance(seconds: 60)
    _ = try await home.signIn(home.credential("1"))
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    #expect(plan.result.lastSignInAt == home.clock.now)
    #expect(plan.result.createdAt == keep.createdAt)
  }

  @Test func `an absorbed uid is neither deleted, disabled nor given to another`() async throws {
    let (keep, absorb) = try await pair()
    _ = try await home.graph.commit(
      home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope), by: home.admin)
    await expectError(.invalidArgument) { try await home.graph.delete(absorb.id, by: home.admin) }
    await expectError(.invalidArgument) {
      try await home.graph.setDisabled(true, absorb.id, by: home.admin)
    }
    _ = try await home.graph.delete(keep.id, by: home.admin)
    #expect(try await home.graph.account(absorb.id, in: home.scope) == nil)
    // Both uids are free again, and a new account under one gets nothing of the other.
    _ = try await home.graph.create(ProfileChanges(), uid: keep.id, by: home.admin)
    #expect(try await home.graph.account(absorb.id, in: home.scope) == nil)
  }

  @Test func `undoing refuses to lose a later change, unless forced`() async throws {
    let (keep, absorb) = try await pair()
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    let receipt = try await home.graph.commit(plan, by: home.admin)
    try await home.update(keep.id) { $0.displayName = .set("Countess") }
    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, by: home.admin)
    }
    #expect(error?.message.contains("displayName") == true)
    _ = try await home.graph.undoMerge(receipt.id, force: true, by: home.admin)
    #expect(try await home.account(keep.id).displayName == "Ada")
  }

  @Test func `the later of two merges is undone first`() async throws {
    let (keep, absorb) = try await pair()
    let third = try await home.signIn(home.credential("3")).account
    let first = try await home.graph.commit(
      home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope), by: home.admin)
    let second = try await home.graph.commit(
      home.graph.planMerge(keep: keep.id, absorb: third.id, in: home.scope), by: home.admin)
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(first.id, force: true, by: home.admin)
    }
    _ = try await home.graph.undoMerge(second.id, by: home.admin)
    _ = try await home.graph.undoMerge(first.id, by: home.admin)
    #expect(try await home.everything().count == 3)
  }

  @Test func `undoing refuses if a third account took an identity`() async throws {
    let (keep, absorb) = try await pair()
    let receipt = try await home.graph.commit(
      home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope), by: home.admin)
    _ = try await home.graph.unlink(TestHome.other, from: keep.id, by: home.admin)
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, force: true, by: home.admin)
    }
    #expect(error?.message.contains("other.example/9") == true)
  }

  @Test func `a plan is outdated after a change`() async throws {
    let (keep, absorb) = try await pair()
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    try await home.update(keep.id) { $0.displayName = .set("Countess") }
    await expectError(.planOutdated) { try await home.graph.commit(plan, by: home.admin) }
  }

  @Test func `an account is not merged with itself, nor with its own alias`() async throws {
    let (keep, absorb) = try await pair()
    await expectError(.mergeRefused) {
      try await home.graph.planMerge(keep: keep.id, absorb: keep.id, in: home.scope)
    }
    _ = try await home.graph.commit(
      home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope), by: home.admin)
    await expectError(.invalidArgument) {
      try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    }
  }

  @Test func `a policy answers a conflict with a merge`() async throws {
    let policy = ClosurePolicy { conflict in
      guard conflict.proof.both else { return .refuse("needs proof of both accounts") }
      return .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
    }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let current = try await home.signIn(home.credential("1")).account
    let existing = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    let receipt = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id))
    #expect(receipt.action == .merge && receipt.accountID == existing.id)
    #expect(try await home.account(current.id).id == existing.id)
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    #expect(try await home.account(current.id).id == current.id)
  }

  @Test(arguments: [true, false])
  func `a policy is not asked about an account with a second factor, or a disabled one`(
    guarded: Bool
  ) async throws {
    let policy = ClosurePolicy {
      .merge(into: $0.existing.id, from: $0.current.id, MergeRules())
    }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let current = try await home.signIn(home.credential("1")).account
    var existing = Account(id: AccountID("other"), scope: home.scope, createdAt: home.clock.now)
    existing.identities = [
      Identity(
        key: IdentityKey(TestHome.other, subject: "9"), origin: .imported, linkedAt: home.clock.now)
    ]
    existing.disabled = !guarded
    if guarded { existing.secondFactors = [SecondFactor(id: "f", kind: .totp)] }
    _ = try await home.graph.importAccounts(
      [ImportedAccount(account: existing, line: 1)], by: home.admin)
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(
        home.credential("9", provider: TestHome.other), to: current.id, by: home.session(current.id)
      )
    }
    #expect(try await home.everything().count == 2)
  }

  @Test func `a client gets the conflict it knows, and an admin the policy's reason`() async throws
  {
    let policy = ClosurePolicy { _ in .refuse("not today") }
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let current = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    let linking = try home.credential("9", provider: TestHome.other)
    let told = await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(linking, to: current.id, by: home.session(current.id))
    }
    #expect(told?.description.contains("not today") == false)
    let event = try await home.graph.event(#require(told?.eventID), in: home.scope)
    #expect(event.details["policy"]?.stringValue?.contains("not today") == true)
    let error = await expectError(.mergeRefused) {
      try await home.graph.link(linking, to: current.id, by: home.admin)
    }
    #expect(error?.message.contains("not today") == true)
  }

  @Test func `a policy's result is checked, not trusted`() async throws {
    let stranger = AccountID("stranger")
    let liars: [ClosurePolicy] = [
      ClosurePolicy(name: "stranger") { .merge(into: stranger, from: $0.current.id, MergeRules()) },
      ClosurePolicy(name: "itself") {
        .merge(into: $0.current.id, from: $0.current.id, MergeRules())
      },
    ]
    for policy in liars {
      let home = TestHome(policies: [policy])
      try await home.use(policy)
      let current = try await home.signIn(home.credential("1")).account
      _ = try await home.signIn(home.credential("9", provider: TestHome.other))
      let before = try await home.everything()
      await expectError(.invalidPolicy) {
        try await home.graph.link(
          home.credential("9", provider: TestHome.other), to: current.id, by: home.admin)
      }
      #expect(try await home.everything() == before)
    }
  }

  @Test func `dropping every way in is refused, dropping one is done`() async throws {
    let (keep, absorb) = try await pair()
    let keys = (keep.identities + absorb.identities).map(\.key)
    await expectError(.mergeRefused) {
      try await home.graph.planMerge(
        keep: keep.id, absorb: absorb.id, rules: MergeRules(droppedIdentities: keys),
        in: home.scope)
    }
    let plan = try await home.graph.planMerge(
      keep: keep.id, absorb: absorb.id, rules: MergeRules(droppedIdentities: [keys[1]]),
      in: home.scope)
    #expect(plan.result.identities.map(\.key) == [keys[0]])
  }
}
