import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

@testable import AuthCore

/// The beginnings of an account's ownership, and the data that ends with it.
@Suite struct `Ownership of accounts` {
  let home = TestHome()

  private func squat(_ home: TestHome) async throws -> Account {
    try await home.graph.signUp(home.password("victim@example.com", "attacker"), by: home.anyone)
      .account
  }

  @Test func `F1: an ownership begins with an account and with a take-over, and no earlier`()
    async throws
  {
    let account = try await squat(home)
    let opened = try #require(try await home.account(account.id).ownership)
    _ = try await home.signIn(home.password("victim@example.com", "attacker"))
    try await home.update(account.id) { $0.displayName = .set("Mallory") }
    #expect(try await home.account(account.id).ownership == opened)

    try await home.trust(TestHome.fake)
    let entered = try await home.signIn(
      home.credential("victim", email: "victim@example.com", verified: "true"))
    #expect(entered.account.id == account.id)
    #expect(entered.account.ownership != opened && entered.account.ownership != nil)
    #expect(entered.account.displayName == nil)

    _ = try await home.graph.delete(account.id, by: home.admin)
    _ = try await home.graph.create(ProfileChanges(), uid: account.id, by: home.admin)
    let again = try await home.account(account.id).ownership
    #expect(again != nil && again != opened && again != entered.account.ownership)
  }

  @Test func `F1: a reset of an unproven address clears the profile and begins an ownership`()
    async throws
  {
    let account = try await home.withPassword("victim@example.com", verified: false)
    try await home.update(account.id) {
      $0.displayName = .set("Mallory")
      $0.photoURL = .set("https://evil.example/x.png")
    }
    let code = try await home.code(.resetPassword, "victim@example.com")
    let done = try await home.reset(code, "victim's own")
    #expect(done.account.id == account.id && done.account.ownership != account.ownership)
    #expect(done.account.displayName == nil && done.account.photoURL == nil)

    // A verified address always belonged to its owner.
    let next = try await home.code(.resetPassword, "victim@example.com")
    #expect(try await home.reset(next, "another one").account.ownership == done.account.ownership)
  }

  @Test func `F1: a code that takes a factor back ends with the owner too`() async throws {
    let person = try await home.withPassword("ada@example.com")
    let caller = home.session(person.id)
    let open = try await home.graph.beginTOTPEnrollment(for: person.id, by: caller)
    let enrolled = try await home.graph.enroll(
      open.enrollment, code: home.code(open.secret), by: caller)
    let revert = try enrolled.revert.unwrapped("revert")
    var account = try await home.account(person.id)
    _ = try await home.graph.delete(person.id, by: home.admin)
    // The same record under the same uid, with the same factor, as in an import.
    account.revision = 0
    let outcomes = try await home.graph.importRecords(
      [ImportedAccount(account: account, line: 1)], overwriting: false, by: home.admin)
    #expect(outcomes == [.imported])
    await expectError(.invalidActionCode) { try await home.apply(revert) }
    #expect(try await home.account(person.id).secondFactors.count == 1)
  }

  @Test func `a take-back code is good while the account has one owner`() async throws {
    let person = try await home.withPassword("ada@example.com")
    let code = try await home.code(
      .verifyAndChangeEmail, new: "typo@example.com", by: home.session(person.id))
    let moved = try await home.apply(code)
    let recovery = try moved.recovery.unwrapped("recovery")
    #expect(try await home.apply(recovery).account.email?.text == "ada@example.com")
  }

  @Test func `accounts and codes of a version without marks go on`() async throws {
    let person = try await home.withPassword("ada@example.com")
    try await home.store.write { writer in
      var old = try #require(try writer.account(person.id, in: home.scope))
      let before = old
      old.ownership = nil
      try writer.update(old, replacing: before)
    }
    let code = try await home.code(.resetPassword, "ada@example.com")
    #expect(try await home.reset(code, "another one").account.ownership == nil)
  }

  @Test func `F10: an identity that another account has is no contention`() async throws {
    let key = IdentityKey.password(try EmailAddress("a@b.example"))
    let conflict = UniqueKeyConflict(key: "identity \(key)")
    let caught = ConflictingStore(home.store, conflict)
    let other = TestHome(store: caught)
    await expectError(.emailAlreadyInUse) {
      try await other.graph.signUp(other.password("a@b.example", "opensesame"), by: other.anyone)
    }
  }

  // MARK: F21

  private func mergedPair(
    _ home: TestHome
  ) async throws -> (keep: Account, absorb: Account, merge: String) {
    let keep = try await home.withPassword("ada@example.com", "ada's own")
    let absorb = try await home.withPassword("bo@example.com", "bo's own")
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    return (keep, absorb, try await home.graph.commit(plan, by: home.admin).id)
  }

  @Test func `F21: a deletion ends the merges of the journal, and only revive brings them back`()
    async throws
  {
    let (keep, absorb, merge) = try await mergedPair(home)
    _ = try await home.graph.delete(keep.id, by: home.admin)
    let kept = try await home.graph.merges(limit: 9, in: home.scope)
    #expect(kept.map(\.endedAt) == [home.clock.now])

    let refused = await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, force: true, by: home.admin)
    }
    #expect(refused?.remedy?.contains("revive = true") == true)
    let receipt = try await home.graph.undoMerge(merge, revive: true, by: home.admin)
    #expect(receipt.action == .undoMerge)
    for (account, secret) in [(keep, "ada's own"), (absorb, "bo's own")] {
      let back = try await home.account(account.id)
      #expect(back.ownership != account.ownership && back.identities == account.identities)
      let email = try account.email.unwrapped("address").text
      #expect(try await home.signIn(home.password(email, secret)).account.id == account.id)
    }
    #expect(try await home.graph.merges(limit: 9, in: home.scope).allSatisfy { $0.endedAt != nil })
  }

  @Test(arguments: ["email", "uid", "phone"])
  func `F21: a deleted account is not revived beside its person's new one`(
    _ key: String
  ) async throws {
    let number = try PhoneNumber("+15550100123")
    let absorb = try await home.withPassword("bo@example.com")
    try await home.update(absorb.id) { $0.phoneNumber = .set(number) }
    let keep = try await home.withPassword("ada@example.com")
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    let merge = try await home.graph.commit(plan, by: home.admin).id
    _ = try await home.graph.delete(keep.id, by: home.admin)
    var changes = ProfileChanges()
    if key == "email" { changes.email = .set(try EmailAddress("bo@example.com")) }
    if key == "phone" { changes.phoneNumber = .set(number) }
    _ = try await home.graph.create(
      changes, uid: key == "uid" ? absorb.id : nil, by: home.admin)
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, force: true, revive: true, by: home.admin)
    }
    #expect(try await home.everything().count == 1)
  }

  @Test func `F21: the journal forgets after the days that an admin sets`() async throws {
    let (keep, _, merge) = try await mergedPair(home)
    _ = try await home.graph.delete(keep.id, by: home.admin)
    home.clock.advance(seconds: 30 * 86_400 - 1)
    #expect(try await home.graph.sweepMerges() == 1)
    #expect(try await home.graph.merges(limit: 9, in: home.scope).count == 1)
    home.clock.advance(seconds: 1)
    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, revive: true, by: home.admin)
    }
    #expect(error?.remedy?.contains("mergeRetentionDays") == true)
    try await home.graph.sweepMerges()
    #expect(try await home.graph.merges(limit: 9, in: home.scope).isEmpty)
    #expect(try await home.graph.sweepMerges() == 0)
  }

  @Test func `F21: no days keep nothing, and fewer days remove older merges at once`() async throws
  {
    let (keep, _, _) = try await mergedPair(home)
    _ = try await home.graph.delete(keep.id, by: home.admin)
    home.clock.advance(seconds: 3 * 86_400)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.mergeRetentionDays = 2 }
    #expect(try await home.graph.merges(limit: 9, in: home.scope).isEmpty)

    _ = try await home.graph.changeSettings(by: home.admin) { $0.mergeRetentionDays = 0 }
    let again = try await mergedPair(home)
    let chain = try await home.withPassword("carol@example.com")
    let plan = try await home.graph.planMerge(
      keep: chain.id, absorb: again.keep.id, in: home.scope)
    _ = try await home.graph.commit(plan, by: home.admin)
    let deleted = try await home.graph.deleteMany([chain.id], force: true, by: home.admin)
    #expect(deleted.count == 1)
    #expect(try await home.graph.merges(limit: 9, in: home.scope).isEmpty)
    for id in [chain.id, again.keep.id, again.absorb.id] {
      _ = try await home.graph.create(ProfileChanges(), uid: id, by: home.admin)
    }
  }

  @Test func `F21: a merge that was undone is forgotten in time too`() async throws {
    let (_, _, merge) = try await mergedPair(home)
    _ = try await home.graph.undoMerge(merge, by: home.admin)
    home.clock.advance(seconds: 30 * 86_400)
    try await home.graph.sweepMerges()
    #expect(try await home.graph.merges(limit: 9, in: home.scope).isEmpty)
  }

  @Test func `a merge gives both sides their marks back, and an import keeps one when it replaces`()
    async throws
  {
    let (keep, absorb, merge) = try await mergedPair(home)
    _ = try await home.graph.undoMerge(merge, by: home.admin)
    #expect(try await home.account(keep.id).ownership == keep.ownership)
    #expect(try await home.account(absorb.id).ownership == absorb.ownership)
    var record = keep
    record.ownership = nil
    record.displayName = "Ada"
    _ = try await home.graph.importRecords(
      [ImportedAccount(account: record, line: 1)], overwriting: true, by: home.admin)
    #expect(try await home.account(keep.id).ownership == keep.ownership)
  }
}

/// A store in which every write has the same conflict.
private struct ConflictingStore: AccountStore {
  let store: any AccountStore
  let conflict: UniqueKeyConflict

  init(_ store: any AccountStore, _ conflict: UniqueKeyConflict) {
    (self.store, self.conflict) = (store, conflict)
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await store.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    guard purpose == .change else { return try await store.transact(purpose, body) }
    throw conflict
  }
}
