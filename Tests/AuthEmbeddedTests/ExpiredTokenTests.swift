import AuthClient
import AuthCore
import Foundation
import Testing

/// ID tokens that have expired although the device's clock says otherwise, as after it was set back.
@Suite("Expired ID tokens of devices with a late clock") struct ExpiredTokenTests {
  /// A client whose clock stands at the present time, whatever the server's does.
  private func late(_ home: AuthHome) -> Auth {
    let start = home.now
    return Auth(backend: home.traffic, apiKey: "test-key", clock: AuthClock(now: { start }))
  }

  private static let calls: [@Sendable (User) async throws -> Void] = [
    { try await $0.reload() },
    { user in
      let change = user.createProfileChangeRequest()
      change.displayName = "Ada"
      try await change.commitChanges()
    },
    { try await $0.sendEmailVerification() },
    { _ = try await $0.waysIn() },
  ]

  @Test(arguments: Backend.production)
  func `each call is made with a new token, and nobody is signed out`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let auth = late(home)
      let ada = try await home.ada(on: auth)
      for call in Self.calls {
        home.pass(seconds: 7200)
        home.traffic.forget()
        try await call(ada)
        #expect(auth.currentUser === ada)
        #expect(home.traffic.count("/v1/token") == 1, "\(home.traffic.paths)")
      }
      #expect(ada.displayName == "Ada")
    }
  }

  @Test(arguments: Backend.production)
  func `a sensitive call asks for a recent sign-in, not for a new session`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let auth = late(home)
      let ada = try await home.ada(on: auth)
      let other = late(home)
      let bo = try await home.ada("bo@example.com", on: other)
      home.pass(seconds: 7200)
      home.traffic.forget()
      try await expectError(.requiresRecentLogin) { try await auth.merge(bo, into: ada) }
      #expect(home.traffic.count("/v1/token") == 2)

      try await expectError(.requiresRecentLogin) { try await ada.delete() }
      #expect(auth.currentUser === ada)
      #expect(other.currentUser === bo)
      try await ada.reauthenticate(with: home.emailAndPassword("ada@example.com"))
      try await ada.delete()
      #expect(auth.currentUser == nil)
    }
  }

  @Test(arguments: Backend.production)
  func `an expired token of a session that was revoked meanwhile signs out`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let auth = late(home)
      let ada = try await home.ada(on: auth)
      home.pass(seconds: 7200)
      try await home.revokeSessions(of: ada)
      try await expectError(.userTokenExpired) { try await ada.reload() }
      #expect(auth.currentUser == nil)
    }
  }
}
