import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Hooks on an anonymous account that becomes a person's` {
  let hooks = ScriptedHooks()
  let home: TestHome

  init() {
    home = TestHome(hooks: hooks)
    // The hook accepts the addresses of one domain only.
    hooks.answer(.beforeCreate) { _, event in
      guard event.account.email?.domain == "allowed.example" else {
        throw AuthError(.blockingFunctionError, "Not from here.", step: .decision)
      }
    }
  }

  /// The ways in which an anonymous account becomes a person's.
  enum Way: String, CaseIterable, Sendable {
    case password, vendor, emailLink, phone, update, plainLink
  }

  private func upgrade(_ way: Way, to email: String, _ home: TestHome) async throws -> Account {
    let (account, caller) = try await home.anonymous()
    let graph = home.graph
    switch way {
    case .password:
      _ = try await graph.linkForSession(
        home.password(email, "first-secret"), to: account.id, by: caller)
    case .vendor:
      _ = try await graph.linkForSession(
        home.credential("1", email: email), to: account.id, by: caller)
    case .plainLink:
      _ = try await graph.link(home.credential("1", email: email), to: account.id, by: caller)
    case .emailLink:
      let code = try await home.code(.emailSignIn, email)
      let link = try graph.providers.credential(
        .emailLink, ["email": email, "link": code.code.reveal()])
      _ = try await graph.linkForSession(link, to: account.id, by: caller)
    case .phone:
      let sent = try await graph.sendChallenge(
        .phone, ChallengeRequest(recipient: "+15555550123"), by: home.anyone)
      let credential = try graph.providers.credential(
        .phone,
        [
          "verificationID": sent.verificationID,
          "verificationCode": home.sentCode("+15555550123").reveal(),
        ])
      _ = try await graph.linkForSession(credential, to: account.id, by: caller)
    case .update:
      _ = try await graph.changeSettings(by: home.admin) { $0.signIn.hidesAccounts = false }
      var changes = ProfileChanges()
      changes.email = .set(try EmailAddress(email))
      changes.password = Secret("first-secret")
      _ = try await graph.update(account.id, changes, by: caller)
    }
    return try await home.account(account.id)
  }

  @Test(arguments: Way.allCases)
  func `F5: before_create is asked, and refuses`(_ way: Way) async throws {
    await expectError(.blockingFunctionError) {
      try await upgrade(way, to: "bad@evil.example", home)
    }
    let left = try await home.everything()
    #expect(left.map(\.isAnonymous) == [true])
    #expect(left.first?.identities.isEmpty == true && left.first?.email == nil)
  }

  @Test(arguments: Way.allCases.filter { $0 != .phone })
  func `F5: before_create is asked once, and lets in`(_ way: Way) async throws {
    let account = try await upgrade(way, to: "ada@allowed.example", home)
    #expect(!account.isAnonymous)
    let kinds = hooks.events.map(\.kind)
    #expect(kinds.filter { $0 == .beforeCreate }.count == 1)
    #expect(kinds.contains(.beforeSignIn) == ![.update, .plainLink].contains(way))

    let account2 = home.session(account.id)
    _ = try await home.graph.linkForSession(
      home.credential("9", provider: TestHome.other), to: account.id, by: account2)
    #expect(hooks.events.count { $0.kind == .beforeCreate } == 1)
  }

  @Test func `F5: the account has the changes of before_create`() async throws {
    hooks.answer(.beforeCreate) { answer, event in
      answer.displayName = .set("Named by the app")
      #expect(event.signInMethod == "password" && !event.account.isAnonymous)
    }
    let account = try await upgrade(.update, to: "ada@allowed.example", home)
    #expect(account.displayName == "Named by the app")
  }

  @Test func `F5: the emulator asks no hook, as Firebase's`() async throws {
    let home = TestHome(behavior: .emulator, hooks: hooks)
    let account = try await upgrade(.vendor, to: "bad@evil.example", home)
    #expect(!account.isAnonymous)
    #expect(hooks.events.map(\.kind) == [.beforeSignIn])
  }

  @Test func `F5: an admin's change and a rehearsal ask no hook`() async throws {
    let (account, caller) = try await home.anonymous()
    var rehearsal = caller
    rehearsal.dryRun = true
    _ = try await home.graph.link(
      home.credential("1", email: "bad@evil.example"), to: account.id, by: rehearsal)
    try await home.update(account.id) { $0.email = .set(try EmailAddress("bad@evil.example")) }
    #expect(hooks.events.isEmpty)
  }
}
