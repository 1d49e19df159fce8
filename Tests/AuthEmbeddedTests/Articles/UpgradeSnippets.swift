import AuthClient
import Foundation

/// The snippets of the article "Upgrade an anonymous user".
enum UpgradeSnippets {
  static func begin(_ auth: Auth) async throws -> User {
    // snippet: anonymous
    let guest = try await auth.signInAnonymously().user
    print("\(guest.uid) may fill a basket.")
    // end
    return guest
  }

  static func keep(_ guest: User, email: String, password: String) async throws -> User {
    // snippet: upgrade
    let credential = EmailAuthProvider.credential(withEmail: email, password: password)
    let user = try await guest.link(with: credential).user
    print("\(user.uid) is the same account, and \(user.isAnonymous ? "nobody's" : "somebody's").")
    // end
    return user
  }
}

// snippet: upgrade or merge
/// Keeps what a guest did: in the guest's own account, or in the one that the person has already.
func upgrade(_ guest: User, with credential: AuthCredential, auth: Auth) async throws -> User {
  do {
    return try await guest.link(with: credential).user
  } catch let error where isTaken(error) {
    let known = try await auth.signIn(with: error.updatedCredential ?? credential).user
    return try await auth.merge(guest, into: known).user
  }
}

func isTaken(_ error: any Error) -> Bool {
  [.credentialAlreadyInUse, .emailAlreadyInUse].contains(error.authErrorCode)
}
// end
