import AuthClient

/// The snippets of the article "Signing in with a phone".
enum PhoneSnippets {
  static func signIn(
    _ auth: Auth, number: String, _ ask: (String) async throws -> String
  ) async throws -> User {
    // snippet: phone sign-in
    let phones = PhoneAuthProvider.provider(auth: auth)
    let id = try await phones.verifyPhoneNumber(number)
    let code = try await ask("The code that was sent to \(number)")
    let credential = phones.credential(withVerificationID: id, verificationCode: code)
    let user = try await auth.signIn(with: credential).user
    // end
    return user
  }

  static func change(_ user: User, to credential: PhoneAuthCredential) async throws {
    // snippet: change number
    try await user.updatePhoneNumber(credential)
    // end
  }
}
