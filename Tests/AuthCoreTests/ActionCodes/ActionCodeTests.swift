import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Codes that come by e-mail` {
  let home = TestHome()

  @Test func `a code verifies the address, once`() async throws {
    let ada = try await home.withPassword("ada@example.com", verified: false)
    let code = try await home.code(.verifyEmail, by: home.session(ada.id))
    let text = code.code.reveal()
    #expect(text.count == 54)
    #expect(text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
    let info = try await home.graph.actionCode(text, by: home.anyone)
    #expect(info.operation == .verifyEmail && info.email.text == "ada@example.com")

    let result = try await home.apply(code)

    #expect(result.account.emailVerified && result.account.validSince == ada.validSince)
    #expect(try await home.account(ada.id).emailVerified)
    await expectError(.invalidActionCode) { try await home.apply(code) }
    await expectError(.invalidActionCode) {
      try await home.graph.actionCode(text, by: home.anyone)
    }
  }

  @Test func `a code that was changed, cut or belongs to another scope is unknown`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let text = try await home.code(.verifyEmail, by: home.session(ada.id)).code.reveal()
    let flipped = text.dropLast() + (text.last == "A" ? "B" : "A")
    for wrong in [String(flipped), String(text.dropLast()), "", text + "A"] {
      await expectError(.invalidActionCode) {
        try await home.graph.actionCode(wrong, by: home.anyone)
      }
    }
    var elsewhere = home.anyone
    elsewhere.scope = Scope(project: "test", tenant: "other")
    let caller = elsewhere
    await expectError(.invalidActionCode) { try await home.graph.actionCode(text, by: caller) }
  }

  @Test(arguments: [
    (ActionCode.Operation.resetPassword, Int64(3600)), (.verifyEmail, 3 * 86400),
    (.emailSignIn, 6 * 3600), (.verifyAndChangeEmail, 3 * 86400),
  ])
  func `a code lasts as long as its kind`(kind: ActionCode.Operation, lifetime: Int64) async throws
  {
    let ada = try await home.withPassword("ada@example.com")
    let caller = home.session(ada.id)
    func make() async throws -> ActionCode {
      try await home.code(kind, "ada@example.com", new: "new@example.com", by: caller)
    }
    let code = try await make()
    home.clock.advance(seconds: lifetime - 1)
    _ = try await home.graph.actionCode(code.code.reveal(), by: home.anyone)
    home.clock.advance(seconds: 1)
    await expectError(.expiredActionCode) {
      try await home.graph.actionCode(code.code.reveal(), by: home.anyone)
    }
  }

  @Test func `an address is changed when the new one was shown, and taken back by the old`()
    async throws
  {
    let ada = try await home.withPassword("ada@example.com")
    let before = home.session(ada.id)
    let code = try await home.code(.verifyAndChangeEmail, new: "new@example.com", by: before)
    home.clock.advance(seconds: 60)
    let changed = try await home.apply(code)
    #expect(changed.account.email?.text == "new@example.com" && changed.account.emailVerified)
    #expect(changed.account.details.initialEmail?.text == "ada@example.com")
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(provider: .password, showing: nil, by: before)
    }
    let recovery = try changed.recovery.unwrapped("recovery")
    #expect(recovery.info.operation == .recoverEmail)
    #expect(recovery.info.email.text == "ada@example.com")

    // The thief changes everything that can be changed.
    home.clock.advance(seconds: 60)
    try await home.update(ada.id) { $0.password = Secret("another-secret") }
    let recovered = try await home.apply(recovery)
    #expect(recovered.account.email?.text == "ada@example.com" && recovered.account.emailVerified)
    let reset = try await home.code(.resetPassword, "ada@example.com")
    try await home.reset(reset, "third-secret")
    #expect(
      try await home.signIn(home.password("ada@example.com", "third-secret")).account.id == ada.id)
  }

  @Test func `an address that was taken meanwhile is refused, and the code stays`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let code = try await home.code(
      .verifyAndChangeEmail, new: "new@example.com", by: home.session(ada.id))
    let other = try await home.withPassword("new@example.com")
    await expectError(.emailAlreadyInUse) { try await home.apply(code) }
    await expectError(.emailAlreadyInUse) {
      try await home.code(
        .verifyAndChangeEmail, new: "new@example.com", by: home.session(ada.id))
    }
    _ = try await home.graph.delete(other.id, by: home.admin)
    #expect(try await home.apply(code).account.email?.text == "new@example.com")
  }

  @Test func `a password is reset, and a weak one leaves the code for another attempt`()
    async throws
  {
    let ada = try await home.withPassword("ada@example.com")
    let before = home.session(ada.id)
    let code = try await home.code(.resetPassword, "ADA@example.com")
    home.clock.advance(seconds: 60)
    await expectError(.weakPassword) { try await home.reset(code, "short") }
    await expectError(.operationNotAllowed) { try await home.apply(code) }
    let result = try await home.reset(code, "second-secret")
    #expect(result.account.emailVerified)
    await expectError(.invalidActionCode) { try await home.reset(code, "third-secret") }
    await expectError(.invalidCredential) {
      try await home.signIn(home.password("ada@example.com", "first-secret"))
    }
    _ = try await home.signIn(home.password("ada@example.com", "second-secret"))
    await expectError(.userTokenExpired) {
      try await home.graph.renewSession(provider: .password, showing: nil, by: before)
    }
  }

  @Test func `a missing account is not reported unless the scope allows it`() async throws {
    let request = ActionCodeRequest(.resetPassword, email: try EmailAddress("no@example.com"))
    #expect(try await home.graph.makeActionCode(request, by: home.anyone) == nil)
    await expectError(.userNotFound) {
      try await home.graph.makeActionCode(request, by: home.admin)
    }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.signIn.hidesAccounts = false }
    await expectError(.userNotFound) {
      try await home.graph.makeActionCode(request, by: home.anyone)
    }
  }

  @Test func `each kind of code is open to its own callers`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    await expectError(.operationNotAllowed) { try await home.code(.verifyEmail, "ada@example.com") }
    await expectError(.userNotFound) {
      try await home.code(.verifyEmail, "no@example.com", by: home.admin)
    }
    _ = try await home.code(.verifyEmail, "ada@example.com", by: home.admin)
    for kind in [ActionCode.Operation.recoverEmail, .revertSecondFactorAddition] {
      await expectError(.operationNotAllowed) {
        try await home.code(kind, "ada@example.com", by: home.admin)
      }
    }
    home.clock.advance(seconds: 3600)
    let old = home.session(ada.id, signedInAt: home.clock.now.adding(seconds: -600))
    await expectError(.requiresRecentLogin) {
      try await home.code(.verifyAndChangeEmail, new: "new@example.com", by: old)
    }
    _ = try await home.code(.verifyEmail, by: old)
  }

  @Test func `ten codes an hour are the limit`() async throws {
    _ = try await home.withPassword("ada@example.com")
    for _ in 0..<10 { _ = try await home.code(.resetPassword, "ada@example.com") }
    await expectError(.tooManyRequests) { try await home.code(.resetPassword, "ada@example.com") }
    _ = try await home.code(.resetPassword, "ada@example.com", by: home.admin)
  }

  @Test func `a disabled account is not verified`() async throws {
    let ada = try await home.withPassword("ada@example.com", verified: false)
    let verify = try await home.code(.verifyEmail, by: home.session(ada.id))
    try await home.update(ada.id) { $0.disabled = true }
    // The account's open codes ended with its sessions, and stay void when it is enabled again.
    await expectError(.invalidActionCode) { try await home.apply(verify) }
    try await home.update(ada.id) { $0.disabled = false }
    await expectError(.invalidActionCode) { try await home.apply(verify) }
  }

  @Test func `a code signs in by e-mail, for its address alone and once`() async throws {
    let code = try await home.code(.emailSignIn, "ada@example.com")
    await expectError(.invalidEmail) { try await home.enter(code, "eve@example.com") }
    let entered = try await home.enter(code, "ada@example.com")
    #expect(entered.isNewUser && entered.account.emailVerified)
    #expect(entered.session?.identity == IdentityKey(.emailLink, subject: "ada@example.com"))
    await expectError(.invalidActionCode) { try await home.enter(code, "ada@example.com") }
    let verify = try await home.code(.verifyEmail, by: home.session(entered.account.id))
    await expectError(.invalidActionCode) { try await home.enter(verify, "ada@example.com") }
  }

  @Test func `a message goes to the address that its code proves`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let code = try await home.code(
      .verifyAndChangeEmail, new: "New@Example.com", by: home.session(ada.id))
    try await home.send(
      code,
      ActionCodeLetter(requestedFrom: "192.0.2.1", locale: "de") { _ in
        Secret("https://app.example/?oobCode=…")
      })
    let message = try home.messages.last().unwrapped("message")
    #expect(message.kind == .changeEmail && message.recipient == "new@example.com")
    #expect(message.locale == "de" && message.concerning == "ada@example.com")
    #expect(message.requestedFrom == "192.0.2.1" && message.kind.carriesLink)
  }

  @Test func `the store and the audit do not reveal a code`() async throws {
    let ada = try await home.withPassword("ada@example.com", verified: false)
    let text = try await home.code(.verifyEmail, by: home.session(ada.id)).code.reveal()
    let scope = home.scope
    let records = try await home.store.read {
      try $0.oneTimeRecords(.actionCode, after: nil, limit: 10, in: scope)
    }
    #expect(records.count == 1)
    for record in records {
      #expect(!"\(record)".contains(text.suffix(32)))
      #expect(!"\(record)".contains("ada@example.com"))
    }
    _ = try await home.graph.applyActionCode(text, by: home.anyone)
    let events = try await home.graph.events(limit: 100, in: scope)
    #expect(!"\(events)".contains(text.suffix(32)))
  }

  @Test func `concurrent uses of a code take effect once`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    let code = try await home.code(.resetPassword, "ada@example.com")
    let done = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<6 {
        group.addTask { (try? await home.reset(code, "secret-number-\(number)")) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(done == 1)
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test func `open codes cannot be listed`() async throws {
    await expectError(.operationNotAllowed) {
      try await home.graph.openActionCodes(in: home.scope)
    }
  }
}
