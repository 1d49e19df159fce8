import TestSupport
import Testing

@testable import AuthClient

/// Changes that end the tokens before them, each in its turn.
@Suite(.timeLimit(.minutes(1))) struct TurnTests {
  private let server = PlayedServer()
  /// The gate that the answers to changes wait for.
  private let answers = Gate()

  /// Returns a user whose next changes end all earlier tokens.
  private func signedIn() async throws -> User {
    let user = try await server.client().signIn(withEmail: "ada", password: "secret").user
    server.forget()
    server.endTokensAtChanges(answeredAt: answers)
    return user
  }

  /// Begins a change, and returns it when the server has the request.
  private func begun(_ user: User) async -> Task<Void, any Error> {
    let change = Task { try await user.updatePassword(to: "another one") }
    while server.count(.update) == 0 { await Task.yield() }
    return change
  }

  @Test func `a caller that gives up loses no tokens`() async throws {
    let user = try await signedIn()
    let old = user.rawToken
    let change = await begun(user)
    change.cancel()
    await #expect(throws: CancellationError.self) { try await change.value }
    #expect(user.rawToken == old)

    // The next change waits for the one before.
    answers.open()
    try await user.updatePassword(to: "a third one")
    try await user.reload()
    #expect(server.count(.update) == 2 && server.count(.token) == 0)
    #expect(user.auth.currentUser === user && user.rawToken != old)
  }

  @Test func `a change that is given up before its turn is never sent`() async throws {
    let user = try await signedIn()
    let first = await begun(user)
    let second = Task { try await user.updatePassword(to: "a third one") }
    while user.changes.waiting == 0 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await user.updatePassword(to: "a fourth one")
    }
    await #expect(throws: CancellationError.self) { try await third.value }

    answers.open()
    try await first.value
    try await user.reload()
    #expect(server.count(.update) == 1 && user.changes.waiting == 0)
  }

  @Test func `the reload after a change is part of its turn`() async throws {
    let user = try await signedIn()
    let first = await begun(user)
    async let second: Void = user.updatePassword(to: "a third one")
    while user.changes.waiting == 0 { await Task.yield() }
    answers.open()
    try await first.value
    try await second

    let (update, lookup) = ("/v1/accounts:update", "/v1/accounts:lookup")
    #expect(server.paths == [update, lookup, update, lookup])
  }

  @Test func `a session whose next refresh token is refused too has ended`() async throws {
    let user = try await signedIn()
    server.answerRefreshes(.refused("TOKEN_EXPIRED", status: 400))
    let change = await begun(user)
    let refresh = Task { try await user.getIDToken(forcingRefresh: true) }
    while user.changes.waiting == 0 { await Task.yield() }
    answers.open()
    try await change.value
    let error = await #expect(throws: (any Error).self) { try await refresh.value }

    #expect(error?.authErrorCode == .userTokenExpired)
    #expect(server.count(.token) == 2 && user.auth.currentUser == nil)
  }

  @Test func `a sign-out during a change stays`() async throws {
    let user = try await signedIn()
    let change = await begun(user)
    try user.auth.signOut()
    answers.open()
    try await change.value
    #expect(user.auth.currentUser == nil)
  }

  @Test func `a sign-in to the same account during a change stays`() async throws {
    let user = try await signedIn()
    let change = await begun(user)
    let again = try await user.auth.signIn(withEmail: "ada", password: "secret").user
    let token = again.rawToken
    answers.open()
    try await change.value
    #expect(user.auth.currentUser === again && again.rawToken == token)
    #expect(user.rawToken != token)
  }
}
