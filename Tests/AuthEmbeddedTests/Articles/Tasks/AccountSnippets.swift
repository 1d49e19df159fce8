import AuthClient
import Foundation

/// The snippets of the article "The account".
enum AccountSnippets {
  static func changeProfile(_ user: User) async throws {
    // snippet: profile
    let change = user.createProfileChangeRequest()
    change.displayName = "Ada Lovelace"
    change.photoURL = URL(string: "https://people.example/ada.png")
    try await change.commitChanges()
    // end
  }

  static func changePassword(
    _ user: User, to newPassword: String, _ credential: () async throws -> AuthCredential
  ) async throws {
    // snippet: change password
    try await withRecentSignIn(of: user, credential) {
      try await user.updatePassword(to: newPassword)
    }
    // end
  }

  static func delete(
    _ user: User, _ credential: () async throws -> AuthCredential
  ) async throws {
    // snippet: delete
    try await withRecentSignIn(of: user, credential) { try await user.delete() }
    // end
  }

  static func signOut(_ auth: Auth) throws {
    // snippet: sign out
    try auth.signOut()
    // end
  }
}

// snippet: recent sign-in
/// Makes a change, and asks for a credential first if the sign-in is too old for it.
func withRecentSignIn(
  of user: User, _ credential: () async throws -> AuthCredential,
  _ change: () async throws -> Void
) async throws {
  do {
    try await change()
  } catch AuthErrorCode.requiresRecentLogin {
    try await user.reauthenticate(with: try await credential())
    try await change()
  }
}
// end
