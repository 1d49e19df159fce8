import AuthCore
import AuthTesting
import Testing
import TestSupport

/// An address that several accounts share; one of them signs in with it, by password and by link.
@Suite struct `F10: an address that accounts share` {
  let home = TestHome()

  @Test(arguments: [true, false])
  func `gives no password to an account beside the one that its links open`(
    byAdmin: Bool
  ) async throws {
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("bob@example.com"))
    let stranger = try await home.graph.create(changes, by: home.admin).accountID
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
    let code = try await home.code(.emailSignIn, "bob@example.com")
    let bob = try await home.enter(code, "bob@example.com").account
    #expect(bob.id != stranger)

    var password = ProfileChanges()
    password.password = Secret("a-strangers-secret")
    let caller = byAdmin ? home.admin : home.session(stranger)
    await expectError(.emailAlreadyInUse) { [password] in
      try await home.graph.update(stranger, password, by: caller)
    }
    await expectError(.emailAlreadyInUse) {
      try await home.graph.link(
        home.password("bob@example.com", "a-strangers-secret"), to: stranger, by: caller)
    }
    _ = try await home.graph.update(bob.id, password, by: home.session(bob.id))
    #expect(try await home.account(bob.id).passwordIdentity != nil)
  }
}
