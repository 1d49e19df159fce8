import AuthValues

/// The parts of a refusal's message: `CODE`, `CODE : detail`, or a sentence.
struct ServerMessage {
  /// The code, such as `WEAK_PASSWORD`; the whole text if it is a sentence.
  let code: String
  /// The trimmed text after the code; nil if there is none.
  let detail: String?

  /// Splits a message at its first colon, and separates the code from other text before it.
  init(_ message: String) {
    let parts = message.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let front = (parts.first ?? "").trimmed
    let behind = parts.count > 1 ? parts[1].trimmed : ""
    let word = String(front.prefix { $0.isUppercase || $0.isNumber || $0 == "_" })
    let further = front.dropFirst(word.count)
    guard word.contains("_"), further.isEmpty || further.first?.isWhitespace == true else {
      code = front
      detail = behind.isEmpty ? nil : behind
      return
    }
    // The emulator writes some details without a colon.
    code = word
    let all = further.isEmpty ? behind : message.trimmed.dropFirst(word.count).trimmed
    detail = all.isEmpty ? nil : all
  }

  /// The client's error code for the server's code.
  var clientCode: AuthErrorCode? { Self.codes[code] ?? Self.further[code] }

  /// The message in the detail's first JSON object, which is a blocking function's answer.
  var functionMessage: String? {
    guard let object = detail.flatMap(Self.firstObject), let json = try? JSONValue(text: object)
    else { return nil }
    return json["error"]?["message"]?.stringValue
  }

  /// Returns the text from the first brace to the matching one.
  ///
  /// Braces in strings do not count.
  private static func firstObject(in text: String) -> String? {
    guard let start = text.firstIndex(of: "{") else { return nil }
    var (depth, isInString, isEscaped) = (0, false, false)
    for index in text.indices[start...] {
      switch text[index] {
      case _ where isEscaped: isEscaped = false
      case "\\" where isInString: isEscaped = true
      case "\"": isInString.toggle()
      case "{" where !isInString: depth += 1
      case "}" where !isInString:
        depth -= 1
        if depth == 0 { return String(text[start...index]) }
      default: break
      }
    }
    return nil
  }

  /// The codes that Firebase's Apple SDK knows, and its translation of them.
  static let codes: [String: AuthErrorCode] = [
    "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
    "APP_NOT_VERIFIED": .appNotVerified,
    "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
    "CAPTCHA_CHECK_FAILED": .captchaCheckFailed,
    "CREDENTIAL_MISMATCH": .customTokenMismatch,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
    "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
    "EMAIL_EXISTS": .emailAlreadyInUse,
    "EMAIL_NOT_FOUND": .userNotFound,
    "EXPIRED_OOB_CODE": .expiredActionCode,
    "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
    "INVALID_APP_CREDENTIAL": .invalidAppCredential,
    "INVALID_CODE": .invalidVerificationCode,
    "INVALID_CONTINUE_URI": .invalidContinueURI,
    "INVALID_CUSTOM_TOKEN": .invalidCustomToken,
    "INVALID_EMAIL": .invalidEmail,
    "INVALID_HOSTING_LINK_DOMAIN": .invalidHostingLinkDomain,
    "INVALID_IDENTIFIER": .invalidEmail,
    "INVALID_IDP_RESPONSE": .invalidCredential,
    "INVALID_ID_TOKEN": .invalidUserToken,
    "INVALID_LOGIN_CREDENTIALS": .invalidCredential,
    "INVALID_MESSAGE_PAYLOAD": .invalidMessagePayload,
    "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
    "INVALID_OOB_CODE": .invalidActionCode,
    "INVALID_PASSWORD": .wrongPassword,
    "INVALID_PENDING_TOKEN": .invalidCredential,
    "INVALID_PHONE_NUMBER": .invalidPhoneNumber,
    "INVALID_PROVIDER_ID": .invalidProviderID,
    "INVALID_RECIPIENT_EMAIL": .invalidRecipientEmail,
    "INVALID_SENDER": .invalidSender,
    "INVALID_SESSION_INFO": .invalidVerificationID,
    "MFA_ENROLLMENT_NOT_FOUND": .multiFactorInfoNotFound,
    "MISSING_ANDROID_PACKAGE_NAME": .missingAndroidPackageName,
    "MISSING_APP_CREDENTIAL": .missingAppCredential,
    "MISSING_CLIENT_IDENTIFIER": .missingClientIdentifier,
    "MISSING_CONTINUE_URI": .missingContinueURI,
    "MISSING_EMAIL": .missingEmail,
    "MISSING_IOS_APP_TOKEN": .missingAppToken,
    "MISSING_IOS_BUNDLE_ID": .missingIosBundleID,
    "MISSING_MFA_ENROLLMENT_ID": .missingMultiFactorInfo,
    "MISSING_MFA_PENDING_CREDENTIAL": .missingMultiFactorSession,
    "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
    "OPERATION_NOT_ALLOWED": .operationNotAllowed,
    "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
    "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
    "QUOTA_EXCEEDED": .quotaExceeded,
    "SECOND_FACTOR_EXISTS": .secondFactorAlreadyEnrolled,
    "SECOND_FACTOR_LIMIT_EXCEEDED": .maximumSecondFactorCountExceeded,
    "SESSION_EXPIRED": .sessionExpired,
    "TENANT_ID_MISMATCH": .tenantIDMismatch,
    "TOKEN_EXPIRED": .userTokenExpired,
    "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
    "UNAUTHORIZED_DOMAIN": .unauthorizedDomain,
    "UNSUPPORTED_FIRST_FACTOR": .unsupportedFirstFactor,
    "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation,
    "UNVERIFIED_EMAIL": .unverifiedEmail,
    "USER_DISABLED": .userDisabled,
    "USER_NOT_FOUND": .userNotFound,
    "WEAK_PASSWORD": .weakPassword,
  ]

  /// Codes that Firebase's SDK does not know but that have an obvious counterpart.
  static let further: [String: AuthErrorCode] = [
    "CONFIGURATION_NOT_FOUND": .operationNotAllowed,
    "CREDENTIAL_ALREADY_IN_USE": .credentialAlreadyInUse,
    "DUPLICATE_EMAIL": .emailAlreadyInUse,
    "INVALID_CREDENTIAL_OR_PROVIDER_ID": .invalidCredential,
    "INVALID_DYNAMIC_LINK_DOMAIN": .invalidHostingLinkDomain,
    "INVALID_MFA_ENROLLMENT_ID": .multiFactorInfoNotFound,
    "INVALID_MFA_PHONE_NUMBER": .invalidPhoneNumber,
    "INVALID_NEW_EMAIL": .invalidEmail,
    "INVALID_REFRESH_TOKEN": .invalidUserToken,
    "MERGE_REFUSED": .operationNotAllowed,
    "MISSING_CUSTOM_TOKEN": .invalidCustomToken,
    "MISSING_IDENTIFIER": .missingEmail,
    "MISSING_NEW_EMAIL": .missingEmail,
    "MISSING_OOB_CODE": .invalidActionCode,
    "MISSING_PHONE_NUMBER": .missingPhoneNumber,
    "MISSING_PROVIDER_ID": .invalidProviderID,
    "MISSING_SESSION_INFO": .missingVerificationID,
    "PLAN_OUTDATED": .operationNotAllowed,
  ]
}

extension StringProtocol {
  fileprivate var trimmed: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
