import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Codes of the emulator` {
  let home = TestHome(behavior: .emulator)

  @Test func `codes stay until they are used, and are listed oldest first`() async throws {
    let ada = try await home.withPassword("ada@example.com", verified: false)
    let verify = try await home.code(.verifyEmail, by: home.session(ada.id))
    home.clock.advance(seconds: 1)
    let entry = try await home.code(.emailSignIn, "bo@example.com")
    home.clock.advance(seconds: 1)
    let reset = try await home.code(.resetPassword, "ada@example.com")
    home.clock.advance(seconds: 400 * 86400)
    try await home.update(ada.id) { $0.password = Secret("another-secret") }
    func open() async throws -> [String] {
      try await home.graph.openActionCodes(in: home.scope).map { $0.code.reveal() }
    }
    #expect(try await open() == [verify, entry, reset].map { $0.code.reveal() })

    try await home.apply(verify)
    _ = try await home.enter(entry, "bo@example.com")

    #expect(try await open() == [reset.code.reveal()])
    try await home.reset(reset, "third-secret")
    #expect(try await open().isEmpty)
  }

  @Test func `a reset takes vendors away, and leaves password and phone`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))
    try await home.update(ada.id) { $0.phoneNumber = .set(try PhoneNumber("+15555550123")) }
    let result = try await home.reset(
      home.code(.resetPassword, "ada@example.com"), "second-secret")
    #expect(result.account.identities.map(\.provider) == [.password, .phone])
    #expect(result.account.phoneNumber != nil)
  }

  @Test func `a change of the address offers the first one its recovery, and ends no session`()
    async throws
  {
    let ada = try await home.withPassword("ada@example.com")
    let session = home.session(ada.id)
    let code = try await home.code(.verifyAndChangeEmail, new: "new@example.com", by: session)
    let changed = try await home.apply(code)
    #expect(changed.recovery == nil && changed.account.validSince == ada.validSince)
    home.clock.advance(seconds: 60)
    var update = AccountUpdate()
    update.profile.email = .set(try EmailAddress("third@example.com"))
    let result = try await home.graph.update(ada.id, update, by: session)
    let recovery = try result.recovery.unwrapped("recovery")
    #expect(recovery.info.email.text == "ada@example.com")
    #expect(try await home.apply(recovery).account.email?.text == "ada@example.com")
  }

  @Test func `a code follows its address to another account`() async throws {
    let first = try await home.withPassword("ada@example.com", verified: false)
    let code = try await home.code(.verifyEmail, by: home.session(first.id))
    _ = try await home.graph.delete(first.id, by: home.admin)
    await expectError(.invalidActionCode) { try await home.apply(code) }
    let second = try await home.withPassword("ada@example.com", verified: false)
    #expect(try await home.apply(code).account.id == second.id)
  }

  @Test func `an unknown address is not reported, even to an admin`() async throws {
    let request = ActionCodeRequest(.resetPassword, email: try EmailAddress("no@example.com"))
    #expect(try await home.graph.makeActionCode(request, by: home.admin) == nil)
  }
}
