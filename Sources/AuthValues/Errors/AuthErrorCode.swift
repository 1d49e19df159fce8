extension AuthError {
  /// The kebab-case code that clients print and tests compare.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code as clients print it, such as `invalid-email`.
    public let rawValue: String

    /// Makes a code that a script names; the code base itself declares its codes below.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// The code as clients print it.
    public var description: String { rawValue }
  }
}

/// The codes of Firebase's SDKs.
extension AuthError.Code {
  /// Another account owns the identity that was to be linked.
  public static let credentialAlreadyInUse = Self("credential-already-in-use")
  /// Another account has the e-mail address.
  public static let emailAlreadyInUse = Self("email-already-in-use")
  /// Another account has the phone number.
  public static let phoneNumberAlreadyExists = Self("phone-number-already-exists")
  /// The account already has an identity of this provider.
  public static let providerAlreadyLinked = Self("provider-already-linked")
  /// The account has no identity of this provider.
  public static let noSuchProvider = Self("no-such-provider")
  /// An account with the same e-mail exists, and this provider is not trusted enough to sign in to it.
  public static let accountExistsWithDifferentCredential = Self(
    "account-exists-with-different-credential")
  /// The account is disabled.
  public static let userDisabled = Self("user-disabled")
  /// There is no such account.
  public static let userNotFound = Self("user-not-found")
  /// The session is too old for a sensitive change.
  public static let requiresRecentLogin = Self("requires-recent-login")
  /// The first factor was right, and a second one is required before a session opens.
  public static let secondFactorRequired = Self("second-factor-required")
  /// The credential is wrong, malformed or expired.
  ///
  /// An unknown address and a wrong password give the same code.
  public static let invalidCredential = Self("invalid-credential")
  /// The text is not an e-mail address, or one that mail software may misread.
  public static let invalidEmail = Self("invalid-email")
  /// The text is not a phone number in E.164 form.
  public static let invalidPhoneNumber = Self("invalid-phone-number")
  /// The provider is unknown, or its ID is malformed.
  public static let invalidProviderID = Self("invalid-provider-id")
  /// The uid is empty, too long or contains control characters.
  public static let invalidUID = Self("invalid-uid")
  /// Another account has the uid.
  public static let uidAlreadyExists = Self("uid-already-exists")
  /// The password has fewer than six characters.
  public static let weakPassword = Self("weak-password")
  /// The custom claims exceed ``TextBounds/claims``.
  public static let claimsTooLarge = Self("claims-too-large")
  /// The custom claims are not a JSON object.
  public static let invalidClaims = Self("invalid-claims")
  /// The custom claims use a name that tokens reserve.
  public static let reservedClaims = Self("reserved-claims")
  /// The display name is longer than allowed.
  public static let invalidDisplayName = Self("invalid-display-name")
  /// The photo's URL is a script, has a control character, or is too long.
  public static let invalidPhotoURL = Self("invalid-photo-url")
  /// The code that was sent, or that the authenticator app showed, is wrong.
  public static let invalidVerificationCode = Self("invalid-verification-code")
  /// There is no code with this verification ID.
  public static let invalidVerificationID = Self("invalid-verification-id")
  /// The code is expired or used.
  public static let codeExpired = Self("code-expired")
  /// The continue URL is not on one of the project's authorised domains.
  public static let unauthorizedContinueURI = Self("unauthorized-continue-uri")
  /// Too many attempts, codes or sign-ins in a short time.
  public static let tooManyRequests = Self("too-many-requests")
  /// Too many messages were sent.
  public static let quotaExceeded = Self("quota-exceeded")
  /// The pending sign-in is unknown, used or expired.
  public static let invalidMultiFactorSession = Self("invalid-multi-factor-session")
  /// The account has no such second factor.
  public static let multiFactorInfoNotFound = Self("multi-factor-info-not-found")
  /// The number is enrolled as a second factor already.
  public static let secondFactorAlreadyInUse = Self("second-factor-already-in-use")
  /// The account has the maximum number of second factors.
  public static let maximumSecondFactorCountExceeded = Self("maximum-second-factor-count-exceeded")
  /// This first factor cannot be combined with a second one.
  public static let unsupportedFirstFactor = Self("unsupported-first-factor")
  /// The account's e-mail address has to be verified first.
  public static let unverifiedEmail = Self("unverified-email")
  /// The credential belongs to another account than the expected one.
  public static let userMismatch = Self("user-mismatch")
  /// The custom token is malformed, expired or not signed by a key of the project.
  public static let invalidCustomToken = Self("invalid-custom-token")
  /// The nonce is missing, or is not the one the ID token was issued for.
  public static let missingOrInvalidNonce = Self("missing-or-invalid-nonce")
  /// A provider's server could not be reached, or sent no usable answer.
  public static let networkRequestFailed = Self("network-request-failed")
  /// The e-mailed code is unknown or used.
  public static let invalidActionCode = Self("invalid-action-code")
  /// The e-mailed code is expired.
  public static let expiredActionCode = Self("expired-action-code")
  /// The password does not meet the scope's policy.
  public static let passwordDoesNotMeetRequirements = Self("password-does-not-meet-requirements")
  /// A function of the app refused the operation, or could not be called.
  public static let blockingFunctionError = Self("blocking-function-error")
  /// Only an admin may create or delete accounts here.
  public static let adminRestrictedOperation = Self("admin-restricted-operation")
  /// The project or tenant is disabled for everyone but admins.
  public static let projectDisabled = Self("project-disabled")
  /// The value belongs to another tenant than the one that was asked.
  public static let tenantMismatch = Self("tenant-mismatch")
  /// There is no such tenant.
  public static let tenantNotFound = Self("tenant-not-found")
  /// The refresh token is malformed or was never issued.
  public static let invalidRefreshToken = Self("invalid-refresh-token")
  /// The ID token or session cookie is malformed, or belongs to another project.
  public static let invalidUserToken = Self("invalid-user-token")
  /// The operation is not enabled in this scope.
  public static let operationNotAllowed = Self("operation-not-allowed")
  /// An argument is missing or malformed; the error's field names it.
  public static let invalidArgument = Self("invalid-argument")
  /// An unexpected failure; the log has its cause.
  public static let internalError = Self("internal-error")
}

/// The codes that AuthGraph adds.
extension AuthError.Code {
  /// More than one account fits, and a person has to choose.
  public static let ambiguous = Self("ambiguous")
  /// Unlinking would leave no way to sign in.
  public static let lastSignInMethod = Self("last-sign-in-method")
  /// A merge policy, or the core's validation of its plan, refused the merge.
  public static let mergeRefused = Self("merge-refused")
  /// An account changed after the plan was made.
  public static let planOutdated = Self("plan-outdated")
  /// Undoing would lose changes made since.
  public static let undoRefused = Self("undo-refused")
  /// The session was ended, by an admin or by a change of ownership.
  public static let userTokenExpired = Self("user-token-expired")
  /// The provider's subject was replaced by another one and no longer signs in.
  public static let subjectReplaced = Self("subject-replaced")
  /// The provider ended the identity's sign-ins after the credential was issued.
  public static let identitySuspended = Self("identity-suspended")
  /// No event or merge has this ID.
  public static let eventNotFound = Self("event-not-found")
  /// A merge policy does not compile, declares nothing or failed while it decided.
  public static let invalidPolicy = Self("invalid-policy")
  /// A provider plug-in does not compile, or declares something invalid.
  public static let invalidPlugin = Self("invalid-plugin")
  /// A provider plug-in failed or was stopped while it verified a credential.
  public static let pluginFailed = Self("plugin-failed")
  /// The store could not be opened, read or written.
  public static let storeUnavailable = Self("store-unavailable")
  /// The commit's outcome is unknown, because its answer was lost.
  ///
  /// Look for the change before you repeat the operation: a repeated sign-up may make a second account.
  public static let unsureCommit = Self("unsure-commit")
  /// The operation lost to concurrent writers in each of a bounded number of attempts.
  public static let tooMuchContention = Self("too-much-contention")
}
