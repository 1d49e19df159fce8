import Foundation

/// The values of the errors that an ``Auth`` throws, for a `catch` that binds `error`.
///
/// Errors of other modules have none of them.
///
/// ```swift
/// do { try await user.link(with: credential) } catch {
///   switch error.authErrorCode {
///   case .secondFactorRequired: show(error.multiFactorResolver)
///   case .credentialAlreadyInUse: offer(error.updatedCredential)
///   case _ where error.isRetryable: tryAgainLater()
///   default: show(error.localizedDescription)
///   }
/// }
/// ```
extension Error {
  /// The code; nil for an error of another module, such as `CancellationError`.
  public var authErrorCode: AuthErrorCode? { AuthErrorCode(self) }

  /// The continuation of a sign-in or link that requires a second factor, for the code `secondFactorRequired`.
  public var multiFactorResolver: MultiFactorResolver? {
    authValue(AuthErrors.userInfoMultiFactorResolverKey) as? MultiFactorResolver
  }

  /// The credential to sign in with, or to link after another sign-in, once a conflict is resolved.
  public var updatedCredential: AuthCredential? {
    authValue(AuthErrors.userInfoUpdatedCredentialKey) as? AuthCredential
  }

  /// The e-mail address of a conflicting account.
  public var email: String? { authValue(AuthErrors.userInfoEmailKey) as? String }

  /// The code that the project's merge policy gave its refusal.
  public var mergeRefusalCode: String? {
    authValue(AuthErrors.userInfoMergeRefusalCodeKey) as? String
  }

  /// True if the same call may succeed later: the connection failed, the server is not available now, or there were too
  /// many attempts.
  ///
  /// The server may have carried out a request whose answer was lost. A change whose outcome it does not know itself is
  /// not retryable; look for the change first.
  public var isRetryable: Bool {
    if let isRetryable = authValue(AuthErrors.retryableKey) as? Bool { return isRetryable }
    switch authErrorCode {
    case .networkError, .webNetworkRequestFailed, .tooManyRequests: return true
    default: return false
    }
  }

  private func authValue(_ key: String) -> Any? {
    let error = self as NSError
    return error.domain == AuthErrors.domain ? error.userInfo[key] : nil
  }
}
