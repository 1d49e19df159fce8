import AuthCore
import Foundation
import Testing

@testable import AuthClient
@testable import IdentityToolkit

/// The client's error for each error of the graph that the server puts on the wire.
@Suite struct ServerCodesTests {
  static let expected: [String: AuthErrorCode] = [
    "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
    "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
    "CLAIMS_TOO_LARGE": .internalError,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
    "DUPLICATE_LOCAL_ID": .internalError,
    "EMAIL_EXISTS": .emailAlreadyInUse,
    "EXPIRED_OOB_CODE": .expiredActionCode,
    "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
    "FORBIDDEN_CLAIM": .internalError,
    "INVALID_ARGUMENT": .internalError,
    "INVALID_CLAIMS": .internalError,
    "INVALID_CODE": .invalidVerificationCode,
    "INVALID_CUSTOM_TOKEN": .invalidCustomToken,
    "INVALID_DISPLAY_NAME": .internalError,
    "INVALID_EMAIL": .invalidEmail,
    "INVALID_IDP_RESPONSE": .invalidCredential,
    "INVALID_ID_TOKEN": .invalidUserToken,
    "INVALID_LOCAL_ID": .internalError,
    "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
    "INVALID_OOB_CODE": .invalidActionCode,
    "INVALID_PHONE_NUMBER": .invalidPhoneNumber,
    "INVALID_PHOTO_URL": .internalError,
    "INVALID_PROVIDER_ID": .invalidProviderID,
    "INVALID_REFRESH_TOKEN": .invalidUserToken,
    "INVALID_SESSION_INFO": .invalidVerificationID,
    "MERGE_REFUSED": .operationNotAllowed,
    "MFA_ENROLLMENT_NOT_FOUND": .multiFactorInfoNotFound,
    "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
    "OPERATION_NOT_ALLOWED": .operationNotAllowed,
    "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
    "PHONE_NUMBER_EXISTS": .internalError,
    "PLAN_OUTDATED": .operationNotAllowed,
    "PROJECT_DISABLED": .internalError,
    "QUOTA_EXCEEDED": .quotaExceeded,
    "SECOND_FACTOR_EXISTS": .secondFactorAlreadyEnrolled,
    "SECOND_FACTOR_LIMIT_EXCEEDED": .maximumSecondFactorCountExceeded,
    "SESSION_EXPIRED": .sessionExpired,
    "TENANT_ID_MISMATCH": .tenantIDMismatch,
    "TENANT_NOT_FOUND": .internalError,
    "TOKEN_EXPIRED": .userTokenExpired,
    "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
    "UNAUTHORIZED_DOMAIN": .unauthorizedDomain,
    "UNSUPPORTED_FIRST_FACTOR": .unsupportedFirstFactor,
    "UNVERIFIED_EMAIL": .unverifiedEmail,
    "USER_DISABLED": .userDisabled,
    "USER_NOT_FOUND": .userNotFound,
    "WEAK_PASSWORD": .weakPassword,
  ]

  @Test(arguments: WireError.codes.keys.sorted { $0.rawValue < $1.rawValue })
  func `an error of the graph reaches the app as a code`(code: AuthError.Code) throws {
    let refusal = WireError(AuthError(code, "What happened."))
    let error = NSError.refusal(status: refusal.status, body: Data(refusal.body.text.utf8))

    let expected = try #require(Self.expected[refusal.code], "\(refusal.code) is not listed.")
    #expect(AuthErrorCode(error) == expected)
  }
}
