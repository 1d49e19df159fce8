import AuthCore
import Testing
import TestSupport

@Suite struct `A script that is asked about a conflict at a sign-in` {
  private let hook = ScriptedChangeHook()

  /// Signs in with a new identity whose verified address belongs to an account.
  private func enter(
    trusting: Bool, answering answer: ChangeAnswer
  ) async throws -> (home: TestHome, ada: Account, enter: @Sendable () async throws -> SignInResult)
  {
    let home = try await TestHome.asking(hook)
    let ada = try await home.person("ada")
    if trusting { try await home.trust(TestHome.other) }
    hook.answer(.onConflict) { _ in answer }
    let credential = try home.vendor("9", email: "ada@example.com", verified: true)
    return (home, ada, { try await home.signIn(credential) })
  }

  @Test(arguments: [true, false])
  func `it sees the account, the identity and whether the word counts`(
    isTrusted: Bool
  ) async throws {
    let (home, ada, enter) = try await enter(trusting: isTrusted, answering: .allow(fill: nil))
    let result = try? await enter()
    #expect((result?.account.id == ada.id) == isTrusted)
    let event = try hook.events.first { $0.kind == .onConflict }.unwrapped("event")
    #expect(event.account.id == ada.id && event.isProven == isTrusted)
    #expect(event.subject?.identity.key == IdentityKey(TestHome.other, subject: "9"))
    #expect(event.caller == .anyone && event.session == nil)
    #expect(try await home.everything().count == 1)
  }

  @Test(arguments: [true, false])
  func `a refusal is the app's own words`(isTrusted: Bool) async throws {
    let (home, ada, enter) = try await enter(trusting: isTrusted, answering: .refuse("ask us"))
    let error = await expectError(.blockingFunctionError) { try await enter() }
    #expect(error?.message.contains("ask us") == true)
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test(arguments: [true, false])
  func `to ask is the conflict that clients know, also of a trusted provider`(
    isTrusted: Bool
  ) async throws {
    let (home, ada, enter) = try await enter(trusting: isTrusted, answering: .ask)
    await expectError(.accountExistsWithDifferentCredential) { try await enter() }
    #expect(try await home.account(ada.id) == ada)
    // The link after a proof of the account goes through.
    _ = try await home.graph.link(
      home.vendor("9", email: "ada@example.com", verified: true), to: ada.id,
      by: home.session(ada.id))
    #expect(try await home.account(ada.id).identities.count == 2)
  }

  @Test func `attack: a script cannot merge a stranger into an account without proof`()
    async throws
  {
    let (home, ada, enter) = try await enter(trusting: false, answering: .merge)
    await expectError(.accountExistsWithDifferentCredential) { try await enter() }
    #expect(try await home.account(ada.id) == ada)
    let event = try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
    #expect(event.trace.steps.contains { $0.result.hasPrefix("not merged: ") })
  }

  @Test func `a trusted provider's identity enters if the script says merge`() async throws {
    let (home, ada, enter) = try await enter(trusting: true, answering: .merge)
    #expect(try await enter().account.id == ada.id)
    #expect(try await home.account(ada.id).identities.count == 2)
    #expect(hook.events.map(\.kind) == [.onConflict, .beforeLink])
  }

  @Test(arguments: [true, false])
  func `a requirement that a sign-in does not meet refuses it`(isTrusted: Bool) async throws {
    let (home, ada, enter) = try await enter(trusting: isTrusted, answering: .require(.approval))
    await expectError(.operationNotAllowed) { try await enter() }
    #expect(try await home.account(ada.id) == ada)
    hook.answer(.onConflict) { _ in .require(.recentLogin(seconds: nil)) }
    if isTrusted {
      #expect(try await enter().account.id == ada.id)
    } else {
      await expectError(.accountExistsWithDifferentCredential) { try await enter() }
    }
  }

  @Test func `a slow script is asked outside the transaction`() async throws {
    hook.beSlow()
    let (_, ada, enter) = try await enter(trusting: true, answering: .merge)
    #expect(try await enter().account.id == ada.id)
  }

  @Test func `a sign-in without a conflict asks nobody`() async throws {
    let home = try await TestHome.asking(hook)
    _ = try await home.signIn(home.credential("1", email: "ada@example.com"))
    _ = try await home.signIn(home.credential("1", email: "ada@example.com"))
    #expect(hook.events.isEmpty)
  }
}
