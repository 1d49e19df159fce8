import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing
import TestSupport

@testable import AuthCore

/// Deleted accounts, and what comes back with them.
@Suite struct `Restoring a deleted account` {
  let home = TestHome()

  private func delete(_ id: AccountID) async throws -> Receipt {
    try await home.graph.delete(id, restorable: true, by: home.admin)
  }

  private func restore(_ id: AccountID, force: Bool = false) async throws -> Receipt {
    try await home.graph.restore(id, force: force, by: home.admin)
  }

  @Test func `everything comes back but the sessions`() async throws {
    let person = try await home.withPassword("ada@example.com", "ada's own")
    try await home.update(person.id) {
      $0.displayName = .set("Ada")
      $0.phoneNumber = .set(try PhoneNumber("+15550100123"))
      $0.customClaims = .set(try CustomClaims(["role": "editor"]))
    }
    _ = try await home.enrollTOTP(person.id)
    let before = try await home.account(person.id)

    let deleted = try await delete(person.id)
    #expect(try await home.graph.account(person.id, in: home.scope) == nil)
    #expect(deleted.losses?.identities.count == 2)
    #expect(deleted.losses?.restorableUntil == home.clock.now.adding(seconds: 30 * 86_400))
    let known = try await home.graph.deletion(of: person.id, in: home.scope)
    #expect(known?.event == deleted.id && known?.actor == "admin:ada" && known?.reason == "test")

    home.clock.advance(seconds: 3600)
    let receipt = try await restore(person.id)
    #expect(receipt.action == .restore && receipt.accountID == person.id)
    var back = try await home.account(person.id)
    #expect(back.ownership != before.ownership && back.sessionMark != before.sessionMark)
    #expect(back.validSince == home.clock.now)
    back.ownership = before.ownership
    back.generation = before.generation
    back.validSince = before.validSince
    back.revision = before.revision
    #expect(back == before)
    let resolver = try await home.resolver {
      try await home.signIn(home.password("ada@example.com", "ada's own"))
    }
    #expect(resolver.hints.count == 1)
    let history = try await home.graph.history(of: person.id, limit: 2, in: home.scope)
    #expect(history.map(\.action) == [.signIn, .restore])
  }

  @Test func `a dry run of both writes nothing`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    var dry = home.admin
    dry.dryRun = true
    let rehearsal = dry
    let loss = try await home.graph.delete(ada.id, restorable: true, by: rehearsal).losses
    #expect(loss?.identities == ada.identities.keys && loss?.waysIn == 0)
    #expect(try await home.account(ada.id) == ada)
    _ = try await delete(ada.id)
    #expect(try await home.graph.restore(ada.id, by: rehearsal).dryRun)
    #expect(try await home.graph.account(ada.id, in: home.scope) == nil)
    #expect(try await home.graph.purge(ada.id, by: rehearsal).dryRun)
    _ = try await restore(ada.id)
  }

  @Test func `a second restore is refused, and a second deletion is a new one`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    _ = try await restore(ada.id)
    await expectError(.uidAlreadyExists) { try await self.restore(ada.id) }
    await expectError(.uidAlreadyExists) {
      try await home.graph.purge(ada.id, by: home.admin)
    }
    _ = try await delete(ada.id)
    _ = try await restore(ada.id)
    #expect(try await home.signIn(home.credential("ada")).account.id == ada.id)
    await expectError(.userNotFound) { try await self.restore(AccountID("nobody")) }
  }

  @Test func `only an admin restores, purges or deletes like this`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    let session = home.session(ada.id)
    await expectError(.operationNotAllowed) {
      try await home.graph.delete(ada.id, restorable: true, by: session)
    }
    _ = try await delete(ada.id)
    for caller in [session, home.anyone] {
      await expectError(.operationNotAllowed) {
        try await home.graph.restore(ada.id, force: true, by: caller)
      }
      await expectError(.operationNotAllowed) {
        try await home.graph.purge(ada.id, by: caller)
      }
    }
    _ = try await restore(ada.id)
  }

  @Test func `a person's own deletion and Firebase's keep nothing, and the person signs up anew`()
    async throws
  {
    let deletions: [(String, @Sendable (TestHome, AccountID) async throws -> Void)] = [
      ("own", { _ = try await $0.graph.delete($1, by: $0.session($1)) }),
      ("admin's, for ever", { _ = try await $0.graph.delete($1, by: $0.admin) }),
      ("many", { _ = try await $0.graph.deleteMany([$1], force: true, by: $0.admin) }),
    ]
    for (name, body) in deletions {
      let home = TestHome()
      let ada = try await home.signIn(home.credential("ada")).account
      try await body(home, ada.id)
      let kept = try await home.store.read {
        try $0.oneTimeRecords(.deletion, after: nil, limit: 9, in: home.scope)
      }
      #expect(kept.isEmpty, "\(name)")
      await expectError(.userNotFound) {
        try await home.graph.restore(ada.id, force: true, by: home.admin)
      }
      let again = try await home.signIn(home.credential("ada"))
      #expect(again.isNewUser && again.account.id != ada.id, "\(name)")
      _ = try await home.graph.create(ProfileChanges(), uid: ada.id, by: home.admin)
      let known = try await home.graph.deletion(of: ada.id, in: home.scope)
      #expect(known != nil && known?.restorableUntil == nil, "\(name)")
    }
  }

  // MARK: Keys that others have meanwhile

  @Test func `an identity that signed up anew stays where it is`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await home.graph.assert(
      IdentityKey(TestHome.other, subject: "7"), profile: IdentityProfile(), on: ada.id,
      by: home.admin)
    let identities = try await home.account(ada.id).identities.keys
    _ = try await delete(ada.id)
    let anew = try await home.signIn(home.credential("ada"))
    #expect(anew.isNewUser && anew.account.id != ada.id)

    let refusal = await expectError(.undoRefused) { try await self.restore(ada.id) }
    #expect(refusal?.message.contains("the identity fake.example/ada") == true)
    #expect(refusal?.remedy?.contains("force = true") == true)
    _ = try await restore(ada.id, force: true)
    #expect(try await home.account(ada.id).identities.keys == Array(identities.dropFirst()))
    #expect(try await home.signIn(home.credential("ada")).account.id == anew.account.id)
    let event = try await home.graph.history(of: ada.id, limit: 1, in: home.scope).first
    #expect(event?.details["missing"] == ["the identity fake.example/ada"])
  }

  @Test(arguments: [true, false], [true, false])
  func `an address that another account has stays there, with its password`(
    _ wasVerified: Bool, _ isVerified: Bool
  ) async throws {
    let ada = try await home.withPassword("ada@example.com", "ada's own", verified: wasVerified)
    try await home.update(ada.id) { $0.phoneNumber = .set(try PhoneNumber("+15550100123")) }
    _ = try await delete(ada.id)
    let other = try await home.withPassword(
      "ADA@example.com", "another's", verified: isVerified)
    let refusal = await expectError(.undoRefused) { try await self.restore(ada.id) }
    #expect(refusal?.message.contains("the address ada@example.com") == true)
    _ = try await restore(ada.id, force: true)
    let back = try await home.account(ada.id)
    #expect(back.email == nil && !back.emailVerified && back.passwordIdentity == nil)
    #expect(back.phoneNumber?.text == "+15550100123")
    #expect(try await home.account(other.id) == other)
    #expect(
      try await home.signIn(home.password("ada@example.com", "another's")).account.id == other.id)
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "ada's own"))
    }
  }

  @Test func `a number that another account has stays there`() async throws {
    let number = try PhoneNumber("+15550100123")
    let ada = try await home.withPassword("ada@example.com")
    try await home.update(ada.id) { $0.phoneNumber = .set(number) }
    _ = try await delete(ada.id)
    var changes = ProfileChanges()
    changes.phoneNumber = .set(number)
    _ = try await home.graph.create(changes, uid: AccountID("other"), by: home.admin)
    await expectError(.undoRefused) { try await self.restore(ada.id) }
    _ = try await restore(ada.id, force: true)
    let back = try await home.account(ada.id)
    #expect(back.phoneNumber == nil && back.identity(.phone(number)) == nil)
    #expect(back.email?.text == "ada@example.com")
    #expect(try await home.account(AccountID("other")).phoneNumber == number)
  }

  @Test func `accounts that may share an address share it with the restored one`() async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
    let ada = try await home.signIn(home.credential("ada")).account
    try await home.update(ada.id) {
      $0.email = .set(try EmailAddress("ada@example.com"))
      $0.emailVerified = true
    }
    _ = try await delete(ada.id)
    let other = try await home.signIn(home.credential("bo")).account
    try await home.update(other.id) {
      $0.email = .set(try EmailAddress("ada@example.com"))
      $0.emailVerified = true
    }
    _ = try await restore(ada.id)
    #expect(try await home.account(ada.id).email?.text == "ada@example.com")
    #expect(try await home.account(other.id).email?.text == "ada@example.com")
  }

  // MARK: The uid

  @Test func `nobody gets the uid meanwhile`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await delete(ada.id)
    let refusal = await expectError(.uidAlreadyExists) {
      try await home.graph.create(ProfileChanges(), uid: ada.id, by: home.admin)
    }
    #expect(refusal?.remedy?.contains("accounts.restore \"\(ada.id)\"") == true)

    let record = Account(id: ada.id, scope: home.scope, createdAt: home.clock.now)
    let free = Account(id: AccountID("free"), scope: home.scope, createdAt: home.clock.now)
    let records = [record, free].enumerated().map {
      ImportedAccount(account: $1, line: $0 + 1)
    }
    for overwriting in [true, false] {
      let uploaded = try await home.graph.importRecords(
        [records[0]], overwriting: overwriting, by: home.admin)
      #expect(uploaded.refusedCodes == [.uidAlreadyExists])
    }
    let imported = try await home.graph.importAccounts(records, by: home.admin)
    #expect(imported.refusedCodes == [.uidAlreadyExists] && imported.last == .imported)

    let (decision, trace) = decideCustom(ada.id, on: try await snapshot(of: ada.id))
    #expect(decision == .refuse(.accountDeleted))
    #expect(trace.steps.last?.result.contains("can be undone") == true)
    _ = try await restore(ada.id)
    #expect(try await home.account(ada.id).email?.text == "ada@example.com")
  }

  private func snapshot(of id: AccountID) async throws -> Snapshot {
    var query = SnapshotQuery([.uid(id)], in: home.scope)
    query.newUIDs = [id]
    let asked = query
    return try await home.store.read { try $0.snapshot(asked) }
  }

  private func decideCustom(_ id: AccountID, on snapshot: Snapshot) -> (Decision, Trace) {
    var identity = VerifiedIdentity(provider: .custom, key: nil)
    identity.account = id
    return LinkRules.decide(
      .signIn(identity), by: home.anyone, at: home.clock.now, snapshot)
  }

  @Test func `a purge frees the uid, and the account cannot come back`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    let receipt = try await home.graph.purge(ada.id, by: home.admin)
    #expect(receipt.action == .purge && receipt.accountID == ada.id)
    await expectError(.userNotFound) { try await self.restore(ada.id, force: true) }
    await expectError(.userNotFound) { try await home.graph.purge(ada.id, by: home.admin) }
    _ = try await home.graph.create(ProfileChanges(), uid: ada.id, by: home.admin)
  }

  @Test func `a restore in another tenant finds nothing`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    var caller = home.admin
    caller.scope = try await home.graph.createTenant(
      "blue", in: home.scope.project, settings: ProjectSettings(), by: home.admin)
    let elsewhere = caller
    await expectError(.userNotFound) {
      try await home.graph.restore(ada.id, force: true, by: elsewhere)
    }
    _ = try await home.graph.create(ProfileChanges(), uid: ada.id, by: elsewhere)
    _ = try await restore(ada.id)
  }

  @Test func `a held account is restored only for the owner it had`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    _ = try await home.graph.purge(ada.id, by: home.admin)
    _ = try await home.graph.create(ProfileChanges(), uid: ada.id, by: home.admin)
    let another = try await home.account(ada.id)
    _ = try await delete(ada.id)
    await expectError(.invalidArgument) {
      try await home.graph.restore(ada.id, of: HeldAccount(ada), by: home.admin)
    }
    _ = try await home.graph.restore(ada.id, of: HeldAccount(another), by: home.admin)
  }

  // MARK: Time

  @Test func `an account is kept up to the last millisecond, and is swept after it`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    home.clock.advance(seconds: 30 * 86_400 - 1)
    try await home.graph.sweep()
    var dry = home.admin
    dry.dryRun = true
    let rehearsal = dry
    _ = try await home.graph.restore(ada.id, by: rehearsal)
    home.clock.advance(seconds: 1)
    await expectError(.userNotFound) { try await self.restore(ada.id, force: true) }
    #expect(try await home.graph.deletion(of: ada.id, in: home.scope)?.restorableUntil == nil)
    _ = try await home.graph.create(ProfileChanges(), uid: ada.id, by: home.admin)

    home.clock.advance(seconds: 3600)
    try await home.graph.sweep()
    let kept = try await home.store.read {
      try $0.oneTimeRecords(.deletion, after: nil, limit: 9, in: home.scope)
    }
    #expect(kept.isEmpty)
  }

  @Test func `fewer days remove older deletions at once, and no days keep none`() async throws {
    let (ada, bo) = (
      try await home.signIn(home.credential("ada")).account,
      try await home.signIn(home.credential("bo")).account
    )
    _ = try await delete(ada.id)
    home.clock.advance(seconds: 2 * 86_400)
    _ = try await delete(bo.id)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.deletionRetentionDays = 1 }
    let kept = try await home.store.read {
      try $0.oneTimeRecords(.deletion, after: nil, limit: 9, in: home.scope)
    }
    #expect(kept.map(\.id) == [KeptDeletion.recordID(bo.id)])
    _ = try await home.graph.changeSettings(by: home.admin) { $0.deletionRetentionDays = 30 }
    await expectError(.userNotFound) { try await self.restore(ada.id) }
    _ = try await restore(bo.id)

    _ = try await home.graph.changeSettings(by: home.admin) { $0.deletionRetentionDays = 0 }
    #expect(try await delete(bo.id).losses?.restorableUntil == nil)
    await expectError(.userNotFound) { try await self.restore(bo.id) }
    _ = try await home.graph.create(ProfileChanges(), uid: bo.id, by: home.admin)
  }

  @Test func `deleting every account or the tenant removes what was kept`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    try await home.graph.deleteAllAccounts(by: home.admin)
    await expectError(.userNotFound) { try await self.restore(ada.id, force: true) }

    let tenant = try await home.graph.createTenant(
      "blue", in: home.scope.project, settings: ProjectSettings(), by: home.admin)
    var caller = home.admin
    caller.scope = tenant
    let there = caller
    _ = try await home.graph.create(ProfileChanges(), uid: AccountID("cy"), by: there)
    _ = try await home.graph.delete(AccountID("cy"), restorable: true, by: there)
    try await home.graph.deleteTenant(tenant, by: there)
    _ = try await home.graph.createTenant(
      "blue", in: home.scope.project, settings: ProjectSettings(), by: home.admin)
    await expectError(.userNotFound) {
      try await home.graph.restore(AccountID("cy"), by: there)
    }
  }

  // MARK: Merges

  private func merged() async throws -> (keep: Account, absorb: Account, merge: String) {
    let keep = try await home.withPassword("ada@example.com", "ada's own")
    let absorb = try await home.withPassword("bo@example.com", "bo's own")
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    return (keep, absorb, try await home.graph.commit(plan, by: home.admin).id)
  }

  @Test func `uids that were merged into the account lead to it again`() async throws {
    let (keep, absorb, merge) = try await merged()
    var dry = home.admin
    dry.dryRun = true
    let rehearsal = dry
    let losses = try await home.graph.delete(keep.id, restorable: true, by: rehearsal).losses
    #expect(losses?.absorbed == [absorb.id])
    _ = try await delete(keep.id)
    await expectError(.uidAlreadyExists) {
      try await home.graph.create(ProfileChanges(), uid: absorb.id, by: home.admin)
    }
    let refusal = await expectError(.invalidArgument) { try await self.restore(absorb.id) }
    #expect(refusal?.message.contains("was merged into \(keep.id)") == true)
    _ = try await restore(keep.id)
    #expect(try await home.account(absorb.id).id == keep.id)
    // The merge was ended by the deletion.
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, force: true, revive: true, by: home.admin)
    }
  }

  @Test func `an undo of the merge takes the place of a restore`() async throws {
    let (keep, absorb, merge) = try await merged()
    _ = try await delete(keep.id)
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, force: true, by: home.admin)
    }
    _ = try await home.graph.undoMerge(merge, revive: true, by: home.admin)
    #expect(try await home.account(absorb.id).id == absorb.id)
    await expectError(.uidAlreadyExists) { try await self.restore(keep.id, force: true) }
    let kept = try await home.store.read {
      try $0.oneTimeRecords(.deletion, after: nil, limit: 9, in: home.scope)
    }
    #expect(kept.isEmpty)
  }

  @Test func `an undo gives no uid away that another deleted account had since`() async throws {
    let (keep, absorb, merge) = try await merged()
    _ = try await home.graph.delete(keep.id, by: home.admin)
    _ = try await home.graph.create(ProfileChanges(), uid: absorb.id, by: home.admin)
    _ = try await delete(absorb.id)
    let refusal = await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, force: true, revive: true, by: home.admin)
    }
    #expect(refusal?.remedy?.contains("accounts.purge") == true)
    _ = try await restore(absorb.id)
  }

  @Test func `an account that absorbed another one meanwhile keeps the uid`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await delete(ada.id)
    _ = try await home.graph.purge(ada.id, by: home.admin)
    _ = try await home.graph.create(ProfileChanges(), uid: ada.id, by: home.admin)
    let other = try await home.signIn(home.credential("bo")).account
    let plan = try await home.graph.planMerge(keep: other.id, absorb: ada.id, in: home.scope)
    _ = try await home.graph.commit(plan, by: home.admin)
    let refusal = await expectError(.invalidArgument) { try await self.restore(ada.id) }
    #expect(refusal?.message.contains("was merged into \(other.id)") == true)
  }

  // MARK: What was under way

  @Test func `codes and sessions from before stay dead`() async throws {
    let person = try await home.withPassword("ada@example.com", "ada's own")
    let session = home.session(person.id)
    var marked = session
    marked.mark = .of(person.sessionMark)
    let old = marked
    let reset = try await home.code(.resetPassword, "ada@example.com")
    let change = try await home.code(
      .verifyAndChangeEmail, new: "mallory@example.com", by: session)
    let open = try await home.graph.beginTOTPEnrollment(for: person.id, by: session)
    _ = try await delete(person.id)
    _ = try await restore(person.id)

    await expectError(.invalidActionCode) { try await home.reset(reset, "mallory's own") }
    await expectError(.invalidActionCode) { try await home.apply(change) }
    await expectError(.userTokenExpired) {
      try await home.graph.update(person.id, ProfileChanges(), by: old)
    }
    await expectError(.userTokenExpired, .invalidMultiFactorSession) {
      try await home.graph.enroll(open.enrollment, code: home.code(open.secret), by: old)
    }
    #expect(
      try await home.signIn(home.password("ada@example.com", "ada's own")).account.id == person.id)
  }

  @Test func `a provider that got another issuer meanwhile gives no identity back`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    _ = try await home.graph.assert(
      IdentityKey(TestHome.other, subject: "7"), profile: IdentityProfile(), on: ada.id,
      by: home.admin)
    _ = try await delete(ada.id)
    home.clock.advance(seconds: 60)
    let now = home.clock.now
    _ = try await home.graph.changeSettings(by: home.admin) {
      $0.subjects[TestHome.fake.rawValue] = ProviderSubjects(values: [:], since: now)
    }
    await expectError(.undoRefused) { try await self.restore(ada.id) }
    _ = try await restore(ada.id, force: true)
    #expect(try await home.account(ada.id).identities.keys.map(\.provider) == [TestHome.other])
  }
}

extension [ImportOutcome] {
  fileprivate var refusedCodes: [AuthError.Code] {
    compactMap { if case .refused(let error) = $0 { error.code } else { nil } }
  }
}
