import AuthClient
import AuthCore
import AuthTesting
import Foundation
import Testing

@Suite("Sessions on every backend") struct SessionTests {
  @Test(arguments: Backend.allCases)
  func `a token is renewed when little is left of it, and kept before`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let first = try await ada.getIDToken()
      home.traffic.forget()
      home.pass(seconds: 3000)
      #expect(try await ada.getIDToken() == first)
      #expect(home.traffic.paths.isEmpty)

      home.pass(seconds: 400)
      let second = try await ada.getIDToken()
      #expect(second != first && home.traffic.paths == ["/v1/token"])
      #expect(try await ada.getIDToken() == second)
      #expect(try await ada.idTokenForcingRefresh(false) == second)
      home.pass(seconds: 1)
      #expect(try await ada.idTokenForcingRefresh(true) != second)
      let result = try await ada.getIDTokenResult()
      #expect(result.issuedAtDate == home.now)
      #expect(result.expirationDate == home.now.addingTimeInterval(3600))
      #expect(result.authDate == home.now.addingTimeInterval(-3401))
      #expect(result.claims["user_id"] as? String == ada.uid)
      #expect(home.traffic.count("/v1/token") == 2)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a disabled account ends its sessions, and says so`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await home.disable(ada)
      let (states, _) = home.auth.hearingStates()
      let error = await #expect(throws: (any Error).self) {
        try await ada.getIDToken(forcingRefresh: true)
      }

      // Production ends the sessions of an account that it disables.
      #expect([.userDisabled, .userTokenExpired].contains(error.flatMap { AuthErrorCode($0) }))
      #expect(home.auth.currentUser == nil)
      #expect(await states.uids == [ada.uid, nil])
      try await expectError(.userDisabled) {
        try await home.auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
      }
    }
  }

  @Test(arguments: Backend.emulators)
  func `a session that was revoked at the emulator goes on with a new token`(
    _ backend: Backend
  ) async throws {
    // The emulator's refresh tokens outlast a revocation, unlike production's.
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let first = try await ada.getIDToken()
      try await home.revokeSessions(of: ada)
      try await ada.reload()

      #expect(home.auth.currentUser === ada)
      #expect(try await ada.getIDToken() != first && home.traffic.count("/v1/token") == 1)
    }
  }

  @Test(arguments: Backend.production)
  func `revoked sessions end in the app, and the error is thrown as well`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let others = home.another()
      let twin = try await others.signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      try await home.revokeSessions(of: ada)

      try await expectError(.userTokenExpired) { try await ada.reload() }
      #expect(home.auth.currentUser == nil)
      let change = twin.createProfileChangeRequest()
      change.displayName = "Ada"
      try await expectError(.userTokenExpired) { try await change.commitChanges() }
      #expect(others.currentUser == nil)
      home.pass(seconds: 2)
      try await home.auth.signIn(withEmail: "ada@example.com", password: AuthHome.password)
    }
  }

  @Test(arguments: Backend.allCases)
  func `an account that is gone ends its sessions`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await home.remove(ada)
      try await expectError(.userNotFound) { try await ada.reload() }

      #expect(home.auth.currentUser == nil)
    }
  }

  @Test(arguments: Backend.production)
  func `the end of a session that is not the current one ends nothing else`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let bo = try await home.ada("bo@example.com")
      try await home.revokeSessions(of: ada)
      try await expectError(.userTokenExpired) { try await ada.reload() }

      #expect(home.auth.currentUser === bo)
      try await bo.reload()
    }
  }

  @Test(arguments: Backend.allCases)
  func `an unknown refresh token signs the user out`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let storage = MemorySessionStorage()
      let first = home.another(storage: storage)
      let token = try #require(try await home.ada(on: first).refreshToken)
      let text = String(decoding: try #require(try storage.load()), as: UTF8.self)
      let escaped = token.replacing("/", with: "\\/")
      let broken = text.replacing(token, with: "unknown").replacing(escaped, with: "unknown")
      try storage.save(Data(broken.utf8))
      let auth = home.another(storage: storage)
      let user = try #require(auth.currentUser)
      #expect(user.refreshToken == "unknown")

      try await user.reload()
      #expect(auth.currentUser === user)
      try await expectError(.invalidUserToken) {
        try await user.getIDToken(forcingRefresh: true)
      }
      #expect(auth.currentUser == nil)
      #expect(try storage.load() == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a lost connection loses nothing`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.traffic.cut()
      let error = try await expectError(.networkError) { try await ada.reload() }
      try await expectError(.networkError) { try await ada.getIDToken(forcingRefresh: true) }
      try await expectError(.networkError) { try await ada.unlink(fromProvider: "password") }

      #expect(error.underlying != nil)
      #expect(home.auth.currentUser === ada)
      home.traffic.cut(false)
      try await ada.reload()
    }
  }

  @Test(arguments: Backend.allCases)
  func `a tenant has people of its own`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let outside = try await home.ada()
      let auth = home.another()
      auth.tenantID = try await home.openTenant()
      let inside = try await home.ada(on: auth)

      #expect(inside.uid != outside.uid)
      #expect(inside.tenantID == auth.tenantID && outside.tenantID == nil)
      let firebase = try await inside.getIDTokenResult(forcingRefresh: true).claims["firebase"]
      #expect((firebase as? [String: Any])?["tenant"] as? String == auth.tenantID)
      try await inside.reload()
      try await expectError(.tenantIDMismatch) { try await home.auth.updateCurrentUser(inside) }
      #expect(home.auth.currentUser === outside)
      try await expectError(.tenantIDMismatch) { try await auth.updateCurrentUser(outside) }

      home.auth.tenantID = auth.tenantID
      try await home.auth.updateCurrentUser(inside)
      #expect(home.auth.currentUser?.uid == inside.uid)
      #expect(home.auth.currentUser?.tenantID == inside.tenantID)
    }
  }

  @Test(arguments: Backend.allCases)
  func `another user of the app becomes the current one`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      let bo = try await home.ada("bo@example.com")
      #expect(home.auth.currentUser === bo)
      try await home.auth.updateCurrentUser(ada)
      #expect(home.auth.currentUser === ada)

      let other = home.another()
      try await other.updateCurrentUser(ada)
      #expect(other.currentUser?.uid == ada.uid && other.currentUser !== ada)
      try await home.disable(bo)
      home.traffic.forget()
      try await home.auth.updateCurrentUser(bo)
      // There is no request, so it works offline; an ended session is noticed when it is used.
      #expect(home.auth.currentUser === bo && home.traffic.paths.isEmpty)
      try await expectError(.userDisabled) { try await bo.reload() }
      #expect(home.auth.currentUser == nil && home.auth.getUserID() == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `the language of the app is sent along`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      home.auth.languageCode = "de"
      try await home.ada()

      #expect(home.traffic.lastHeaders["X-Firebase-Locale"] == "de")
      try await home.auth.sendPasswordReset(withEmail: "ada@example.com")
      #expect(home.messages.last()?.locale == "de")
    }
  }
}
