// snippet: kit imports
import AuthClient
import AuthCore
import AuthTestKit
// end
import Foundation
// snippet: testing import
import Testing
// end

/// The snippets of the article "Test and preview an app".
enum TestingSnippets {
  static func verify(_ kit: AuthTestKit) async throws -> User {
    // snippet: kit messages
    let user = try await kit.auth.createUser(
      withEmail: "ada@example.com", password: "correct horse"
    ).user
    try await user.sendEmailVerification()
    try await kit.auth.applyActionCode(try kit.actionCode(to: "ada@example.com"))
    try await user.reload()
    // end
    return user
  }

  static func google(_ kit: AuthTestKit) async throws -> User {
    // snippet: kit Google
    let user = try await kit.auth.signIn(with: try kit.google("ada@gmail.com")).user
    // end
    return user
  }

  static func later(_ kit: AuthTestKit, _ user: User) async throws -> (any Error)? {
    // snippet: kit clock
    kit.pass(seconds: 7200)
    let error = await #expect(throws: (any Error).self) { try await user.delete() }
    #expect(error?.authErrorCode == .requiresRecentLogin)
    // end
    return error
  }

  static func cut(_ kit: AuthTestKit, _ user: User) async throws -> (any Error)? {
    // snippet: kit connection
    kit.connection.isCut = true
    let error = await #expect(throws: (any Error).self) { try await user.reload() }
    #expect(error?.isRetryable == true)
    kit.connection.isCut = false
    // end
    return error
  }

  static func settings(_ kit: AuthTestKit) async throws {
    // snippet: kit settings
    try await kit.changeSettings { $0.signIn.passwordPolicy.needsDigit = true }
    // end
  }

  static func clock(_ backend: any AuthBackend, now: Date) -> Auth {
    // snippet: client clock
    let auth = Auth(backend: backend, clock: AuthClock(now: { now }))
    // end
    return auth
  }

  static func preview() -> Auth {
    // snippet: preview
    let auth = Auth.preview(
      signedInAs: PreviewUser(email: "ada@example.com", displayName: "Ada Lovelace"))
    // end
    return auth
  }
}

// snippet: kit test
@Suite struct `A new account` {
  @Test func `has an address that nobody has proved`() async throws {
    let kit = try await AuthTestKit()
    let result = try await kit.auth.createUser(
      withEmail: "ada@example.com", password: "correct horse")
    #expect(result.user.isEmailVerified == false)
    await kit.stop()
  }
}
// end
