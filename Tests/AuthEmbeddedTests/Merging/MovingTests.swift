import AuthClient
import Foundation
import Testing

@Suite("Moving an identity on every backend") struct MovingTests {
  /// Makes the account that has the identity of Google and a password.
  private func other(_ home: AuthHome) async throws -> User {
    let other = try await home.ada("other@example.com")
    try await other.link(with: try home.google("mine@gmail.example"))
    return other
  }

  @Test(arguments: Backend.allCases)
  func `an identity is brought from one's other account`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let other = try await other(home)
      // A session that began with the identity would end with the move.
      try await other.reauthenticate(with: home.emailAndPassword("other@example.com"))
      let user = try await home.ada()

      let same = try await user.link(
        with: try home.google("mine@gmail.example"), from: other)

      #expect(same === user && home.auth.currentUser === user)
      #expect(user.providerIDs == ["google.com", "password"])
      #expect(other.providerIDs == ["password"])
      let entered = try await home.another().signIn(
        with: try home.google("mine@gmail.example")
      ).user
      #expect(entered.uid == user.uid)
      #expect(try await home.accountCount() == 2)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a credential of another account, and the last way in, are refused with the reason`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let other = try await other(home)
      let user = try await home.ada()
      let strange = try await expectError(.operationNotAllowed) {
        try await user.link(with: try home.google("nobody@gmail.example"), from: other)
      }
      #expect(strange.localizedDescription.contains("not one of the other account"))

      _ = try await other.unlink(fromProvider: "password")
      let last = try await expectError(.operationNotAllowed) {
        try await user.link(with: try home.google("mine@gmail.example"), from: other)
      }
      #expect(last.localizedDescription.contains("last way to sign in"))
      #expect(user.providerIDs == ["password"])
    }
  }

  @Test(arguments: Backend.allCases)
  func `the completion runs on the main queue`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let other = try await other(home)
      let user = try await home.ada()
      let credential = try home.google("mine@gmail.example")
      let uid: String? = await withCheckedContinuation { continuation in
        user.link(with: credential, from: other) { user, _ in
          continuation.resume(returning: user?.uid)
        }
      }
      #expect(uid == user.uid)
    }
  }
}
