import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `A script that is asked about changes of who owns what` {
  private let hook = ScriptedChangeHook()

  private func home() async throws -> TestHome {
    try await .asking(hook, policies: [ChangePath.policy])
  }

  private func lastEvent(_ home: TestHome) async throws -> AuditEvent {
    try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
  }

  @Test(arguments: ChangePath.allCases)
  func `it is asked once on each path, and why names it`(_ path: ChangePath) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    hook.answer(path.kind) { _ in .allow(fill: nil) }

    try await act(0, false)

    let asked = hook.events.filter { $0.kind != .onConflict }
    #expect(asked.map(\.kind) == [path.kind])
    let event = try asked.first.unwrapped("event")
    #expect(event.caller == path.caller && event.scope == home.scope)
    #expect((event.session != nil) == (path.caller == .person))
    #expect((event.other != nil) == [.beforeMerge, .beforeUndo].contains(path.kind))
    if [.beforeLink, .beforeUnlink].contains(path.kind) {
      #expect(event.subject?.identity.key == IdentityKey(TestHome.other, subject: "9"))
    }
    let step = try await lastEvent(home).trace.steps.first { $0.rule == path.kind.function }
    #expect(step?.result == "allow")
    #expect(
      step?.inputs.contains { $0.value == hook.version } == true, "\(String(describing: step))")
  }

  @Test(arguments: ChangePath.allCases)
  func `a slow script is asked outside the transaction, and is carried out`(
    _ path: ChangePath
  ) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    hook.beSlow()
    hook.answer(path.kind) { _ in .refuse("slow, but no") }
    await expectError(.blockingFunctionError) { try await act(0, false) }
    hook.answer(path.kind) { _ in .allow(fill: nil) }
    try await act(0, false)
  }

  @Test(arguments: ChangePath.allCases)
  func `a refusal changes nothing, and has the app's code`(_ path: ChangePath) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    let before = try await home.everything()
    hook.answer(path.kind) { _ in
      .refuse(MergeRefusal("not here", code: "house-rule", place: "hooks.lua:3"))
    }

    let error = await expectError(.blockingFunctionError) { try await act(0, false) }

    #expect(try await home.everything() == before)
    let message = try (error?.message).unwrapped("message")
    #expect(message.contains("not here"))
    #expect(message.contains("house-rule") == (path.caller != .admin), "\(message)")
    #expect(error?.remedy?.contains("hooks.lua:3") == true)
    let event = try await lastEvent(home)
    #expect(event.errorCode == "blocking-function-error" && event.details["code"] == "house-rule")
    let step = event.trace.steps.first { $0.rule == path.kind.function }
    #expect(step?.result == "refused: not here")
    #expect(step?.inputs.contains { $0.value == "hooks.lua:3" } == true)
  }

  @Test(arguments: ChangePath.allCases)
  func `a script that fails refuses, and only an admin learns why`(
    _ path: ChangePath
  ) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    let before = try await home.everything()
    hook.answer(path.kind) { _ in throw Failed(description: "line 7 is wrong") }

    let error = await expectError(.blockingFunctionError) { try await act(0, false) }

    #expect(try await home.everything() == before)
    if path.caller != .admin { #expect(error?.message == "A hook of the app failed.") }
    #expect(error?.cause is AppScriptFailure)
    let step = try await lastEvent(home).trace.steps.first { $0.rule == path.kind.function }
    #expect(step?.result.hasPrefix("failed: ") == true)
  }

  @Test(arguments: ChangePath.allCases)
  func `an approval is an admin's, and the attempt is there to be found`(
    _ path: ChangePath
  ) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    hook.answer(path.kind) { _ in .require(.approval) }
    guard path.caller != .admin else {
      try await act(0, false)
      return
    }
    let before = try await home.everything()
    await expectError(.operationNotAllowed) { try await act(0, true) }
    #expect(try await home.everything() == before)
    let event = try await lastEvent(home)
    #expect(event.details["requirement"] == "approval" && event.accountID != nil)
  }

  @Test(arguments: ChangePath.allCases)
  func `a recent sign-in is required, and then given`(_ path: ChangePath) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    hook.answer(path.kind) { _ in .require(.recentLogin(seconds: 60)) }
    // An anonymous account cannot sign in again, and a sign-in is a recent one.
    if path.caller == .person && path != .upgrade {
      let before = try await home.everything()
      await expectError(.requiresRecentLogin) { try await act(120, false) }
      #expect(try await home.everything() == before)
      #expect(try await lastEvent(home).details["requirement"] == "recent login")
    }
    try await act(30, false)
  }

  @Test(arguments: ChangePath.allCases.filter { $0 != .ownMerge })
  func `a second factor is required, and then given`(_ path: ChangePath) async throws {
    let home = try await home()
    let act = try await path.prepared(on: home)
    hook.answer(path.kind) { _ in .require(.secondFactor) }
    if path.caller != .admin {
      let before = try await home.everything()
      let error = await expectError(.secondFactorRequired) { try await act(0, false) }
      #expect(error?.resolver == nil && error?.remedy != nil)
      #expect(try await home.everything() == before)
      #expect(try await lastEvent(home).details["requirement"] == "second factor")
    }
    if path.caller == .person { try await act(0, true) }
  }

  @Test func `the plan of one's own merge tells the answer`() async throws {
    let home = try await home()
    func proof(_ subject: String, _ provider: ProviderID) async throws -> ProvenSession {
      let account = try await home.signIn(home.credential(subject, provider: provider)).account
      return ProvenSession(
        scope: home.scope, account: account.id, signedInAt: home.clock.now, provider: provider,
        identity: account.identities.first?.key, secondFactor: nil)
    }
    let merge = OwnMerge(
      try await proof("8", TestHome.other), into: try await proof("1", TestHome.fake))
    hook.answer(.beforeMerge) { _ in .require(.approval) }
    await expectError(.operationNotAllowed) { try await home.graph.planMerge(merge) }
    hook.answer(.beforeMerge) { _ in .allow(fill: nil) }
    _ = try await home.graph.planMerge(merge)
  }

  @Test func `a dry run tells the answer`() async throws {
    let home = try await home()
    let ada = try await home.signIn(home.credential("1")).account
    hook.answer(.beforeLink) { _ in .refuse("not here") }
    var caller = home.admin
    caller.dryRun = true
    let key = IdentityKey(TestHome.other, subject: "9")
    let trying = caller
    await expectError(.blockingFunctionError) {
      try await home.graph.assert(key, profile: IdentityProfile(), on: ada.id, by: trying)
    }
    hook.answer(.beforeLink) { _ in .allow(fill: nil) }
    let receipt = try await home.graph.assert(
      key, profile: IdentityProfile(), on: ada.id, by: trying)
    #expect(receipt.dryRun && receipt.trace.steps.contains { $0.rule == "before_link" })
    #expect(try await home.account(ada.id) == ada)
  }

  @Test(
    arguments: [
      (nil, nil), ([], nil), ([.displayName], "Bo"), ([.photoURL], nil),
    ] as [(Set<ChangeAnswer.FilledField>?, String?)])
  func `a link fills the fields that the script names`(
    fill: Set<ChangeAnswer.FilledField>?, name: String?
  ) async throws {
    let home = try await home()
    let ada = try await home.signIn(home.credential("1")).account
    hook.answer(.beforeLink) { _ in .allow(fill: fill) }
    _ = try await home.graph.link(
      home.vendor("9", email: nil, name: "Bo"), to: ada.id, by: home.session(ada.id))
    let linked = try await home.account(ada.id)
    #expect(linked.identities.count == 2)
    if fill != nil { #expect(linked.displayName == name) }
  }

  @Test func `a field that is there is not filled`() async throws {
    let home = try await home()
    let ada = try await home.signIn(home.credential("1", name: "Ada")).account
    hook.answer(.beforeLink) { _ in .allow(fill: [.displayName]) }
    _ = try await home.graph.link(
      home.vendor("9", email: nil, name: "Bo"), to: ada.id, by: home.session(ada.id))
    #expect(try await home.account(ada.id).displayName == "Ada")
  }

  @Test func `imports, deletions and their undo are exempt`() async throws {
    let home = try await home()
    hook.answer(.beforeLink) { _ in .refuse("nothing") }
    let ada = try await home.bring("ada") { account in
      account.identities = [
        Identity(
          key: IdentityKey(TestHome.fake, subject: "1"), origin: .credential,
          linkedAt: account.createdAt)
      ]
    }
    _ = try await home.graph.delete(ada.id, by: home.admin)
    #expect(hook.events.isEmpty)
  }

  @Test func `a change of the address moves a password, which is no new link`() async throws {
    let home = try await home()
    let ada = try await home.graph.signUp(
      home.password("ada@example.com", "secret-1"), by: home.anyone
    ).account
    try await home.update(ada.id) { $0.email = .set(try EmailAddress("new@example.com")) }
    #expect(try await home.account(ada.id).passwordIdentity?.key.subject == "new@example.com")
    #expect(hook.events.isEmpty)
  }
}
