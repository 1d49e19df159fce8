import AuthClient
import Foundation

/// The snippets of the article "When the credential belongs to someone else".
enum ConflictSnippets {
  static func plan(
    _ user: User, _ other: User, auth: Auth, _ agrees: (String) async -> Bool
  ) async throws -> User {
    // snippet: plan
    let plan = try await auth.planMerge(of: user, into: other)
    guard await agrees(plan.preview) else {
      // Nothing was written; the earlier user stays signed in.
      try await auth.updateCurrentUser(user)
      return user
    }
    let merged = try await plan.commit()
    print("\(merged.mergedFrom) went up in \(merged.user.uid).")
    // end
    return merged.user
  }

  static func existing(
    _ credential: AuthCredential, auth: Auth, email: String, password: String
  ) async throws -> User? {
    // snippet: needs another way
    do {
      try await auth.signIn(with: credential)
    } catch AuthErrorCode.accountExistsWithDifferentCredential {
      let result = try await auth.signIn(withEmail: email, password: password)
      try await result.user.link(with: credential)
    }
    // end
    return auth.currentUser
  }
}

// snippet: other account
/// The credential that signs in to its account; nil for any other error.
func otherCredential(of error: any Error) -> AuthCredential? {
  error.authErrorCode == .credentialAlreadyInUse ? error.updatedCredential : nil
}
// end

// snippet: link or merge
func linkOrMerge(
  _ credential: AuthCredential, to user: User, auth: Auth
) async throws -> User {
  do {
    return try await user.link(with: credential).user
  } catch {
    guard let other = otherCredential(of: error) else { throw error }
    let result = try await auth.signIn(with: other)
    return try await auth.merge(user, into: result.user).user
  }
}
// end
