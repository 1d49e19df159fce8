import AuthCore
import Testing
import TestSupport

@Suite struct `A script that is asked about a taken address at a sign-up` {
  private let hook = ScriptedChangeHook()

  /// Makes a home with an account of an address.
  private func home(hiding isHidden: Bool = true) async throws -> (home: TestHome, ada: Account) {
    let home = try await TestHome.asking(hook)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.signIn.hidesAccounts = isHidden }
    let ada = try await home.person("ada")
    return (home, ada)
  }

  private func signUp(_ home: TestHome, _ email: String = "ada@example.com") async throws {
    _ = try await home.graph.signUp(home.password(email, "opensesame"), by: home.anyone)
  }

  @Test(arguments: [true, false])
  func `a refusal is the app's own words, with its code`(isHidden: Bool) async throws {
    let (home, ada) = try await home(hiding: isHidden)
    hook.answer(.onConflict) { _ in
      .refuse(MergeRefusal("sign in as staff", code: "staff"))
    }
    let error = await expectError(.blockingFunctionError) { try await signUp(home) }
    #expect(error?.message.contains("sign in as staff") == true)
    #expect(error?.message.contains("\"staff\"") == true)
    #expect(try await home.everything() == [ada])
    let event = try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
    #expect(event.action == .signUp && event.errorCode == "blocking-function-error")
    #expect(event.trace.steps.contains { $0.rule == "on_conflict" })
  }

  @Test(
    arguments: [
      .allow(fill: nil), .ask, .merge, .require(.approval), .require(.secondFactor),
      .require(.recentLogin(seconds: nil)), .require(.verifiedAddress),
    ] as [ChangeAnswer])
  func `attack: no other answer opens or enters an account`(_ answer: ChangeAnswer) async throws {
    let (home, ada) = try await home()
    hook.answer(.onConflict) { _ in answer }
    await expectError(.emailAlreadyInUse) { try await signUp(home) }
    #expect(hook.events.map(\.kind) == [.onConflict])
    #expect(try await home.everything() == [ada])
  }

  @Test func `the trace says why a merge is not made`() async throws {
    let (home, _) = try await home()
    hook.answer(.onConflict) { _ in .merge }
    await expectError(.emailAlreadyInUse) { try await signUp(home) }
    let event = try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
    #expect(event.trace.steps.contains { $0.result.hasPrefix("not merged: a sign-up") })
  }

  @Test func `attack: with hidden accounts it sees nothing that an answer could tell a stranger`()
    async throws
  {
    let (home, ada) = try await home()
    hook.answer(.onConflict) { _ in .ask }
    await expectError(.emailAlreadyInUse) { try await signUp(home) }
    let event = try hook.events.first.unwrapped("event")
    var shown = Account(id: ada.id, scope: ada.scope, createdAt: Timestamp(milliseconds: 0))
    shown.email = ada.email
    #expect(event.account == shown)
    #expect(event.subject?.identity.key.provider == .password && !event.isProven)
    #expect(event.caller == .anyone && event.session == nil)
  }

  @Test func `it sees the whole account if accounts are not hidden`() async throws {
    let (home, ada) = try await home(hiding: false)
    hook.answer(.onConflict) { _ in .ask }
    await expectError(.emailAlreadyInUse) { try await signUp(home) }
    #expect(hook.events.map(\.account) == [ada])
  }

  @Test func `a free address asks nobody`() async throws {
    let (home, _) = try await home()
    hook.answer(.onConflict) { _ in .ask }
    try await signUp(home, "bo@example.com")
    #expect(hook.events.isEmpty)
  }

  @Test func `a script that fails refuses, and tells the client nothing`() async throws {
    let (home, ada) = try await home()
    hook.answer(.onConflict) { _ in throw AuthError(.invalidPolicy, "line 7") }
    let error = await expectError(.blockingFunctionError) { try await signUp(home) }
    #expect(error?.message.contains("line 7") == false)
    #expect(try await home.everything() == [ada])
  }

  @Test func `a slow script is asked outside the transaction`() async throws {
    let (home, _) = try await home()
    hook.answer(.onConflict) { _ in .refuse(MergeRefusal("no")) }
    hook.beSlow()
    await expectError(.blockingFunctionError) { try await signUp(home) }
  }

  @Test func `it is asked about the account that signs in with the address, if several have it`()
    async throws
  {
    let (home, _) = try await home(hiding: false)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
    try await signUp(home)
    #expect(hook.events.isEmpty)
    hook.answer(.onConflict) { _ in .ask }
    await expectError(.emailAlreadyInUse) { try await signUp(home) }
    #expect(hook.events.first?.account.identities.map(\.key.provider) == [.password])
  }
}
