import AuthClient
import Foundation
import Testing

/// These tests are meant for the thread sanitizer as well.
@Suite("Many calls at once, on every backend", .serialized) struct ConcurrencyTests {
  private static let calls = 10_000

  @Test(.timeLimit(.minutes(10)), arguments: Backend.allCases)
  func `ten thousand calls renew an expired token once`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.traffic.delay("/v1/token", by: .milliseconds(20))
      for expiry in 1...3 {
        home.pass(seconds: 3600)
        let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
          for call in 0..<Self.calls {
            group.addTask { try await Self.call(call, ada, home.auth) }
          }
          return try await group.reduce(into: Set<String>()) { all, token in
            if let token { all.insert(token) }
          }
        }

        #expect(tokens == [try await ada.getIDToken()])
        #expect(home.traffic.count("/v1/token") == expiry)
      }
      #expect(home.auth.currentUser === ada)
      #expect(home.traffic.count("/v1/accounts:lookup") == 1 + 3 * Self.calls / 100)
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: Backend.allCases)
  func `a sign-out and a sign-in come in between`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.traffic.delay("/v1/token", by: .milliseconds(20))
      home.pass(seconds: 3600)
      let users = Hearing()
      let (states, handle) = home.auth.hearingStates()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for call in 0..<Self.calls {
          group.addTask {
            if call == Self.calls / 2 {
              try home.auth.signOut()
              try await home.auth.signIn(
                withEmail: "ada@example.com", password: AuthHome.password)
            }
            let user = home.auth.currentUser
            users.note(user)
            _ = try await Self.call(call, user ?? ada, home.auth)
          }
        }
        try await group.waitForAll()
      }

      // The new session's token is fresh, so the refresh was the old one's.
      #expect(home.traffic.count("/v1/token") == 1)
      #expect(await users.uids.allSatisfy { $0 == nil || $0 == ada.uid })
      #expect(home.auth.currentUser?.uid == ada.uid && home.auth.currentUser !== ada)
      #expect(await states.uids == [ada.uid, nil, ada.uid])
      home.auth.removeStateDidChangeListener(handle)
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: Backend.allCases)
  func `users come and go while others listen`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let last = try await withThrowingTaskGroup(of: Void.self) { group in
        for device in 0..<4 {
          group.addTask {
            for _ in 0..<10 {
              let user = try await home.auth.signInAnonymously().user
              _ = try await user.getIDToken()
              if device == 0 { try home.auth.signOut() }
            }
          }
        }
        group.addTask {
          for _ in 0..<500 {
            let (_, state) = home.auth.hearingStates()
            let (_, token) = home.auth.hearingTokens()
            var changes = home.auth.authStateChanges.makeAsyncIterator()
            _ = await changes.next()
            home.auth.removeStateDidChangeListener(state)
            home.auth.removeIDTokenDidChangeListener(token)
            await Task.yield()
          }
        }
        try await group.waitForAll()
        return try await home.auth.signInAnonymously().user
      }

      #expect(home.auth.currentUser === last)
      try await last.reload()
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: Backend.production)
  func `ten thousand calls that ask the server are all answered`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.traffic.forget()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.calls {
          group.addTask { try await ada.reload() }
        }
        try await group.waitForAll()
      }
      #expect(home.traffic.count("/v1/accounts:lookup") == Self.calls)
      #expect(home.auth.currentUser === ada)
    }
  }

  /// Runs one of the calls that an app makes at any time.
  private static func call(_ call: Int, _ user: User, _ auth: Auth) async throws -> String? {
    switch call % 10 {
    case 0...4: return try await user.getIDToken()
    case 5: return try await user.getIDTokenResult().token
    case 6:
      _ = (auth.currentUser?.uid, auth.languageCode, auth.tenantID)
    case 7:
      let (_, state) = auth.hearingStates()
      let (_, token) = auth.hearingTokens()
      auth.removeStateDidChangeListener(state)
      auth.removeIDTokenDidChangeListener(token)
    case 8:
      _ = (user.providerData.count, user.metadata.creationDate, user.refreshToken)
    default:
      if call % 100 == 99 { try await user.reload() }
    }
    return nil
  }
}
