import AuthClient
import Foundation
import Testing

@Suite("Calls that do not wait, on every backend") struct CompletionTests {
  /// Returns the values passed to a completion, which is called on the main queue.
  private func given<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
  ) async -> (value: Value?, error: (any Error)?) {
    await withCheckedContinuation { continuation in
      call { value, error in
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.resume(returning: (value, error))
      }
    }
  }

  private func failure(
    _ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void
  ) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      call { error in
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.resume(returning: error)
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func `signing up, linking, changing and removing call back on the main queue`(
    _ backend: Backend
  ) async throws {
    try await withAuth(backend) { home in
      let auth = home.auth
      let made = await given {
        auth.createUser(
          withEmail: "ada@example.com", password: AuthHome.password, completion: $0)
      }
      let user = try #require(made.value?.user)
      #expect(made.error == nil && auth.currentUser === user)
      let google = try home.google("ada@gmail.example")
      let linked = await given { user.link(with: google, completion: $0) }
      #expect(linked.value?.user === user && user.providerIDs == ["google.com", "password"])
      let again = await given { user.link(with: google, completion: $0) }
      #expect(again.error.flatMap { AuthErrorCode($0) } == .providerAlreadyLinked)
      let change = user.createProfileChangeRequest()
      change.displayName = "Ada"
      #expect(await failure { change.commitChanges(completion: $0) } == nil)
      #expect(await failure { user.reload(completion: $0) } == nil)
      #expect(user.displayName == "Ada")
      let token = await given { user.getIDTokenForcingRefresh(true, completion: $0) }
      #expect(token.value == (try await user.getIDToken()))
      let interop = await given { auth.getToken(forcingRefresh: false, completion: $0) }
      #expect(interop.value == token.value)
      let unlinked = await given { user.unlink(fromProvider: "google.com", completion: $0) }
      #expect(unlinked.value === user && user.providerIDs == ["password"])
      let missing = await failure { auth.updateCurrentUser(nil, completion: $0) }
      #expect(missing.flatMap { AuthErrorCode($0) } == .nullUser)
      #expect(await failure { user.delete(completion: $0) } == nil)
      #expect(auth.currentUser == nil)
      let gone = await given {
        auth.signIn(withEmail: "ada@example.com", password: AuthHome.password, completion: $0)
      }
      #expect(gone.value == nil && gone.error.flatMap { AuthErrorCode($0) } == .userNotFound)
      let none = await given { auth.getToken(forcingRefresh: false, completion: $0) }
      #expect(none.value == nil && none.error == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func `codes and phones call back on the main queue`(_ backend: Backend) async throws {
    try await withAuth(backend) { home in
      let auth = home.auth
      try await home.ada(on: home.another())
      #expect(
        await failure { auth.sendPasswordReset(withEmail: "ada@example.com", completion: $0) }
          == nil)
      let code = try home.lastCode(to: "ada@example.com")
      let info = await given { auth.checkActionCode(code, completion: $0) }
      #expect(info.value?.operation == .passwordReset)
      let email = await given { auth.verifyPasswordResetCode(code, completion: $0) }
      #expect(email.value == "ada@example.com")
      let set = await failure {
        auth.confirmPasswordReset(withCode: code, newPassword: "another one", completion: $0)
      }
      #expect(set == nil)
      let phones = PhoneAuthProvider.provider(auth: auth)
      let id = await given { phones.verifyPhoneNumber(AuthHome.number, completion: $0) }
      let credential = phones.credential(
        withVerificationID: try #require(id.value),
        verificationCode: try home.lastMessage(to: AuthHome.number))
      let entered = await given { auth.signIn(with: credential, completion: $0) }
      #expect(entered.value?.user.phoneNumber == AuthHome.number)
    }
  }
}
