import Foundation
import Testing

@testable import AuthClient

/// The translation of a server's refusals.
@Suite struct RefusalTests {
  private func refusal(_ message: String) -> NSError {
    NSError.refusal(message: message, status: 400)
  }

  private func answer(status: Int = 400, _ body: String) -> NSError {
    NSError.refusal(status: status, body: Data(body.utf8))
  }

  @Test func `D10: an unsure commit says so`() {
    let error = answer(
      status: 503,
      """
      {"error": {"code": 503, "message": "UNSURE_COMMIT : It is not known whether the change was made. Look for it.",
        "status": "UNAVAILABLE", "errors": [{"reason": "backendError"}]}}
      """)
    #expect(AuthErrorCode(error) == .internalError)
    #expect(error.localizedDescription.hasPrefix("It is not known whether the change was made"))
    #expect(error.localizedFailureReason == "UNSURE_COMMIT")
    #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
  }

  /// The Apple SDK's translation of the codes that it knows.
  static let known: [(String, AuthErrorCode)] = [
    ("USER_NOT_FOUND", .userNotFound),
    ("EMAIL_NOT_FOUND", .userNotFound),
    ("MISSING_CONTINUE_URI", .missingContinueURI),
    ("INVALID_CONTINUE_URI", .invalidContinueURI),
    ("UNAUTHORIZED_DOMAIN", .unauthorizedDomain),
    ("INVALID_IDENTIFIER", .invalidEmail),
    ("INVALID_EMAIL", .invalidEmail),
    ("INVALID_ID_TOKEN", .invalidUserToken),
    ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .requiresRecentLogin),
    ("EMAIL_EXISTS", .emailAlreadyInUse),
    ("OPERATION_NOT_ALLOWED", .operationNotAllowed),
    ("PASSWORD_LOGIN_DISABLED", .operationNotAllowed),
    ("USER_DISABLED", .userDisabled),
    ("EXPIRED_OOB_CODE", .expiredActionCode),
    ("INVALID_OOB_CODE", .invalidActionCode),
    ("INVALID_MESSAGE_PAYLOAD", .invalidMessagePayload),
    ("INVALID_SENDER", .invalidSender),
    ("INVALID_RECIPIENT_EMAIL", .invalidRecipientEmail),
    ("WEAK_PASSWORD", .weakPassword),
    ("PASSWORD_DOES_NOT_MEET_REQUIREMENTS", .passwordDoesNotMeetRequirements),
    ("TOO_MANY_ATTEMPTS_TRY_LATER", .tooManyRequests),
    ("QUOTA_EXCEEDED", .quotaExceeded),
    ("MISSING_EMAIL", .missingEmail),
    ("MISSING_IOS_BUNDLE_ID", .missingIosBundleID),
    ("MISSING_ANDROID_PACKAGE_NAME", .missingAndroidPackageName),
    ("INVALID_PASSWORD", .wrongPassword),
    ("INVALID_IDP_RESPONSE", .invalidCredential),
    ("INVALID_PENDING_TOKEN", .invalidCredential),
    ("INVALID_LOGIN_CREDENTIALS", .invalidCredential),
    ("INVALID_CUSTOM_TOKEN", .invalidCustomToken),
    ("CREDENTIAL_MISMATCH", .customTokenMismatch),
    ("INVALID_PHONE_NUMBER", .invalidPhoneNumber),
    ("APP_NOT_VERIFIED", .appNotVerified),
    ("CAPTCHA_CHECK_FAILED", .captchaCheckFailed),
    ("INVALID_APP_CREDENTIAL", .invalidAppCredential),
    ("MISSING_APP_CREDENTIAL", .missingAppCredential),
    ("MISSING_CLIENT_IDENTIFIER", .missingClientIdentifier),
    ("MISSING_IOS_APP_TOKEN", .missingAppToken),
    ("INVALID_CODE", .invalidVerificationCode),
    ("INVALID_SESSION_INFO", .invalidVerificationID),
    ("SESSION_EXPIRED", .sessionExpired),
    ("INVALID_HOSTING_LINK_DOMAIN", .invalidHostingLinkDomain),
    ("ADMIN_ONLY_OPERATION", .adminRestrictedOperation),
    ("BLOCKING_FUNCTION_ERROR_RESPONSE", .blockingCloudFunctionError),
    ("EMAIL_CHANGE_NEEDS_VERIFICATION", .emailChangeNeedsVerification),
    ("INVALID_MFA_PENDING_CREDENTIAL", .invalidMultiFactorSession),
    ("MFA_ENROLLMENT_NOT_FOUND", .multiFactorInfoNotFound),
    ("MISSING_MFA_ENROLLMENT_ID", .missingMultiFactorInfo),
    ("MISSING_MFA_PENDING_CREDENTIAL", .missingMultiFactorSession),
    ("SECOND_FACTOR_EXISTS", .secondFactorAlreadyEnrolled),
    ("SECOND_FACTOR_LIMIT_EXCEEDED", .maximumSecondFactorCountExceeded),
    ("UNSUPPORTED_FIRST_FACTOR", .unsupportedFirstFactor),
    ("UNVERIFIED_EMAIL", .unverifiedEmail),
    ("INVALID_PROVIDER_ID", .invalidProviderID),
    ("MISSING_OR_INVALID_NONCE", .missingOrInvalidNonce),
    ("TENANT_ID_MISMATCH", .tenantIDMismatch),
    ("UNSUPPORTED_TENANT_OPERATION", .unsupportedTenantOperation),
    ("TOKEN_EXPIRED", .userTokenExpired),
    ("FEDERATED_USER_ID_ALREADY_LINKED", .credentialAlreadyInUse),
  ]

  @Test(arguments: known)
  func `a code that the Apple SDK knows becomes the same error`(
    server: String, code: AuthErrorCode
  ) {
    #expect(AuthErrorCode(refusal(server)) == code)
    #expect(AuthErrorCode(refusal("\(server) : Some detail.")) == code)
    #expect(
      AuthErrorCode(answer(#"{"error":{"code":400,"message":"\#(server)"}}"#)) == code)
  }

  /// The translation of codes that the Apple SDK does not know.
  static let further: [(String, AuthErrorCode)] = [
    ("CONFIGURATION_NOT_FOUND", .operationNotAllowed),
    ("CREDENTIAL_ALREADY_IN_USE", .credentialAlreadyInUse),
    ("DUPLICATE_EMAIL", .emailAlreadyInUse),
    ("INVALID_CREDENTIAL_OR_PROVIDER_ID", .invalidCredential),
    ("INVALID_DYNAMIC_LINK_DOMAIN", .invalidHostingLinkDomain),
    ("INVALID_MFA_ENROLLMENT_ID", .multiFactorInfoNotFound),
    ("INVALID_MFA_PHONE_NUMBER", .invalidPhoneNumber),
    ("INVALID_NEW_EMAIL", .invalidEmail),
    ("INVALID_REFRESH_TOKEN", .invalidUserToken),
    ("MERGE_REFUSED", .operationNotAllowed),
    ("MISSING_CUSTOM_TOKEN", .invalidCustomToken),
    ("MISSING_IDENTIFIER", .missingEmail),
    ("MISSING_NEW_EMAIL", .missingEmail),
    ("MISSING_OOB_CODE", .invalidActionCode),
    ("MISSING_PHONE_NUMBER", .missingPhoneNumber),
    ("MISSING_PROVIDER_ID", .invalidProviderID),
    ("MISSING_SESSION_INFO", .missingVerificationID),
    ("PLAN_OUTDATED", .operationNotAllowed),
  ]

  @Test(arguments: further)
  func `a code with an obvious counterpart becomes it`(server: String, code: AuthErrorCode) {
    #expect(AuthErrorCode(refusal(server)) == code)
  }

  @Test(arguments: [
    "PHONE_NUMBER_EXISTS", "MISSING_PASSWORD", "MISSING_CODE",
    "INVALID_TEMPORARY_PROOF", "PROJECT_DISABLED", "RECAPTCHA_NOT_ENABLED", "REJECTED_CREDENTIAL",
    "INVALID_REQ_TYPE", "SOMETHING_NEW", "Not Found",
  ])
  func `any other code is an internal error that names it`(server: String) throws {
    let error = refusal("\(server) : Some detail.")

    #expect(AuthErrorCode(error) == .internalError)
    #expect(error.localizedDescription == "The server answered: \(server) : Some detail.")
    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(beneath.domain == "FIRAuthInternalErrorDomain")
    #expect(beneath.code == 3)
  }

  @Test func `an unknown refusal can be looked into`() throws {
    let body = #"{"error":{"code":400,"message":"PROJECT_DISABLED","errors":[]}}"#
    let error = answer(body)

    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    let shown = try #require(
      beneath.userInfo["FIRAuthErrorUserInfoDeserializedResponseKey"] as? [String: Any])
    let inner = try #require(shown["error"] as? [String: Any])
    #expect(inner["message"] as? String == "PROJECT_DISABLED")
    #expect(inner["code"] as? Int == 400)
    #expect(beneath.userInfo["FIRAuthErrorUserInfoDataKey"] as? Data == Data(body.utf8))
  }

  @Test(arguments: ["", "<html>502</html>", "[]", "{}", #"{"error":"invalid_grant"}"#])
  func `a refusal that says nothing is an internal error`(body: String) throws {
    let error = answer(status: 502, body)

    #expect(AuthErrorCode(error) == .internalError)
    let beneath = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(beneath.code == 3)
    #expect(beneath.localizedDescription.hasPrefix("HTTP 502"))
  }

  @Test func `the detail is the description`() {
    #expect(refusal("INVALID_IDP_RESPONSE : Too: old.").localizedDescription == "Too: old.")
    #expect(refusal("TENANT_ID_MISMATCH: ((No.))").localizedDescription == "((No.))")
    #expect(
      refusal("INVALID_IDP_RESPONSE ((No: none.))").localizedDescription == "((No: none.))")
    #expect(
      refusal("USER_DISABLED").localizedDescription
        == AuthErrorCode.userDisabled.sentence)
  }

  @Test func `a weak password's detail is the reason, and so is a policy's refusal to merge`() {
    let weak = refusal("WEAK_PASSWORD : At least 12 characters")
    #expect(weak.localizedFailureReason == "At least 12 characters")
    #expect(weak.localizedDescription == AuthErrorCode.weakPassword.sentence)

    let merge = refusal("MERGE_REFUSED : needs proof of both accounts")
    #expect(AuthErrorCode(merge) == .operationNotAllowed)
    #expect(merge.localizedFailureReason == "needs proof of both accounts")
  }

  @Test(arguments: [
    (
      #"((HTTP request to http://f returned HTTP error 403: {"error":{"details":{"a":"}"},"#
        + #""message":"Not from {here}","status":"PERMISSION_DENIED"}}))"#, "Not from {here}"
    ),
    (#"{"error":{"message":"First"}} {"error":{"message":"Second"}}"#, "First"),
    ("((no JSON))", "((no JSON))"), ("{ never closed", "{ never closed"),
    (#"{"other":1}"#, #"{"other":1}"#),
  ])
  func `a blocking function's own words are the description`(detail: String, words: String) {
    let error = refusal("BLOCKING_FUNCTION_ERROR_RESPONSE : \(detail)")

    #expect(AuthErrorCode(error) == .blockingCloudFunctionError)
    #expect(error.localizedDescription == words)
  }

  @Test func `the reason names the fault of an API key`() {
    func error(_ message: String, _ reason: String) -> NSError {
      answer(
        #"{"error":{"message":"\#(message)","errors":[{"reason":"\#(reason)"}]}}"#)
    }
    let invalid = error("API key not valid. Please pass a valid API key.", "keyInvalid")
    #expect(AuthErrorCode(invalid) == .invalidAPIKey)
    #expect(AuthErrorCode(error("Bad.", "keyInvalidForProject")) == .invalidAPIKey)
    #expect(AuthErrorCode(error("Bad.", "ipRefererBlocked")) == .appNotAuthorized)
    #expect(AuthErrorCode(error("Bad.", "forbidden")) == .internalError)
    #expect(
      AuthErrorCode(error("The request is missing a valid API key.", "forbidden"))
        == .invalidAPIKey)
  }

  @Test func `a conflict's answer gives the credential that signs in`() throws {
    let body = Data(
      #"""
      {"providerId":"github.com","email":"ada@example.com","oauthAccessToken":"t0ken",
       "pendingToken":"p3nding","errorMessage":"FEDERATED_USER_ID_ALREADY_LINKED"}
      """#.utf8)
    let error = NSError.refusal(
      message: "FEDERATED_USER_ID_ALREADY_LINKED", body: body, status: 200)

    #expect(AuthErrorCode(error) == .credentialAlreadyInUse)
    #expect(error.userInfo[AuthErrorUserInfoEmailKey] as? String == "ada@example.com")
    let credential = try #require(
      error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
    #expect(credential.provider == "github.com")
    var values = FederatedValues(accessToken: "t0ken")
    values.pendingToken = "p3nding"
    #expect(credential.content == .federated(values))
    #expect(!"\(error) \(error.userInfo)".contains("t0ken"))
    #expect(!"\(error) \(error.userInfo)".contains("p3nding"))
  }
}
