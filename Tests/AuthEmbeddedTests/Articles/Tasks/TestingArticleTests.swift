import AuthClient
import AuthCore
import AuthTestKit
import Testing

@Suite struct `The article "Test and preview an app"` {
  @Test func `verifies, signs in with Google, waits and loses the connection`() async throws {
    let kit = try await AuthTestKit()
    let ada = try await TestingSnippets.verify(kit)
    #expect(ada.isEmailVerified)
    let user = try await TestingSnippets.google(kit)
    #expect(user.email == "ada@gmail.com" && user.providerIDs == ["google.com"])
    #expect(try await TestingSnippets.later(kit, user) != nil)
    #expect(kit.auth.currentUser === user)
    #expect(try await TestingSnippets.cut(kit, user)?.authErrorCode == .networkError)
    try await TestingSnippets.settings(kit)
    #expect(try await kit.graph.settings(of: kit.admin.scope).signIn.passwordPolicy.needsDigit)
    let other = TestingSnippets.clock(kit.connection, now: kit.now)
    try await other.createUser(withEmail: "bo@example.com", password: "correct horse 2")
    #expect(try await other.currentUser?.getIDToken().isEmpty == false)
    await kit.stop()
  }

  @Test func `previews a signed-in user`() async throws {
    let auth = TestingSnippets.preview()
    #expect(auth.currentUser?.displayName == "Ada Lovelace")
    #expect(auth.currentUser?.email == "ada@example.com")
    try await expectError(.networkError) {
      try await auth.signIn(withEmail: "ada@example.com", password: "correct horse")
    }
    try auth.signOut()
    #expect(auth.currentUser == nil)
  }
}
