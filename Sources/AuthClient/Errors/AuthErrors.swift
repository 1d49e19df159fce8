/// The domain of the errors of this module, and the keys of what they carry.
///
/// The strings are those of Firebase's Apple SDK.
public enum AuthErrors {
  /// The domain of every error that is thrown here.
  public static let domain = "FIRAuthErrorDomain"
  /// The `ERROR_…` name of the code, as a string; every error has it.
  public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
  /// The e-mail address of an account that is in the way, as a string.
  public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
  /// The ``AuthCredential`` to sign in with, or to link after another sign-in, once a conflict is solved.
  public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
  /// The `MultiFactorResolver` with which a sign-in that needs a second factor goes on.
  public static let userInfoMultiFactorResolverKey = "FIRAuthErrorUserInfoMultiFactorResolverKey"

  /// The domain of what lies beneath an ``AuthErrorCode/internalError``.
  static let internalDomain = "FIRAuthInternalErrorDomain"
  /// An answer as decoded JSON, without what is secret in it.
  static let deserializedResponseKey = "FIRAuthErrorUserInfoDeserializedResponseKey"
  /// An answer as it came.
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
