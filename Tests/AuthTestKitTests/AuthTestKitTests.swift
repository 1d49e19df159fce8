import AuthClient
import AuthCore
import AuthTestKit
import AuthTesting
import Foundation
import TestSupport
import Testing

/// What an app's own tests do with the kit.
@Suite("The kit for tests of apps") struct AuthTestKitTests {
  private static let email = "ada@example.com"
  private static let password = "correct horse"

  /// Creates an account with a verified address.
  private func ada(_ kit: AuthTestKit) async throws -> User {
    let user = try await kit.auth.createUser(withEmail: Self.email, password: Self.password).user
    try await user.sendEmailVerification()
    try await kit.auth.applyActionCode(try kit.actionCode(to: Self.email))
    try await user.reload()
    return user
  }

  @Test func `an address is verified, and a password is reset, by messages`() async throws {
    let kit = try await AuthTestKit()
    let user = try await ada(kit)
    #expect(user.isEmailVerified && kit.mailbox.messages.count == 1)

    try await kit.auth.sendPasswordReset(withEmail: Self.email)
    try await kit.auth.confirmPasswordReset(
      withCode: try kit.actionCode(to: Self.email), newPassword: "another one")
    let again = try await kit.client().signIn(withEmail: Self.email, password: "another one")
    #expect(again.user.uid == user.uid)
    #expect(throws: AuthTestKit.NoMessage.self) { try kit.message(to: "bo@example.com") }
  }

  @Test func `people of vendors sign in and link`() async throws {
    let kit = try await AuthTestKit()
    let user = try await kit.auth.signIn(with: try kit.google("ada@gmail.com", name: "Ada")).user
    #expect(user.displayName == "Ada" && user.isEmailVerified)
    try await user.link(with: kit.facebook("ada@gmail.com"))
    try await user.link(with: try kit.openID("ada@work.example"))
    try await user.link(with: try await kit.phone("+15555550100"))

    #expect(
      Set(user.providerData.map(\.providerID)) == [
        "google.com", "facebook.com", "oidc.work", "phone",
      ])
    let again = try await kit.client().signIn(with: try kit.google("ada@gmail.com"))
    #expect(again.user.uid == user.uid)
    #expect(try await kit.graph.accountCount(in: kit.admin.scope) == 1)
  }

  @Test func `tokens are refreshed in the background when the clock moves`() async throws {
    let kit = try await AuthTestKit()
    let user = try await kit.auth.signInAnonymously().user
    let first = try await user.getIDToken()
    kit.auth.getToken(forcingRefresh: false) { _, _ in }
    try await eventually { kit.clock.sleeping == 1 }
    kit.pass(seconds: 3400)

    try await eventually { kit.connection.paths.contains("/v1/token") }
    #expect(try await user.getIDToken() != first)
    #expect(kit.auth.currentUser === user)
  }

  @Test func `a device whose clock is late stays signed in`() async throws {
    let kit = try await AuthTestKit()
    let start = kit.now
    let auth = Auth(
      backend: kit.connection, apiKey: "test-key", clock: AuthClock(now: { start }))
    let user = try await auth.createUser(withEmail: Self.email, password: Self.password).user
    kit.pass(seconds: 7200)
    try await user.reload()
    let error = await #expect(throws: (any Error).self) { try await user.delete() }

    #expect(error?.authErrorCode == .requiresRecentLogin)
    #expect(auth.currentUser === user)
    #expect(kit.connection.paths.count { $0 == "/v1/token" } == 1)
  }

  @Test func `a cut connection is an error that passes`() async throws {
    let kit = try await AuthTestKit()
    let user = try await kit.auth.signInAnonymously().user
    kit.connection.isCut = true
    let error = await #expect(throws: (any Error).self) { try await user.reload() }
    #expect(error?.authErrorCode == .networkError && error?.isRetryable == true)
    #expect(kit.auth.currentUser === user)

    kit.connection.isCut = false
    try await user.reload()
  }

  @Test func `a fault of the store tells its reason to its own process`() async throws {
    let store = BreakableStore()
    let kit = try await AuthTestKit(store: store)
    let user = try await kit.auth.signInAnonymously().user
    store.setBroken(true)
    let error = await #expect(throws: NSError.self) { try await user.reload() }

    #expect(error?.authErrorCode == .internalError && error?.isRetryable == true)
    let reason = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(reason?.localizedDescription == BreakableStore.failure.message)
    store.setBroken(false)
    try await user.reload()
  }

  @Test func `an authenticator app's used code says what helps`() async throws {
    let kit = try await AuthTestKit()
    let user = try await ada(kit)
    let secret = try await TOTPMultiFactorGenerator.generateSecret(
      with: try await user.multiFactor.session())
    try await user.multiFactor.enroll(
      with: TOTPMultiFactorGenerator.assertionForEnrollment(
        with: secret, oneTimePassword: kit.code(of: secret)), displayName: nil)
    let device = kit.client()
    let pending = await #expect(throws: (any Error).self) {
      try await device.signIn(withEmail: Self.email, password: Self.password)
    }
    let resolver = try #require(pending?.multiFactorResolver)
    let factor = try #require(resolver.hints.first)
    let resolve = { @Sendable in
      try await resolver.resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: factor.uid, oneTimePassword: kit.code(of: secret)))
    }
    let error = await #expect(throws: (any Error).self) { try await resolve() }
    #expect(error?.authErrorCode == .invalidVerificationCode)
    #expect(error?.localizedDescription.contains("Wait for the next code") == true)

    kit.pass(seconds: 30)
    #expect(try await resolve().user.uid == user.uid)
  }
}
