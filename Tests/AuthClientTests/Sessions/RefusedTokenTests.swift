import Foundation
import TestSupport
import Testing

@testable import AuthClient

/// ID tokens that the server refuses: mostly expired ones of a device whose clock is wrong.
@Suite struct RefusedTokenTests {
  /// A call that an ID token authorises.
  struct Call: Sendable, CustomStringConvertible {
    let description: String
    let operation: AuthClient.Operation
    let run: @Sendable (User) async throws -> Void
  }

  static let calls = [
    Call(description: "reload", operation: .lookup) { try await $0.reload() },
    Call(description: "unlink", operation: .update) {
      _ = try await $0.unlink(fromProvider: "google.com")
    },
    Call(description: "password", operation: .update) { try await $0.updatePassword(to: "secret") },
    Call(description: "message", operation: .sendOobCode) { try await $0.sendEmailVerification() },
    Call(description: "deletion", operation: .delete) { try await $0.delete() },
    Call(description: "ways in", operation: .waysIn) { _ = try await $0.waysIn() },
    Call(description: "end of ways in", operation: .endWaysIn) { try await $0.endWaysIn([]) },
    Call(description: "revocation", operation: .revokeToken) {
      try await $0.auth.revokeToken(withAuthorizationCode: "code")
    },
    Call(description: "removed factor", operation: .withdrawFactor) {
      try await $0.multiFactor.unenroll(withFactorUID: "factor")
    },
    Call(description: "plan of a merge", operation: .planMerge) {
      _ = try await $0.auth.planMerge(of: $0, into: $0)
    },
    Call(description: "move", operation: .move) {
      let credential = GitHubAuthProvider.credential(withToken: "token")
      try await $0.link(with: credential, from: $0)
    },
  ]

  private func signedIn(_ server: PlayedServer, _ name: String = "ada") async throws -> User {
    let user = try await server.client().signIn(withEmail: name, password: "secret").user
    server.forget()
    return user
  }

  @Test(arguments: calls, ["TOKEN_EXPIRED", "INVALID_ID_TOKEN"])
  func `a refused token is refreshed once, and the request is sent again`(
    _ call: Call, _ refusal: String
  ) async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    let auth = user.auth
    server.refuse(user.rawToken, refusal)
    try await call.run(user)

    #expect(server.count(.token) == 1)
    #expect(
      server.paths.prefix(3) == [call.operation.rawValue, "/v1/token", call.operation.rawValue])
    #expect(auth.currentUser === (call.operation == .delete ? nil : user))
  }

  @Test func `the request is sent twice at most, and nobody is signed out`() async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken)
    server.answerRefreshes(.useless)
    let error = await #expect(throws: (any Error).self) { try await user.reload() }

    #expect(error?.authErrorCode == .userTokenExpired)
    #expect(server.paths == ["/v1/accounts:lookup", "/v1/token", "/v1/accounts:lookup"])
    #expect(user.auth.currentUser === user)
  }

  @Test(arguments: [
    ("TOKEN_EXPIRED", AuthErrorCode.userTokenExpired), ("USER_DISABLED", .userDisabled),
    ("USER_NOT_FOUND", .userNotFound), ("INVALID_REFRESH_TOKEN", .invalidUserToken),
  ])
  func `a refused refresh token ends the session`(
    _ refusal: String, _ code: AuthErrorCode
  ) async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken)
    server.answerRefreshes(.refused(refusal, status: 400))
    let error = await #expect(throws: (any Error).self) { try await user.reload() }

    #expect(error?.authErrorCode == code)
    #expect(server.paths == ["/v1/accounts:lookup", "/v1/token"])
    #expect(user.auth.currentUser == nil)
  }

  @Test(arguments: [
    ("TOO_MANY_ATTEMPTS_TRY_LATER", 429), ("The service is unavailable now.", 503),
    ("PROJECT_DISABLED", 400), ("Bad gateway", 502),
  ])
  func `any other failure of the refresh ends nothing`(
    _ refusal: String, _ status: Int
  ) async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken)
    server.answerRefreshes(.refused(refusal, status: status))
    await #expect(throws: (any Error).self) { try await user.reload() }
    #expect(user.auth.currentUser === user)

    server.answerRefreshes(.granted)
    try await user.reload()
  }

  @Test func `a lost connection at the refresh ends nothing`() async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken)
    server.answerRefreshes(.unreachable)
    let error = await #expect(throws: (any Error).self) { try await user.reload() }

    #expect(error?.authErrorCode == .networkError && error?.isRetryable == true)
    #expect(user.auth.currentUser === user)
    server.answerRefreshes(.granted)
    try await user.reload()
    #expect(user.displayName == "ada")
  }

  @Test func `calls with the same refused token share one refresh`() async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try await user.reload() } }
      try await group.waitForAll()
    }

    #expect(server.count(.token) == 1)
    #expect(user.auth.currentUser === user)
  }

  @Test func `the end of one session leaves the next user signed in`() async throws {
    let gate = Gate()
    let server = PlayedServer(gate: gate)
    let ada = try await signedIn(server)
    let auth = ada.auth
    server.refuse(ada.rawToken)
    server.answerRefreshes(.refused("TOKEN_EXPIRED", status: 400))
    let late = Task { try await ada.reload() }
    while server.count(.token) == 0 { await Task.yield() }
    let bo = try await auth.signIn(withEmail: "bo", password: "secret").user
    gate.open()

    await #expect(throws: (any Error).self) { try await late.value }
    #expect(auth.currentUser === bo && bo.uid == "bo")
  }

  @Test func `a merge refreshes the tokens of both sessions`() async throws {
    let server = PlayedServer()
    let ada = try await signedIn(server)
    let bo = try await signedIn(server, "bo")
    server.refuse(bo.rawToken)
    _ = try await ada.auth.planMerge(of: bo, into: ada)
    #expect(server.count(.token) == 2 && server.count(.planMerge) == 2)

    server.refuse(bo.rawToken)
    server.refuse(ada.rawToken)
    server.answerRefreshes(.unreachable)
    await #expect(throws: (any Error).self) { try await ada.auth.merge(bo, into: ada) }
    #expect(ada.auth.currentUser === ada && bo.auth.currentUser === bo)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an account that is gone after a change signs out, without waiting for itself`()
    async throws
  {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken, "USER_NOT_FOUND", at: .lookup)
    let error = await #expect(throws: (any Error).self) {
      try await user.updatePassword(to: "another one")
    }

    #expect(error?.authErrorCode == .userNotFound)
    #expect(server.paths == ["/v1/accounts:update", "/v1/accounts:lookup"])
    #expect(user.auth.currentUser == nil)
  }

  @Test func `a change is made once if only the reload after it is refused`() async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.refuse(user.rawToken, at: .lookup)
    try await user.updatePassword(to: "another one")

    #expect(server.count(.update) == 1 && server.count(.token) == 1)
    #expect(user.auth.currentUser === user)
  }

  @Test func `tokens of the server's last change stay, whichever answer is the last`() async throws
  {
    let server = PlayedServer()
    let user = try await signedIn(server)
    server.endTokensAtChanges(answeredAfter: [1_000, 0, 500, 0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { try await user.updatePassword(to: "secret \(number)") }
      }
      try await group.waitForAll()
    }
    try await user.reload()

    #expect(server.count(.update) == 8 && server.count(.token) == 0)
    #expect(user.auth.currentUser === user)
  }

  @Test func `a refresh that a change overtook has the tokens of the change`() async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    let old = user.rawToken
    server.endTokensAtChanges(answeredAfter: [1_000])
    async let change: Void = user.updatePassword(to: "another one")
    while server.count(.update) == 0 { await Task.yield() }
    let token = try await user.getIDToken(forcingRefresh: true)
    try await change
    try await user.reload()

    #expect(token != old && user.auth.currentUser === user)
  }

  @Test(.timeLimit(.minutes(1)))
  func `two merges of the same users do not wait for each other`() async throws {
    let server = PlayedServer()
    let (ada, bo) = (try await signedIn(server), try await signedIn(server, "bo"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { _ = try await ada.auth.planMerge(of: bo, into: ada) }
        group.addTask { _ = try await ada.auth.planMerge(of: ada, into: bo) }
      }
      try await group.waitForAll()
    }
    #expect(server.count(.planMerge) == 40)
  }

  @Test func `an answer without tokens is not a refused token`() async throws {
    let server = PlayedServer()
    let user = try await signedIn(server)
    let error = await #expect(throws: (any Error).self) {
      try await user.link(with: GitHubAuthProvider.credential(withToken: "token"))
    }

    #expect(error?.authErrorCode == .internalError)
    #expect(server.paths == ["/v1/accounts:signInWithIdp"])
    #expect(user.auth.currentUser === user)
  }
}
