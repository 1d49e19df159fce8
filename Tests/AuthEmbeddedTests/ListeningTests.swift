import AuthClient
import Foundation
import NIOConcurrencyHelpers
import Testing

@Suite("Listening on every backend") struct ListeningTests {
  @Test(arguments: Backend.allCases)
  func `state listeners hear of another user, token listeners of every token`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let (states, stateHandle) = home.auth.hearingStates()
      let (tokens, tokenHandle) = home.auth.hearingTokens()
      #expect(await states.uids == [nil])
      #expect(await tokens.uids == [nil])

      let user = try await home.auth.signInAnonymously().user
      home.pass(seconds: 2)
      try await user.link(with: home.emailAndPassword("ada@example.com"))
      home.pass(seconds: 2)
      _ = try await user.getIDToken(forcingRefresh: true)
      _ = try await user.getIDToken()
      try await user.reload()
      try home.auth.signOut()
      try home.auth.signOut()
      let bo = try await home.ada("bo@example.com")
      try await home.auth.updateCurrentUser(user)

      let uid: String? = user.uid
      #expect(await states.uids == [nil, uid, nil, bo.uid, uid])
      #expect(await tokens.uids == [nil, uid, uid, uid, nil, bo.uid, uid])
      home.auth.removeStateDidChangeListener(stateHandle)
      home.auth.removeIDTokenDidChangeListener(tokenHandle)
      try home.auth.signOut()
      #expect(await states.uids.count == 5)
      #expect(await tokens.uids.count == 7)
    }
  }

  @Test(arguments: Backend.allCases)
  func `sequences begin with the present and go on`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      var states = home.auth.authStateChanges.makeAsyncIterator()
      var tokens = home.auth.idTokenChanges.makeAsyncIterator()
      let user = try await home.auth.signInAnonymously().user
      home.pass(seconds: 2)
      _ = try await user.getIDToken(forcingRefresh: true)
      try home.auth.signOut()

      var heard: [String?] = []
      for _ in 0..<3 { heard.append(await states.next()??.uid) }
      #expect(heard == [nil, user.uid, nil])
      heard = []
      for _ in 0..<4 { heard.append(await tokens.next()??.uid) }
      #expect(heard == [nil, user.uid, user.uid, nil])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a link and a merge are announced once each`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada(on: home.another())
      var states = home.auth.authStateChanges.makeAsyncIterator()
      var tokens = home.auth.idTokenChanges.makeAsyncIterator()
      let guest = try await home.auth.signInAnonymously().user
      home.pass(seconds: 2)
      try await guest.link(with: try home.google("ada@gmail.example"))
      let user = try await home.auth.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      home.pass(seconds: 2)
      try await home.auth.merge(guest, into: user)
      try home.auth.signOut()

      var heard: [String?] = []
      for _ in 0..<4 { heard.append(await states.next()??.uid) }
      #expect(heard == [nil, guest.uid, ada.uid, nil])
      heard = []
      for _ in 0..<6 { heard.append(await tokens.next()??.uid) }
      #expect(heard == [nil, guest.uid, guest.uid, ada.uid, ada.uid, nil])
    }
  }

  @Test(arguments: Backend.allCases)
  func `a user who is not current changes without an announcement`(_ backend: Backend) async throws
  {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let bo = try await home.ada("bo@example.com")
      let (tokens, _) = home.auth.hearingTokens()
      home.pass(seconds: 2)
      _ = try await ada.getIDToken(forcingRefresh: true)
      try await ada.link(with: try home.google("ada@gmail.example"))

      #expect(ada.providerIDs == ["google.com", "password"])
      #expect(home.auth.currentUser === bo)
      #expect(await tokens.uids == [bo.uid])
    }
  }

  @Test(arguments: Backend.allCases)
  func `the notification names the Auth`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let count = NIOLockedValueBox(0)
      let auth = home.auth
      await settled()
      let observer = NotificationCenter.default.addObserver(
        forName: Auth.authStateDidChangeNotification, object: auth, queue: nil
      ) { _ in count.withLockedValue { $0 += 1 } }
      let user = try await auth.signInAnonymously().user
      try await user.reload()
      try auth.signOut()
      await settled()

      #expect(count.withLockedValue(\.self) == 2)
      NotificationCenter.default.removeObserver(observer)
    }
  }
}
