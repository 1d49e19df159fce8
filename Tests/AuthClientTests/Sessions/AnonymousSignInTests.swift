import Testing

@testable import AuthClient

@Suite struct AnonymousSignInTests {
  @Test func `simultaneous anonymous sign-ins open one account`() async throws {
    let server = PlayedServer()
    let auth = server.client()
    let names = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await auth.signInAnonymously().user.uid } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(names.count == 1 && server.count(.signUp) == 1)
  }

  @Test func `a cancelled call does not end the others`() async throws {
    let server = PlayedServer()
    let auth = server.client()
    let first = Task { try await auth.signInAnonymously() }
    first.cancel()
    let second = try await auth.signInAnonymously()
    _ = await first.result

    #expect(auth.currentUser === second.user)
  }
}
