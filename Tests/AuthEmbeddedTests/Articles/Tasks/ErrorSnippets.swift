import AuthClient
import Foundation

/// The snippets of the article "Errors and retries".
enum ErrorSnippets {
  static func signIn(
    _ auth: Auth, with credential: AuthCredential, _ show: (String) -> Void
  ) async {
    // snippet: show error
    do {
      try await auth.signIn(with: credential)
    } catch {
      show(sentence(about: error))
    }
    // end
  }
}

// snippet: sentence
/// Says what a person can do after an error.
func sentence(about error: any Error) -> String {
  switch error.authErrorCode {
  case .secondFactorRequired:
    let factor = error.multiFactorResolver?.hints.first
    return "Confirm the sign-in with \(factor?.displayName ?? "the second factor")."
  case .credentialAlreadyInUse:
    return "Sign in to the account of \(error.email ?? "this credential"), or choose another one."
  case .emailAlreadyInUse, .accountExistsWithDifferentCredential:
    return "There is an account with \(error.email ?? "this address"). Sign in to it."
  case .requiresRecentLogin:
    return "Sign in again first."
  case _ where error.isRetryable:
    return "Try again later."
  default:
    return error.localizedDescription
  }
}
// end

// snippet: retry
/// Repeats a call that may succeed later, after pauses.
func retrying<Value>(
  after pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4)],
  _ call: () async throws -> Value
) async throws -> Value {
  for pause in pauses {
    do {
      return try await call()
    } catch let error where error.isRetryable {
      try await Task.sleep(for: pause)
    }
  }
  return try await call()
}
// end
