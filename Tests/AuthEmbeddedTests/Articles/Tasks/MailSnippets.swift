import AuthClient
import Foundation

/// The snippets of the article "Addresses and passwords".
enum MailSnippets {
  static func sendVerification(_ user: User) async throws {
    // snippet: send verification
    try await user.sendEmailVerification()
    // end
  }

  static func seeVerification(_ user: User) async throws -> Bool {
    // snippet: see verification
    try await user.reload()
    print("The address of \(user.uid) is verified: \(user.isEmailVerified).")
    // end
    return user.isEmailVerified
  }

  static func sendReset(_ auth: Auth, email: String) async throws {
    // snippet: send reset
    auth.languageCode = "de"
    try await auth.sendPasswordReset(withEmail: email)
    // end
  }

  static func reset(_ auth: Auth, code: String, password: String) async throws -> User {
    // snippet: use reset
    let email = try await auth.verifyPasswordResetCode(code)
    print("A new password for \(email).")
    try await auth.confirmPasswordReset(withCode: code, newPassword: password)
    let user = try await auth.signIn(withEmail: email, password: password).user
    // end
    return user
  }

  static func changeAddress(_ user: User, to newEmail: String) async throws {
    // snippet: change address
    try await user.sendEmailVerification(beforeUpdatingEmail: newEmail)
    // end
  }

  static func sendSignInLink(_ auth: Auth, email: String) async throws {
    // snippet: send sign-in link
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example/start")
    settings.handleCodeInApp = true
    try await auth.sendSignInLink(toEmail: email, actionCodeSettings: settings)
    // end
  }

  static func useSignInLink(_ auth: Auth, email: String, link: String) async throws -> User? {
    // snippet: use sign-in link
    guard auth.isSignIn(withEmailLink: link) else { return nil }
    let user = try await auth.signIn(withEmail: email, link: link).user
    // end
    return user
  }
}

// snippet: handle link
/// Does what the link of a message is for; false for a link that signs in, or is of another kind.
func handle(
  _ link: URL, auth: Auth, _ askForPassword: () async throws -> String
) async throws -> Bool {
  guard let url = ActionCodeURL(link: link.absoluteString), let code = url.code else {
    return false
  }
  switch url.operation {
  case .passwordReset:
    try await auth.confirmPasswordReset(withCode: code, newPassword: try await askForPassword())
  case .verifyEmail:
    try await auth.applyActionCode(code)
    try await auth.currentUser?.reload()
  case .verifyAndChangeEmail, .recoverEmail, .revertSecondFactorAddition:
    try await auth.applyActionCode(code)
  case .emailLink, .unknown:
    return false
  }
  return true
}
// end
