import AuthClient
import Foundation
import Testing

@Suite("Unlinking on every backend") struct UnlinkingTests {
  @Test(arguments: Backend.allCases, Way.allCases.filter { $0.providerID != "password" })
  func `a way in is taken away again`(_ backend: Backend, _ way: Way) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await ada.link(with: try await way.credential(home))
      let (tokens, _) = home.auth.hearingTokens()
      let user = try await ada.unlink(fromProvider: way.providerID)

      #expect(user === ada && ada === home.auth.currentUser)
      #expect(ada.providerIDs == ["password"] && ada.phoneNumber == nil)
      #expect(await tokens.uids.allSatisfy { $0 == ada.uid })
      try await ada.reload()
      #expect(ada.providerIDs == ["password"] && ada.phoneNumber == nil)
      let other = try await home.another().signIn(with: try await way.credential(home))
      #expect(other.user.uid != ada.uid)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a provider that is not linked cannot be taken away`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      home.traffic.forget()
      try await expectError(.noSuchProvider) { try await ada.unlink(fromProvider: "google.com") }

      #expect(home.traffic.paths.isEmpty && home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.allCases)
  func `a password is taken away, and another one given`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.ada()
      try await ada.link(with: try home.google("ada@example.com"))
      _ = try await ada.unlink(fromProvider: "password")

      #expect(ada.providerIDs == ["google.com"] && ada.email == "ada@example.com")
      await #expect(throws: (any Error).self) {
        try await home.another().signIn(
          withEmail: "ada@example.com", password: AuthHome.password)
      }
      try await ada.link(with: home.emailAndPassword("ada@example.com", "another one"))
      #expect(ada.providerIDs == ["google.com", "password"])
      let again = try await home.another().signIn(
        withEmail: "ada@example.com", password: "another one")
      #expect(again.user.uid == ada.uid)
    }
  }

  @Test(arguments: Backend.production)
  func `the last way in stays, unless the project says otherwise`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.auth.signIn(with: try home.google("ada@example.com")).user
      let error = try await expectError(.operationNotAllowed) {
        try await ada.unlink(fromProvider: "google.com")
      }
      #expect(error.localizedDescription.contains("google.com is the last way to sign in"))
      #expect(ada.providerIDs == ["google.com"] && home.auth.currentUser === ada)

      try await home.allowUnlinkingLastMethod()
      _ = try await ada.unlink(fromProvider: "google.com")
      #expect(ada.providerIDs.isEmpty && home.auth.currentUser === ada)
    }
  }

  @Test(arguments: Backend.emulators)
  func `the emulator takes the last way in away`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let ada = try await home.auth.signIn(with: try home.google("ada@example.com")).user
      _ = try await ada.unlink(fromProvider: "google.com")

      #expect(ada.providerIDs.isEmpty && !ada.isAnonymous && home.auth.currentUser === ada)
    }
  }
}
