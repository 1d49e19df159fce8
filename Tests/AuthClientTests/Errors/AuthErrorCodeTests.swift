import AuthClient
import Foundation
import Testing

/// Every code of the Apple SDK: its number, its name in Swift and its name in `userInfo`.
@Suite struct AuthErrorCodeTests {
  static let codes: [(Int, AuthErrorCode, String)] = [
    (17_000, .invalidCustomToken, "ERROR_INVALID_CUSTOM_TOKEN"),
    (17_002, .customTokenMismatch, "ERROR_CUSTOM_TOKEN_MISMATCH"),
    (17_004, .invalidCredential, "ERROR_INVALID_CREDENTIAL"),
    (17_005, .userDisabled, "ERROR_USER_DISABLED"),
    (17_006, .operationNotAllowed, "ERROR_OPERATION_NOT_ALLOWED"),
    (17_007, .emailAlreadyInUse, "ERROR_EMAIL_ALREADY_IN_USE"),
    (17_008, .invalidEmail, "ERROR_INVALID_EMAIL"),
    (17_009, .wrongPassword, "ERROR_WRONG_PASSWORD"),
    (17_010, .tooManyRequests, "ERROR_TOO_MANY_REQUESTS"),
    (17_011, .userNotFound, "ERROR_USER_NOT_FOUND"),
    (
      17_012, .accountExistsWithDifferentCredential,
      "ERROR_ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL"
    ),
    (17_014, .requiresRecentLogin, "ERROR_REQUIRES_RECENT_LOGIN"),
    (17_015, .providerAlreadyLinked, "ERROR_PROVIDER_ALREADY_LINKED"),
    (17_016, .noSuchProvider, "ERROR_NO_SUCH_PROVIDER"),
    (17_017, .invalidUserToken, "ERROR_INVALID_USER_TOKEN"),
    (17_020, .networkError, "ERROR_NETWORK_REQUEST_FAILED"),
    (17_021, .userTokenExpired, "ERROR_USER_TOKEN_EXPIRED"),
    (17_023, .invalidAPIKey, "ERROR_INVALID_API_KEY"),
    (17_024, .userMismatch, "ERROR_USER_MISMATCH"),
    (17_025, .credentialAlreadyInUse, "ERROR_CREDENTIAL_ALREADY_IN_USE"),
    (17_026, .weakPassword, "ERROR_WEAK_PASSWORD"),
    (17_028, .appNotAuthorized, "ERROR_APP_NOT_AUTHORIZED"),
    (17_029, .expiredActionCode, "ERROR_EXPIRED_ACTION_CODE"),
    (17_030, .invalidActionCode, "ERROR_INVALID_ACTION_CODE"),
    (17_031, .invalidMessagePayload, "ERROR_INVALID_MESSAGE_PAYLOAD"),
    (17_032, .invalidSender, "ERROR_INVALID_SENDER"),
    (17_033, .invalidRecipientEmail, "ERROR_INVALID_RECIPIENT_EMAIL"),
    (17_034, .missingEmail, "ERROR_MISSING_EMAIL"),
    (17_036, .missingIosBundleID, "ERROR_MISSING_IOS_BUNDLE_ID"),
    (17_037, .missingAndroidPackageName, "ERROR_MISSING_ANDROID_PKG_NAME"),
    (17_038, .unauthorizedDomain, "ERROR_UNAUTHORIZED_DOMAIN"),
    (17_039, .invalidContinueURI, "ERROR_INVALID_CONTINUE_URI"),
    (17_040, .missingContinueURI, "ERROR_MISSING_CONTINUE_URI"),
    (17_041, .missingPhoneNumber, "ERROR_MISSING_PHONE_NUMBER"),
    (17_042, .invalidPhoneNumber, "ERROR_INVALID_PHONE_NUMBER"),
    (17_043, .missingVerificationCode, "ERROR_MISSING_VERIFICATION_CODE"),
    (17_044, .invalidVerificationCode, "ERROR_INVALID_VERIFICATION_CODE"),
    (17_045, .missingVerificationID, "ERROR_MISSING_VERIFICATION_ID"),
    (17_046, .invalidVerificationID, "ERROR_INVALID_VERIFICATION_ID"),
    (17_047, .missingAppCredential, "MISSING_APP_CREDENTIAL"),
    (17_048, .invalidAppCredential, "INVALID_APP_CREDENTIAL"),
    (17_051, .sessionExpired, "ERROR_SESSION_EXPIRED"),
    (17_052, .quotaExceeded, "ERROR_QUOTA_EXCEEDED"),
    (17_053, .missingAppToken, "ERROR_MISSING_APP_TOKEN"),
    (17_054, .notificationNotForwarded, "ERROR_NOTIFICATION_NOT_FORWARDED"),
    (17_055, .appNotVerified, "ERROR_APP_NOT_VERIFIED"),
    (17_056, .captchaCheckFailed, "ERROR_CAPTCHA_CHECK_FAILED"),
    (17_057, .webContextAlreadyPresented, "ERROR_WEB_CONTEXT_ALREADY_PRESENTED"),
    (17_058, .webContextCancelled, "ERROR_WEB_CONTEXT_CANCELLED"),
    (17_059, .appVerificationUserInteractionFailure, "ERROR_APP_VERIFICATION_FAILED"),
    (17_060, .invalidClientID, "ERROR_INVALID_CLIENT_ID"),
    (17_061, .webNetworkRequestFailed, "ERROR_WEB_NETWORK_REQUEST_FAILED"),
    (17_062, .webInternalError, "ERROR_WEB_INTERNAL_ERROR"),
    (17_063, .webSignInUserInteractionFailure, "ERROR_WEB_USER_INTERACTION_FAILURE"),
    (17_066, .localPlayerNotAuthenticated, "ERROR_LOCAL_PLAYER_NOT_AUTHENTICATED"),
    (17_067, .nullUser, "ERROR_NULL_USER"),
    (17_071, .invalidProviderID, "ERROR_INVALID_PROVIDER_ID"),
    (17_072, .tenantIDMismatch, "ERROR_TENANT_ID_MISMATCH"),
    (17_073, .unsupportedTenantOperation, "ERROR_UNSUPPORTED_TENANT_OPERATION"),
    (17_075, .rejectedCredential, "ERROR_REJECTED_CREDENTIAL"),
    (17_076, .gameKitNotLinked, "ERROR_GAME_KIT_NOT_LINKED"),
    (17_078, .secondFactorRequired, "ERROR_SECOND_FACTOR_REQUIRED"),
    (17_081, .missingMultiFactorSession, "ERROR_MISSING_MULTI_FACTOR_SESSION"),
    (17_082, .missingMultiFactorInfo, "ERROR_MISSING_MULTI_FACTOR_INFO"),
    (17_083, .invalidMultiFactorSession, "ERROR_INVALID_MULTI_FACTOR_SESSION"),
    (17_084, .multiFactorInfoNotFound, "ERROR_MULTI_FACTOR_INFO_NOT_FOUND"),
    (17_085, .adminRestrictedOperation, "ERROR_ADMIN_RESTRICTED_OPERATION"),
    (17_086, .unverifiedEmail, "ERROR_UNVERIFIED_EMAIL"),
    (17_087, .secondFactorAlreadyEnrolled, "ERROR_SECOND_FACTOR_ALREADY_ENROLLED"),
    (17_088, .maximumSecondFactorCountExceeded, "ERROR_MAXIMUM_SECOND_FACTOR_COUNT_EXCEEDED"),
    (17_089, .unsupportedFirstFactor, "ERROR_UNSUPPORTED_FIRST_FACTOR"),
    (17_090, .emailChangeNeedsVerification, "ERROR_EMAIL_CHANGE_NEEDS_VERIFICATION"),
    (17_093, .missingClientIdentifier, "ERROR_MISSING_CLIENT_IDENTIFIER"),
    (17_094, .missingOrInvalidNonce, "ERROR_MISSING_OR_INVALID_NONCE"),
    (17_105, .blockingCloudFunctionError, "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR"),
    (17_200, .recaptchaNotEnabled, "ERROR_RECAPTCHA_NOT_ENABLED"),
    (17_201, .missingRecaptchaToken, "ERROR_MISSING_RECAPTCHA_TOKEN"),
    (17_202, .invalidRecaptchaToken, "ERROR_INVALID_RECAPTCHA_TOKEN"),
    (17_203, .invalidRecaptchaAction, "ERROR_INVALID_RECAPTCHA_ACTION"),
    (17_204, .missingClientType, "ERROR_MISSING_CLIENT_TYPE"),
    (17_205, .missingRecaptchaVersion, "ERROR_MISSING_RECAPTCHA_VERSION"),
    (17_206, .invalidRecaptchaVersion, "ERROR_INVALID_RECAPTCHA_VERSION"),
    (17_207, .invalidReqType, "ERROR_INVALID_REQ_TYPE"),
    (17_208, .recaptchaSDKNotLinked, "ERROR_RECAPTCHA_SDK_NOT_LINKED"),
    (17_209, .recaptchaSiteKeyMissing, "ERROR_RECAPTCHA_SITE_KEY_MISSING"),
    (17_210, .recaptchaActionCreationFailed, "ERROR_RECAPTCHA_ACTION_CREATION_FAILED"),
    (17_211, .passwordDoesNotMeetRequirements, "ERROR_PASSWORD_DOES_NOT_MEET_REQUIREMENTS"),
    (17_214, .invalidHostingLinkDomain, "ERROR_INVALID_HOSTING_LINK_DOMAIN"),
    (17_995, .keychainError, "ERROR_KEYCHAIN_ERROR"),
    (17_999, .internalError, "ERROR_INTERNAL_ERROR"),
    (18_000, .malformedJWT, "ERROR_MALFORMED_JWT"),
  ]

  @Test(arguments: codes)
  func `a code has its number and its name`(raw: Int, code: AuthErrorCode, name: String) {
    #expect(code.rawValue == raw)
    #expect(AuthErrorCode(rawValue: raw) == code)
    #expect(code.name == name)
    #expect(code.errorUserInfo[AuthErrors.userInfoNameKey] as? String == name)
  }

  @Test func `the list of codes is complete`() {
    #expect(AuthErrorCode.allCases == Self.codes.map(\.1).sorted { $0.rawValue < $1.rawValue })
    #expect(AuthErrorCode(rawValue: 17_035) == nil)
    #expect(AuthErrorCode(rawValue: 0) == nil)
  }

  @Test(arguments: codes)
  func `a code has a description and a remedy`(raw: Int, code: AuthErrorCode, name: String) {
    let sentences = (code as NSError).localizedDescription

    #expect(sentences.hasSuffix("."))
    #expect(sentences.contains(". "))
  }
}
