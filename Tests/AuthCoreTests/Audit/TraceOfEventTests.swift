import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import Testing
import TestSupport

@Suite struct `The trace of an event` {
  private static let failing = ProviderID("failing.example")
  private static let opaque = "a8f3c2e19b7d4460"

  let home = TestHome(more: [
    FakeProvider(
      id: failing,
      behavior: .failing(
        AuthError(
          .invalidCredential, "The vendor says\n\(opaque) of subject-7 is \u{1B}[1mold.",
          field: "code", step: .exchange)))
  ])

  /// Returns the last trace step of the last refusal or change.
  private func last(_ action: Action, _ code: AuthError.Code?) async throws -> Trace.Step {
    let event = try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
    #expect(event.action == action)
    #expect(event.errorCode == code?.rawValue)
    return try event.trace.steps.last.unwrapped("step")
  }

  private func inputs(_ step: Trace.Step) -> [String: String] {
    Dictionary(step.inputs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `of a refused credential names the provider, the place and the check`() async throws {
    _ = try await home.withPassword("ada@example.com")
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "wrong-one-77"))
    }
    var step = try await last(.signIn, .invalidCredential)
    #expect(step.rule == "credential")
    #expect(step.result == "refused: The password is not the account's.")
    #expect(inputs(step) == ["provider": "password", "step": "credential"])
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("bo@example.com", "wrong-one-77"))
    }
    step = try await last(.signIn, .invalidCredential)
    #expect(step.result == "refused: No account has a password for this address.")
    await expectError(.weakPassword) {
      try await home.graph.signUp(home.password("bo@example.com", "short"), by: home.anyone)
    }
    step = try await last(.signUp, .weakPassword)
    #expect(step.result.hasPrefix("refused: "))
    #expect(inputs(step)["field"] == "password")
  }

  @Test func `keeps no part of a credential or of a text like a token`() async throws {
    await expectError(.invalidCredential) {
      try await home.signIn(home.credential("subject-7", provider: Self.failing))
    }
    let step = try await last(.signIn, .invalidCredential)
    #expect(step.result == "refused: The vendor says … of … is  [1mold.")
    #expect(
      inputs(step) == ["provider": Self.failing.rawValue, "step": "exchange", "field": "code"])
  }

  @Test func `of a refusal after rules that let it pass says the refusal`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    var changes = ProfileChanges()
    changes.emailVerified = false
    await expectError(.operationNotAllowed) { [changes] in
      try await home.graph.update(ada.id, changes, by: home.session(ada.id))
    }
    var step = try await last(.update, .operationNotAllowed)
    #expect(step.rule == "decision")
    #expect(step.result == "refused: Only an admin may change emailVerified directly.")

    await expectError(.userNotFound) {
      try await home.graph.setDisabled(true, AccountID("nobody"), by: home.admin)
    }
    step = try await last(.disable, .userNotFound)
    #expect(step.result == "refused: There is no such account.")

    var held = home.session(ada.id)
    held.holds = [HeldAccount(try await home.signIn(home.credential("gone")).account)]
    _ = try await home.graph.delete(try held.holds.first.unwrapped("held").id, by: home.admin)
    let caller = held
    await expectError(.userNotFound) { try await home.graph.revokeSessions(of: ada.id, by: caller) }
    step = try await last(.revokeSessions, .userNotFound)
    #expect(step.rule == "decision")
    #expect(step.result.contains("does not exist any more"))
  }

  @Test func `of a code says if it was used, is unknown, or is for something else`() async throws {
    let ada = try await home.withPassword("ada@example.com", verified: false)
    let code = try await home.code(.verifyEmail, by: home.session(ada.id))
    await expectError(.invalidActionCode) { try await home.reset(code, "another-secret") }
    var step = try await last(.useActionCode, .invalidActionCode)
    #expect(step.rule == "action code")
    #expect(step.result == "refused: The code is for something else than a password.")
    try await home.apply(code)
    step = try await last(.useActionCode, nil)
    #expect(step.rule == "action code open")
    #expect(inputs(step) == ["operation": "VERIFY_EMAIL"])
    await expectError(.invalidActionCode) { try await home.apply(code) }
    step = try await last(.useActionCode, .invalidActionCode)
    #expect(step.result == "refused: The code was used before.")
    await expectError(.invalidActionCode) {
      try await home.graph.applyActionCode("nonsense", by: home.anyone)
    }
    step = try await last(.useActionCode, .invalidActionCode)
    #expect(step.result == "refused: No code has this length.")
  }

  @Test func `of a second factor says if its code is wrong or was used`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    func attempt(_ code: Secret<String>) async throws {
      let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
      _ = try await home.graph.resolve(
        resolver, with: .totp(factorID: factor.id, code: code), by: home.anyone)
    }
    await expectError(.invalidVerificationCode) { try await attempt(home.code(secret, after: -90)) }
    var step = try await last(.challenge, .invalidVerificationCode)
    #expect(step.rule == "second factor")
    #expect(step.result == "refused: The code matches no present time step.")
    try await attempt(home.code(secret))
    await expectError(.invalidVerificationCode) { try await attempt(home.code(secret)) }
    step = try await last(.challenge, .invalidVerificationCode)
    #expect(step.result == "refused: The code was used before.")
  }

  @Test func `of an operation without rules names the caller's right and reason`() async throws {
    let receipt = try await home.graph.changeSettings(by: home.admin) {
      $0.oneAccountPerEmail = false
    }
    let step = try await last(.changeSettings, nil)
    #expect(step.rule == "authority" && step.result == "an admin may")
    #expect(inputs(step) == ["caller": "admin:ada", "reason": "test"])
    #expect(receipt.trace.steps == [step])
  }

  @Test func `is never empty, for any operation or refusal`() async throws {
    try await doEverything()
    let events = try await home.graph.events(limit: 1000, in: home.scope)
    for event in events {
      #expect(!event.trace.steps.isEmpty, "\(event)")
      #expect(!"\(event)".contains("wrong-one-77"), "\(event)")
    }
    let done = Set(events.filter { $0.errorCode == nil }.map(\.action))
    let refused = Set(events.filter { $0.errorCode != nil }.map(\.action))
    #expect(
      done.isSuperset(of: [
        .create, .update, .disable, .enable, .delete, .revokeSessions, .link, .assert, .unlink,
        .merge, .undoMerge, .split, .undoSplit, .move, .undoMove, .importAccount, .changeSettings,
        .signIn, .signUp, .beginEnrollment,
        .enroll, .unenroll, .useActionCode, .deleteAllAccounts, .rekey, .rollBackRekey,
        .configureProvider, .forgetProvider,
      ]), "\(done)")
    #expect(
      refused.isSuperset(of: [
        .create, .update, .disable, .delete, .link, .assert, .unlink, .merge, .split, .move,
        .undoSplit, .signIn, .signUp,
        .beginEnrollment, .enroll, .unenroll, .challenge, .useActionCode, .rekey,
      ]), "\(refused)")
  }

  private func doEverything() async throws {
    let (graph, admin, anyone) = (home.graph, home.admin, home.anyone)
    let ada = try await home.withPassword("ada@example.com")
    let bo = try await home.signIn(home.credential("bo", provider: TestHome.other)).account
    try await account(ada, and: bo)

    let plan = try await graph.planMerge(keep: ada.id, absorb: bo.id, in: home.scope)
    let merge = try await graph.commit(plan, by: admin)
    _ = try? await graph.commit(plan, by: admin)
    _ = try await graph.undoMerge(merge.id, by: admin)
    try await transfer(ada.id, to: bo.id)
    try await secondFactor()

    let code = try await home.code(.resetPassword, "ada@example.com")
    try await home.reset(code, "a new secret")
    _ = try? await home.reset(code, "a new secret")
    _ = try? await home.signIn(home.password("ada@example.com", "wrong-one-77"))

    let rekey = try await home.rekey(
      from: IdentitySource(TestHome.fake), to: IdentitySource(TestHome.fake), keepsSubjects: false)
    try await home.commit(rekey, [:])
    try await home.rollBack(rekey)
    _ = try? await home.commit(rekey, [:])

    _ = try await graph.configure(
      .phone, values: ["allowedRegions": ["+49"]], by: admin)
    _ = try await graph.forgetConfiguration(of: .phone, force: true, by: admin)
    _ = try await graph.changeSettings(by: admin) { $0.recentLoginSeconds = 60 }
    var imported = Account(id: AccountID("imported"), scope: home.scope, createdAt: home.clock.now)
    imported.identities = [
      Identity(
        key: IdentityKey(TestHome.fake, subject: "imported"), origin: .imported,
        linkedAt: home.clock.now)
    ]
    _ = try await graph.importAccounts([ImportedAccount(account: imported, line: 1)], by: admin)
    _ = try await graph.deleteMany([AccountID("imported")], force: true, by: admin)
    try await graph.deleteAllAccounts(by: admin)
    _ = try? await graph.delete(ada.id, by: admin)
    _ = try? await graph.setDisabled(true, ada.id, by: admin)
    _ = try? await graph.signUp(home.password("ada@example.com", "short"), by: anyone)
  }

  /// Splits an account and moves an identity, each once with success, and undoes it.
  private func transfer(_ ada: AccountID, to bo: AccountID) async throws {
    let (graph, admin) = (home.graph, home.admin)
    let key = IdentityKey(TestHome.fake, subject: "spare")
    _ = try await graph.assert(key, profile: IdentityProfile(), on: ada, by: admin)
    let split = try await graph.planSplit(ada, by: SplitRules(identities: [key]), in: home.scope)
    let receipt = try await graph.commit(split, by: admin)
    _ = try? await graph.commit(split, by: admin)
    _ = try await graph.undoTransfer(receipt.id, by: admin)
    _ = try? await graph.undoTransfer(receipt.id, by: admin)
    _ = try await graph.unlink(TestHome.fake, from: bo, force: true, by: admin)
    let move = try await graph.planMove(key, from: ada, to: bo, in: home.scope)
    let moved = try await graph.commit(move, by: admin)
    _ = try? await graph.commit(move, by: admin)
    _ = try await graph.undoTransfer(moved.id, by: admin)
    _ = try await graph.unlink(TestHome.fake, from: ada, by: admin)
  }

  private func account(_ ada: Account, and bo: Account) async throws {
    let (graph, admin) = (home.graph, home.admin)
    var changes = ProfileChanges()
    changes.displayName = .set("Cy")
    _ = try await graph.create(changes, uid: AccountID("cy"), by: admin)
    _ = try? await graph.create(changes, uid: AccountID("cy"), by: admin)
    changes.displayName = .set("Cy the second")
    _ = try await graph.update(AccountID("cy"), changes, by: admin)
    _ = try? await graph.update(AccountID("cy"), changes, by: home.session(ada.id))
    for disabled in [true, false] {
      _ = try await graph.setDisabled(disabled, AccountID("cy"), by: admin)
    }
    _ = try await graph.revokeSessions(of: AccountID("cy"), by: admin)
    _ = try await graph.delete(AccountID("cy"), by: admin)

    let session = home.session(ada.id)
    let taken = try home.credential("bo", provider: TestHome.other)
    _ = try? await graph.link(taken, to: ada.id, by: session)
    _ = try? await graph.assert(
      IdentityKey(TestHome.other, subject: "bo"), profile: IdentityProfile(), on: ada.id, by: admin)
    _ = try await graph.assert(
      IdentityKey(TestHome.fake, subject: "asserted"), profile: IdentityProfile(), on: bo.id,
      by: admin)
    _ = try await graph.link(home.credential("own"), to: ada.id, by: session)
    _ = try? await graph.unlink(TestHome.other, from: ada.id, by: session)
    _ = try await graph.unlink(TestHome.fake, from: ada.id, by: session)
  }

  private func secondFactor() async throws {
    let (graph, admin) = (home.graph, home.admin)
    let unproven = try await home.withPassword("dee@example.com", verified: false)
    _ = try? await graph.beginTOTPEnrollment(for: unproven.id, by: home.session(unproven.id))
    let eve = try await home.person("eve")
    let session = home.session(eve.id, secondFactor: true)
    let open = try await graph.beginTOTPEnrollment(for: eve.id, by: session)
    _ = try? await graph.finishEnrollment(open.enrollment, code: Secret("x"), by: session)
    let (factor, _) = try await home.enrollTOTP(eve.id)
    let resolver = try await home.resolver { try await home.signIn(home.credential("eve")) }
    _ = try? await graph.resolve(
      resolver, with: .totp(factorID: factor.id, code: Secret("x")), by: home.anyone)
    _ = try? await graph.unenroll("another", of: eve.id, by: admin)
    _ = try await graph.unenroll(factor.id, of: eve.id, by: admin)
  }
}

@Suite struct `The request of an event` {
  let home = TestHome()

  @Test func `is kept with it, and nothing is kept if none is known`() async throws {
    var caller = home.anyone
    caller.client.requestID = "r-1"
    let known = try await home.graph.signIn(home.credential("ada"), by: caller)
    var event = try await home.graph.event(known.receipt.id, in: home.scope)
    #expect(event.requestID == "r-1")
    #expect(event.details["client"] == ["requestID": "r-1"])
    let error = await expectError(.invalidCredential) { [caller] in
      try await home.graph.signIn(home.password("ada@example.com", "wrong-one-77"), by: caller)
    }
    event = try await home.graph.event(
      try (error?.eventID).unwrapped("event"), in: home.scope)
    #expect(event.requestID == "r-1")

    let unknown = try await home.signIn(home.credential("bo"))
    event = try await home.graph.event(unknown.receipt.id, in: home.scope)
    #expect(event.requestID == nil)
    #expect(event.details["client"] == nil)
    let json = try JSONEncoder().encode(event)
    let text = String(decoding: json, as: UTF8.self)
    #expect(!text.contains("client") && !text.contains("requestID"))
    #expect(try JSONDecoder().decode(AuditEvent.self, from: json) == event)
  }
}
