import AuthCore
import AuthTesting
import Synchronization
import Testing
import TestSupport

/// A policy that gives every account away.
private final class Generous: MergePolicy {
  let name = "generous"
  let triggers: Set<AuthError.Code> = [.credentialAlreadyInUse, .emailAlreadyInUse]
  let answersUnproven: Bool
  private let asked = Mutex<[MergeProof]>([])

  init(answersUnproven: Bool = false) { self.answersUnproven = answersUnproven }

  var proofs: [MergeProof] { asked.withLock(\.self) }

  func decide(_ conflict: MergeConflict) -> MergeAnswer {
    asked.withLock { $0.append(conflict.proof) }
    return .merge(into: conflict.existing.id, from: conflict.current.id, MergeRules())
  }
}

@Suite struct `PB1: a policy gives no unproven account away` {
  private let policy: Generous
  private let home: TestHome

  init() async throws {
    policy = Generous()
    home = TestHome(policies: [policy])
    try await home.use(policy)
  }

  private func victim(_ home: TestHome) async throws -> Account {
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("ada@example.com"))
    changes.emailVerified = true
    changes.password = Secret("opensesame")
    changes.customClaims = .set(try CustomClaims(["role": "admin"]))
    let id = try await home.graph.create(changes, by: home.admin).accountID
    return try await home.account(id)
  }

  /// Links a credential with the victim's address, and expects a refusal that changes neither account.
  private func link(
    _ home: TestHome, _ credential: Credential, to id: AccountID, by caller: Caller,
    code: AuthError.Code = .emailAlreadyInUse
  ) async throws -> AuditEvent {
    let before = try await home.everything()
    let error = await expectError(code) {
      try await home.graph.link(credential, to: id, by: caller)
    }
    #expect(try await home.everything() == before)
    return try await home.graph.event(#require(error?.eventID), in: home.scope)
  }

  @Test(arguments: ["true", "false"])
  func `an address on the word of an untrusted provider proves nothing`(
    verified: String
  ) async throws {
    _ = try await victim(home)
    let mallory = try await home.signIn(home.credential("m")).account
    let event = try await link(
      home,
      home.credential(
        "x", email: "ada@example.com", verified: verified, provider: TestHome.other),
      to: mallory.id, by: home.session(mallory.id))
    #expect(policy.proofs.isEmpty)
    let step = try #require(event.trace.steps.last)
    #expect(step.rule == "merge policy" && step.result == "not asked: existing was not shown")
  }

  @Test func `a trusted word on a verified address proves the account`() async throws {
    let ada = try await victim(home)
    try await home.trust(TestHome.other)
    let guest = try await home.signIn(home.credential("m")).account
    let receipt = try await home.graph.link(
      home.credential("x", email: "ada@example.com", verified: "true", provider: TestHome.other),
      to: guest.id, by: home.session(guest.id))
    #expect(receipt.action == .merge && receipt.accountID == ada.id)
    #expect(policy.proofs == [MergeProof(current: true, existing: true)])
  }

  @Test func `a trusted word on an address that the account never verified proves nothing`()
    async throws
  {
    _ = try await home.graph.signUp(home.password("ada@example.com", "opensesame"), by: home.anyone)
    try await home.trust(TestHome.other)
    let guest = try await home.signIn(home.credential("m")).account
    _ = try await link(
      home,
      home.credential("x", email: "ada@example.com", verified: "true", provider: TestHome.other),
      to: guest.id, by: home.session(guest.id))
    #expect(policy.proofs.isEmpty)
  }

  @Test func `a trusted word on a reassigned address proves nothing`() async throws {
    try await home.trust(TestHome.other)
    let old = try await home.signIn(
      home.credential("old", email: "ada@corp.example", verified: "true", provider: TestHome.other)
    ).account
    #expect(old.emailVerified)
    let guest = try await home.signIn(home.credential("m")).account
    _ = try await link(
      home,
      home.credential("new", email: "ada@corp.example", verified: "true", provider: TestHome.other),
      to: guest.id, by: home.session(guest.id))
    #expect(policy.proofs.isEmpty)
  }

  @Test func `a password that is chosen for the other account's address proves nothing`()
    async throws
  {
    _ = try await victim(home)
    let mallory = try await home.signIn(home.credential("m")).account
    _ = try await link(
      home, home.password("ada@example.com", "chosen by mallory"), to: mallory.id,
      by: home.session(mallory.id))
    #expect(policy.proofs.isEmpty)
  }

  @Test(arguments: [true, false])
  func `an admin's assertion proves nothing, rehearsed or not`(dryRun: Bool) async throws {
    let existing = try await home.signIn(home.credential("9", provider: TestHome.other)).account
    let current = try await home.signIn(home.credential("1")).account
    var admin = home.admin
    admin.dryRun = dryRun
    let caller = admin
    let before = try await home.everything()
    await expectError(.credentialAlreadyInUse) {
      try await home.graph.assert(
        IdentityKey(TestHome.other, subject: "9"), profile: IdentityProfile(), on: current.id,
        by: caller)
    }
    #expect(policy.proofs.isEmpty && existing.id != current.id)
    #expect(try await home.everything() == before)
  }

  @Test func `C2: a policy that wants to be asked offers the merge of two owners' accounts`()
    async throws
  {
    let policy = Generous(answersUnproven: true)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let ada = try await victim(home)
    let mallory = try await home.signIn(home.credential("m")).account
    for _ in 0..<2 {
      let event = try await link(
        home, home.credential("x", email: "ada@example.com", provider: TestHome.other),
        to: mallory.id, by: home.session(mallory.id))
      #expect(event.details["offer"]?["into"] == .string(ada.id.rawValue))
      #expect(
        event.trace.steps.last?.result == "offers an admin to merge \(mallory.id) into \(ada.id)")
    }
    #expect(policy.proofs.allSatisfy { $0 == MergeProof(current: true, existing: false) })

    let page = try await home.graph.mergeOffers(limit: 10, in: home.scope)
    let offers = page.offers
    #expect(page.next == nil && !page.isCut)
    #expect(offers.count == 1, "One of each pair.")
    let offer = try #require(offers.first)
    #expect(offer.survivor == ada.id && offer.absorbed == mallory.id)
    #expect(offer.notShown == ["existing"] && offer.code == .emailAlreadyInUse)

    // Another person's account under the same uid is not the one of the offer.
    let uid = mallory.id
    _ = try await home.graph.delete(uid, by: home.admin)
    _ = try await home.graph.create(ProfileChanges(), uid: uid, by: home.admin)
    #expect(try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.isEmpty)
    await expectError(.userNotFound) { try await home.graph.plan(offer.id, in: home.scope) }
  }

  @Test func `an offer is planned again, and merged by an admin`() async throws {
    let policy = Generous(answersUnproven: true)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let ada = try await victim(home)
    let mallory = try await home.signIn(home.credential("m")).account
    _ = try await link(
      home, home.credential("x", email: "ada@example.com", provider: TestHome.other),
      to: mallory.id, by: home.session(mallory.id))
    let offer = try #require(
      try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.first)

    let plan = try await home.graph.plan(offer.id, in: home.scope)
    await expectError(.operationNotAllowed) {
      try await home.graph.commit(plan, by: home.session(mallory.id))
    }
    let receipt = try await home.graph.commit(plan, by: home.admin)
    #expect(receipt.action == .merge && receipt.accountID == ada.id)
    #expect(try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.isEmpty)
    await expectError(.userNotFound) { try await home.graph.plan(offer.id, in: home.scope) }
    await expectError(.eventNotFound) { try await home.graph.plan(receipt.id, in: home.scope) }
  }

  @Test func `an admin who links without proof learns of the offer`() async throws {
    let policy = Generous(answersUnproven: true)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    _ = try await home.signIn(home.credential("9", provider: TestHome.other))
    let current = try await home.signIn(home.credential("1")).account
    let error = await expectError(.credentialAlreadyInUse) {
      try await home.graph.assert(
        IdentityKey(TestHome.other, subject: "9"), profile: IdentityProfile(), on: current.id,
        by: home.admin)
    }
    let remedy = try #require(error?.remedy)
    #expect(remedy.contains("merge.offers") && remedy.contains("accounts.get"), "\(remedy)")
    #expect(try await home.everything().count == 2)
  }

  @Test func `an offer of an account that was deleted is none`() async throws {
    let policy = Generous(answersUnproven: true)
    let home = TestHome(policies: [policy])
    try await home.use(policy)
    let ada = try await victim(home)
    let mallory = try await home.signIn(home.credential("m")).account
    let event = try await link(
      home, home.credential("x", email: "ada@example.com", provider: TestHome.other),
      to: mallory.id, by: home.session(mallory.id))
    _ = try await home.graph.delete(ada.id, by: home.admin)
    #expect(try await home.graph.mergeOffers(limit: 10, in: home.scope).offers.isEmpty)
    await expectError(.userNotFound) { try await home.graph.plan(event.id, in: home.scope) }
  }
}
