import AuthClient
import Foundation
import Testing

@Suite("Reauthentication on every backend") struct ReauthenticationTests {
  @Test(arguments: Backend.allCases, Way.allCases)
  func `the same user goes on with new tokens`(_ backend: Backend, _ way: Way) async throws {
    try await withAuth(backend) { home in
      let user = try await home.auth.signIn(
        with: way == .emailAndPassword
          ? try await way.opened(home) : try await way.credential(home)
      ).user
      let token = try await user.getIDToken()
      home.pass(seconds: 10)
      let result = try await user.reauthenticate(with: try await way.credential(home))

      #expect(result.user === user && home.auth.currentUser === user)
      #expect(try await user.getIDToken() != token)
      #expect(try await user.getIDTokenResult().authDate == home.now)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a credential of another account or of none is a mismatch`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      try await home.ada("bo@example.com", on: home.another())
      try await home.another().signIn(with: try home.google("eve@example.com"))
      let ada = try await home.ada()

      for credential in [
        home.emailAndPassword("bo@example.com"), try home.google("eve@example.com"),
        home.emailAndPassword("nobody@example.com"), try home.google("nobody@example.com"),
        home.facebook("nobody2@example.com"), try await home.phone(),
      ] {
        try await expectError(.userMismatch) {
          try await ada.reauthenticate(with: credential)
        }
      }
      #expect(home.auth.currentUser === ada && ada.email == "ada@example.com")
      try await expectError(.wrongPassword) {
        try await ada.reauthenticate(with: home.emailAndPassword("ada@example.com", "wrong"))
      }
      try await ada.reload()
    }
  }

  @Test(arguments: Backend.production)
  func `an old sign-in is not enough for a sensitive change`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.pass(seconds: 3000)
      for _ in 0..<2 {
        try await expectError(.requiresRecentLogin) {
          try await ada.updatePassword(to: "another one")
        }
      }
      try await expectError(.requiresRecentLogin) { try await ada.updateEmail(to: "a@b.example") }
      try await expectError(.requiresRecentLogin) { try await ada.delete() }

      #expect(home.auth.currentUser === ada)
      try await ada.reauthenticate(with: home.emailAndPassword("ada@example.com"))
      try await ada.updatePassword(to: "another one")
      try await home.another().signIn(withEmail: "ada@example.com", password: "another one")
    }
  }
}

extension Way {
  /// Returns a credential whose account exists, because reauthentication opens none.
  fileprivate func opened(_ home: AuthHome) async throws -> AuthCredential {
    try await home.ada("link@example.com", on: home.another())
    return try await credential(home)
  }
}
