public import AuthValues

extension WireError {
  /// Makes the answer to an error of the graph, unless a route has its own.
  ///
  /// The message reveals nothing about the owner of an identity, like the error's own. Only faults of the server
  /// become internal errors; temporary ones become unavailable.
  public init(_ error: AuthError) {
    switch error.code {
    case .storeUnavailable: self = .unavailable
    case .unsureCommit: self = .unsureCommit
    case .internalError: self = .internalError
    case .eventNotFound: self = .notFound
    default: self.init(refusal: error)
    }
  }

  /// Makes a refusal from the error's code.
  ///
  /// An unknown code, which only a provider of an embedding app can have, becomes a refusal of the credential.
  private init(refusal error: AuthError) {
    let code = Self.codes[error.code] ?? "INVALID_IDP_RESPONSE"
    self = WireError(code, detail: Self.detail(of: error))
    // A blocking function that could not be reached is no fault of the request.
    if error.code == .blockingFunctionError, error.step == .exchange { status = 500 }
  }

  /// Makes the answer of production: the error's own sentence follows the code if the code alone says too little.
  ///
  /// Only sentences that tell about the project, the request or the caller's own account are added. Others could tell
  /// an anonymous caller who has an account.
  public init(telling error: AuthError) {
    self.init(error)
    guard Self.told.contains(error.code), !message.contains(" : ") else { return }
    message = "\(message) : \(error.message)"
  }

  private static func detail(of error: AuthError) -> String? {
    if error.code == .reservedClaims {
      return error.field?.split(separator: ".").last.map(String.init)
    }
    return detailed.contains(error.code) ? error.message : nil
  }

  private init(_ code: String, detail: String?) {
    self = detail.map { WireError(code, $0) } ?? WireError(code)
  }

  /// The codes whose message helps the developer of a client.
  private static let detailed: Set<AuthError.Code> = [
    .operationNotAllowed, .invalidArgument, .unsupportedFirstFactor, .blockingFunctionError,
    .passwordDoesNotMeetRequirements,
  ]

  /// The codes whose sentence production adds.
  private static let told: Set<AuthError.Code> = [
    .lastSignInMethod, .undoRefused, .adminRestrictedOperation, .projectDisabled,
    .maximumSecondFactorCountExceeded, .quotaExceeded, .planOutdated, .noSuchProvider,
    .invalidProviderID, .invalidUID, .invalidDisplayName, .invalidPhotoURL,
    .unauthorizedContinueURI,
  ]

  static let codes: [AuthError.Code: String] = [
    .credentialAlreadyInUse: "FEDERATED_USER_ID_ALREADY_LINKED",
    .emailAlreadyInUse: "EMAIL_EXISTS",
    .phoneNumberAlreadyExists: "PHONE_NUMBER_EXISTS",
    .providerAlreadyLinked: "FEDERATED_USER_ID_ALREADY_LINKED",
    .accountExistsWithDifferentCredential: "FEDERATED_USER_ID_ALREADY_LINKED",
    .ambiguous: "FEDERATED_USER_ID_ALREADY_LINKED",
    .userDisabled: "USER_DISABLED",
    .userNotFound: "USER_NOT_FOUND",
    .requiresRecentLogin: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
    .secondFactorRequired: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
    .invalidCredential: "INVALID_IDP_RESPONSE",
    .subjectReplaced: "INVALID_IDP_RESPONSE",
    .identitySuspended: "INVALID_IDP_RESPONSE",
    .networkRequestFailed: "INVALID_IDP_RESPONSE",
    .pluginFailed: "INVALID_IDP_RESPONSE",
    .invalidEmail: "INVALID_EMAIL",
    .invalidPhoneNumber: "INVALID_PHONE_NUMBER : Invalid format.",
    .invalidProviderID: "INVALID_PROVIDER_ID",
    .invalidUID: "INVALID_LOCAL_ID",
    .uidAlreadyExists: "DUPLICATE_LOCAL_ID",
    .weakPassword: "WEAK_PASSWORD : Password should be at least 6 characters",
    .passwordDoesNotMeetRequirements: "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
    .projectDisabled: "PROJECT_DISABLED",
    .invalidDisplayName: "INVALID_DISPLAY_NAME",
    .invalidPhotoURL: "INVALID_PHOTO_URL",
    .claimsTooLarge: "CLAIMS_TOO_LARGE",
    .invalidClaims: "INVALID_CLAIMS",
    .reservedClaims: "FORBIDDEN_CLAIM",
    .invalidVerificationCode: "INVALID_CODE",
    .invalidVerificationID: "INVALID_SESSION_INFO",
    .codeExpired: "SESSION_EXPIRED",
    .invalidActionCode: "INVALID_OOB_CODE",
    .expiredActionCode: "EXPIRED_OOB_CODE",
    .unauthorizedContinueURI: "UNAUTHORIZED_DOMAIN",
    .tooManyRequests: "TOO_MANY_ATTEMPTS_TRY_LATER",
    .quotaExceeded: "QUOTA_EXCEEDED",
    .tooMuchContention: "TOO_MANY_ATTEMPTS_TRY_LATER",
    .invalidMultiFactorSession: "INVALID_MFA_PENDING_CREDENTIAL",
    .multiFactorInfoNotFound: "MFA_ENROLLMENT_NOT_FOUND",
    .secondFactorAlreadyInUse:
      "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.",
    .maximumSecondFactorCountExceeded: "SECOND_FACTOR_LIMIT_EXCEEDED",
    .unsupportedFirstFactor: "UNSUPPORTED_FIRST_FACTOR",
    .unverifiedEmail:
      "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.",
    .userMismatch: "USER_NOT_FOUND",
    .userTokenExpired: "TOKEN_EXPIRED",
    .invalidUserToken: "INVALID_ID_TOKEN",
    .invalidRefreshToken: "INVALID_REFRESH_TOKEN",
    .invalidCustomToken: "INVALID_CUSTOM_TOKEN",
    .missingOrInvalidNonce: "MISSING_OR_INVALID_NONCE",
    .adminRestrictedOperation: "ADMIN_ONLY_OPERATION",
    .tenantNotFound: "TENANT_NOT_FOUND",
    .tenantMismatch: "TENANT_ID_MISMATCH",
    .blockingFunctionError: "BLOCKING_FUNCTION_ERROR_RESPONSE",
    .lastSignInMethod: "OPERATION_NOT_ALLOWED",
    .mergeRefused: "FEDERATED_USER_ID_ALREADY_LINKED",
    .noSuchProvider: "INVALID_PROVIDER_ID",
    .planOutdated: "PLAN_OUTDATED",
    .undoRefused: "OPERATION_NOT_ALLOWED",
    // The admin finds the script's problem in the log.
    .invalidPolicy: "MERGE_REFUSED : The project's merge policy failed.",
    .invalidPlugin: "INVALID_IDP_RESPONSE",
    .operationNotAllowed: "OPERATION_NOT_ALLOWED",
    .invalidArgument: "INVALID_ARGUMENT",
  ]
}
