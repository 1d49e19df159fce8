/// The domain of this module's errors, and the keys of their user info.
///
/// The strings are those of Firebase's Apple SDK.
public enum AuthErrors {
  /// The domain of every error of this module.
  public static let domain = "FIRAuthErrorDomain"
  /// The key of the code's `ERROR_…` name, a string, which every error has.
  public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
  /// The key of the e-mail address of a conflicting account, a string.
  public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
  /// The key of the ``AuthCredential`` to sign in with, or to link after another sign-in, once a conflict is
  /// resolved.
  public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
  /// The key of the ``MultiFactorResolver`` that continues a sign-in with a second factor.
  public static let userInfoMultiFactorResolverKey = "FIRAuthErrorUserInfoMultiFactorResolverKey"
  /// The key of the code that the project's merge policy gave its refusal, a string.
  public static let userInfoMergeRefusalCodeKey = "AGAuthErrorUserInfoMergeRefusalCodeKey"

  /// The key of a Boolean: whether the same call may succeed later.
  static let retryableKey = "AGAuthErrorUserInfoRetryableKey"
  /// The domain of the error underneath an ``AuthErrorCode/internalError``.
  static let internalDomain = "FIRAuthInternalErrorDomain"
  /// The key of an answer as decoded JSON, without secrets.
  static let deserializedResponseKey = "FIRAuthErrorUserInfoDeserializedResponseKey"
  /// The key of an answer's bytes.
  static let dataKey = "FIRAuthErrorUserInfoDataKey"
}

/// The same as ``AuthErrors/domain``.
public let AuthErrorDomain = AuthErrors.domain
/// The same as ``AuthErrors/userInfoNameKey``.
public let AuthErrorUserInfoNameKey = AuthErrors.userInfoNameKey
/// The same as ``AuthErrors/userInfoEmailKey``.
public let AuthErrorUserInfoEmailKey = AuthErrors.userInfoEmailKey
/// The same as ``AuthErrors/userInfoUpdatedCredentialKey``.
public let AuthErrorUserInfoUpdatedCredentialKey = AuthErrors.userInfoUpdatedCredentialKey
/// The same as ``AuthErrors/userInfoMultiFactorResolverKey``.
public let AuthErrorUserInfoMultiFactorResolverKey = AuthErrors.userInfoMultiFactorResolverKey
