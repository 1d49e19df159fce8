extension AuthError {
  /// The kebab-case code that clients print and tests compare.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// Takes a code that a script names; new codes are declared below, never made up at a call.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

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
  /// An account with the same e-mail exists, and this provider's word is not enough to enter it.
  public static let accountExistsWithDifferentCredential = Self(
    "account-exists-with-different-credential")
  public static let userDisabled = Self("user-disabled")
  public static let userNotFound = Self("user-not-found")
  /// The session is too old for a sensitive change.
  public static let requiresRecentLogin = Self("requires-recent-login")
  /// The first factor was right; a second one has to be shown before anything is given.
  public static let secondFactorRequired = Self("second-factor-required")
  /// The credential is wrong, malformed or expired.
  ///
  /// Said alike for an unknown address and a wrong password.
  public static let invalidCredential = Self("invalid-credential")
  public static let invalidEmail = Self("invalid-email")
  public static let invalidPhoneNumber = Self("invalid-phone-number")
  public static let invalidProviderID = Self("invalid-provider-id")
  public static let invalidUID = Self("invalid-uid")
  public static let uidAlreadyExists = Self("uid-already-exists")
  public static let weakPassword = Self("weak-password")
  public static let claimsTooLarge = Self("claims-too-large")
  public static let invalidClaims = Self("invalid-claims")
  public static let reservedClaims = Self("reserved-claims")
  public static let invalidDisplayName = Self("invalid-display-name")
  public static let invalidPhotoURL = Self("invalid-photo-url")
  /// The code that was sent, or of the authenticator app, is wrong.
  public static let invalidVerificationCode = Self("invalid-verification-code")
  /// Nobody made a code with this ID.
  public static let invalidVerificationID = Self("invalid-verification-id")
  /// The code's time is over, or it was used.
  public static let codeExpired = Self("code-expired")
  /// The address that a link is to lead to is not one of the project's.
  public static let unauthorizedContinueURI = Self("unauthorized-continue-uri")
  /// Too many attempts, codes or sign-ins in a short time.
  public static let tooManyRequests = Self("too-many-requests")
  /// Too many messages were sent.
  public static let quotaExceeded = Self("quota-exceeded")
  /// The sign-in that waits for a second factor is unknown, used or too old.
  public static let invalidMultiFactorSession = Self("invalid-multi-factor-session")
  /// The account has no such second factor.
  public static let multiFactorInfoNotFound = Self("multi-factor-info-not-found")
  /// The number is enrolled as a second factor already.
  public static let secondFactorAlreadyInUse = Self("second-factor-already-in-use")
  /// The account has as many second factors as it may have.
  public static let maximumSecondFactorCountExceeded = Self("maximum-second-factor-count-exceeded")
  /// This way in cannot be guarded by a second factor.
  public static let unsupportedFirstFactor = Self("unsupported-first-factor")
  /// The account's e-mail address has to be verified first.
  public static let unverifiedEmail = Self("unverified-email")
  /// The credential belongs to another person than the one it should.
  public static let userMismatch = Self("user-mismatch")
  /// The custom token is malformed, expired or not signed by a key of the project.
  public static let invalidCustomToken = Self("invalid-custom-token")
  /// The nonce is missing, or not the one that the ID token was made for.
  public static let missingOrInvalidNonce = Self("missing-or-invalid-nonce")
  /// A server of a provider could not be reached, or gave no usable answer.
  public static let networkRequestFailed = Self("network-request-failed")
  /// The code that came by e-mail is unknown, or was used.
  public static let invalidActionCode = Self("invalid-action-code")
  /// The code that came by e-mail is too old.
  public static let expiredActionCode = Self("expired-action-code")
  /// The password does not meet the scope's policy.
  public static let passwordDoesNotMeetRequirements = Self("password-does-not-meet-requirements")
  /// A function of the app refused the sign-in, or could not be asked.
  public static let blockingFunctionError = Self("blocking-function-error")
  /// Only an admin may open or delete accounts here.
  public static let adminRestrictedOperation = Self("admin-restricted-operation")
  /// Nobody but an admin may do anything in this project or tenant.
  public static let projectDisabled = Self("project-disabled")
  /// What was given belongs to another tenant than the one that was asked.
  public static let tenantMismatch = Self("tenant-mismatch")
  /// There is no such tenant.
  public static let tenantNotFound = Self("tenant-not-found")
  /// The refresh token is malformed, or nobody gave it.
  public static let invalidRefreshToken = Self("invalid-refresh-token")
  /// The ID token or session cookie is malformed, or not of this project.
  public static let invalidUserToken = Self("invalid-user-token")
  public static let operationNotAllowed = Self("operation-not-allowed")
  public static let invalidArgument = Self("invalid-argument")
  public static let internalError = Self("internal-error")
}

/// The codes that AuthGraph adds.
extension AuthError.Code {
  /// More than one account fits and a person has to choose.
  public static let ambiguous = Self("ambiguous")
  /// Unlinking would leave no way to sign in.
  public static let lastSignInMethod = Self("last-sign-in-method")
  /// A merge policy, or the core's check of what it said, turned the merge down.
  public static let mergeRefused = Self("merge-refused")
  /// An account changed after the plan was made.
  public static let planOutdated = Self("plan-outdated")
  /// Undoing would lose what happened since.
  public static let undoRefused = Self("undo-refused")
  /// The session was ended, by an admin or by a change of ownership.
  public static let userTokenExpired = Self("user-token-expired")
  /// The provider's subject was replaced by another one, and signs nobody in any more.
  public static let subjectReplaced = Self("subject-replaced")
  /// No event or merge has this ID.
  public static let eventNotFound = Self("event-not-found")
  /// A merge policy does not compile, declares nothing or failed while deciding.
  public static let invalidPolicy = Self("invalid-policy")
  /// A provider plug-in does not compile, or declares something that cannot be.
  public static let invalidPlugin = Self("invalid-plugin")
  /// A provider plug-in made a mistake, or was stopped, while it verified a credential.
  public static let pluginFailed = Self("plugin-failed")
  /// The store could not be opened, read or written.
  public static let storeUnavailable = Self("store-unavailable")
  /// The answer to a commit was lost: whether the change was made is not known.
  ///
  /// Look for the change before the operation is repeated. A sign-up that is repeated may be a second account.
  public static let unsureCommit = Self("unsure-commit")
  /// Other writers kept winning, and the bounded retries are used up.
  public static let tooMuchContention = Self("too-much-contention")
}
