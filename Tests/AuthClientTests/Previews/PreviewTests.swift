import AuthClient
import Foundation
import Testing

@Suite("Previews of views") struct PreviewTests {
  @Test func `a preview shows its user, without a request`() async throws {
    let auth = Auth.preview(
      signedInAs: PreviewUser(
        displayName: "Ada", phoneNumber: "+15555550100", providers: ["password", "phone"]))
    let user = try #require(auth.currentUser)

    #expect(user.displayName == "Ada" && user.email == "ada@example.com")
    #expect(user.isEmailVerified && !user.isAnonymous)
    #expect(Set(user.providerData.map(\.providerID)) == ["password", "phone"])
    let token = try await user.getIDTokenResult()
    #expect(token.claims["sub"] as? String == "preview" && token.signInProvider == "password")
    #expect(token.expirationDate > Date())
    for await shown in auth.authStateChanges {
      #expect(shown === user)
      break
    }
    try auth.signOut()
    #expect(auth.currentUser == nil)
  }

  @Test func `a preview is signed out, or anonymous`() {
    #expect(Auth.preview().currentUser == nil)
    #expect(Auth.preview(signedInAs: .anonymous).currentUser?.isAnonymous == true)
  }

  @Test func `what asks the server says that there is none`() async throws {
    let auth = Auth.preview(signedInAs: PreviewUser())
    let error = await #expect(throws: NSError.self) {
      try await auth.signIn(withEmail: "ada@example.com", password: "correct horse")
    }

    #expect(error?.authErrorCode == .networkError)
    let reason = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(reason?.localizedDescription == "A preview has no server.")
    #expect(auth.currentUser != nil)
  }
}
