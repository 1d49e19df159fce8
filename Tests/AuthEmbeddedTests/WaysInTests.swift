import AuthClient
import Foundation
import Testing

@Suite("Ways into an account on every backend") struct WaysInTests {
  @Test(arguments: Backend.allCases)
  func `a person sees them, and ends those that are not wanted`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      try await ada.link(with: try home.google("ada@gmail.example"))
      home.pass(seconds: 2)
      let ways = try await ada.waysIn()

      #expect(ways.map(\.kind) == ["password", "provider", "sessions", "mailbox"])
      #expect(ways.map(\.isEndable) == [true, true, true, false])
      let google = try #require(ways.first { $0.providerID == "google.com" })
      #expect(google.linkedDate != nil && !google.id.isEmpty)
      let stay = try await ada.endWaysIn([google])
      #expect(stay.map(\.kind) == ["password", "sessions", "mailbox"])
      #expect(ada.providerIDs == ["password"] && home.auth.currentUser === ada)
      try await expectError(.operationNotAllowed) { try await ada.endWaysIn([google]) }
      #expect(try await ada.waysIn() == stay)
    }
  }

  @Test(arguments: Backend.production)
  func `whoever ends the sessions stays signed in alone`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.verifiedAda()
      let other = try await home.another().signIn(
        withEmail: "ada@example.com", password: AuthHome.password
      ).user
      home.pass(seconds: 2)
      try await ada.endWaysIn(try await ada.waysIn().filter { $0.kind == "sessions" })
      try await ada.reload()
      #expect(home.auth.currentUser === ada)
      try await expectError(.userTokenExpired) { try await other.reload() }
      let last = try await ada.waysIn().filter { $0.kind == "password" }
      try await expectError(.operationNotAllowed) { try await ada.endWaysIn(last) }
      home.pass(seconds: 1800)
      try await expectError(.requiresRecentLogin) { try await ada.endWaysIn(last) }
    }
  }

  @Test(arguments: Backend.production)
  func `a reset and a code show those that stay, masked`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada(on: home.another())
      try await home.auth.sendPasswordReset(withEmail: "ada@example.com")
      let reset = try await home.auth.waysIn(
        afterPasswordResetWithCode: try home.lastCode(to: "ada@example.com"),
        newPassword: "another one")
      #expect(reset.map(\.kind) == ["password", "sessions", "mailbox"])
      #expect(reset.first?.label == "a•••@example.com" && reset.first?.isEndable == false)

      let again = try await home.auth.signIn(
        withEmail: "ada@example.com", password: "another one"
      ).user
      #expect(again.uid == ada.uid)
      try await again.sendEmailVerification(beforeUpdatingEmail: "lovelace@example.com")
      let moved = try await home.another().waysIn(
        afterApplyingActionCode: try home.lastCode(to: "lovelace@example.com"))
      #expect(moved.first?.label == "l•••@example.com")
      try await expectError(.weakPassword) {
        try await home.auth.waysIn(afterPasswordResetWithCode: "none", newPassword: "")
      }
    }
  }
}
