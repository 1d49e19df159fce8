extension AuthErrorCode {
  /// A code's name, and its description for a developer.
  struct Entry: Sendable {
    let name: String
    let sentence: String

    init(_ name: String, _ sentence: String) {
      self.name = name
      self.sentence = sentence
    }
  }

  /// Every code, by number.
  static let table: [Int: Entry] = [
    17_000: Entry(
      "ERROR_INVALID_CUSTOM_TOKEN",
      "The custom token is malformed, expired or signed with a key that the project does not know. "
        + "Let your server make a new one."),
    17_002: Entry(
      "ERROR_CUSTOM_TOKEN_MISMATCH",
      "The custom token belongs to another project. "
        + "Use the API key of the project whose server made it."),
    17_004: Entry(
      "ERROR_INVALID_CREDENTIAL",
      "The credential is malformed, expired or not right. "
        + "Ask for the sign-in details again, or get a new credential from the provider."),
    17_005: Entry(
      "ERROR_USER_DISABLED",
      "An administrator disabled this account. Ask them to enable it."),
    17_006: Entry(
      "ERROR_OPERATION_NOT_ALLOWED",
      "The project does not allow this operation. "
        + "Enable the way of signing in, or the operation, in the project's settings."),
    17_007: Entry(
      "ERROR_EMAIL_ALREADY_IN_USE",
      "Another account uses this e-mail address. "
        + "Sign in with that account, or use another address."),
    17_008: Entry("ERROR_INVALID_EMAIL", "The e-mail address is malformed. Correct it."),
    17_009: Entry(
      "ERROR_WRONG_PASSWORD",
      "The password is not right, or the account has none. "
        + "Try another one, or send a password reset."),
    17_010: Entry(
      "ERROR_TOO_MANY_REQUESTS",
      "There were too many attempts. Wait a while, then try again."),
    17_011: Entry(
      "ERROR_USER_NOT_FOUND",
      "There is no account for these details; it may have been deleted. "
        + "Check them, or create an account."),
    17_012: Entry(
      "ERROR_ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL",
      "The e-mail address belongs to an account that signs in another way. "
        + "Sign in that way, then link this credential."),
    17_014: Entry(
      "ERROR_REQUIRES_RECENT_LOGIN",
      "The last sign-in is too long ago for an operation this sensitive. "
        + "Reauthenticate, then repeat it."),
    17_015: Entry(
      "ERROR_PROVIDER_ALREADY_LINKED",
      "The account already has this provider. Unlink it first to link another identity of it."),
    17_016: Entry(
      "ERROR_NO_SUCH_PROVIDER",
      "The account does not have this provider. See providerData for those that it has."),
    17_017: Entry(
      "ERROR_INVALID_USER_TOKEN",
      "The user's token is not valid (any more). Sign in again."),
    17_020: Entry(
      "ERROR_NETWORK_REQUEST_FAILED",
      "No answer came from the server. Check the connection, then try again."),
    17_021: Entry(
      "ERROR_USER_TOKEN_EXPIRED",
      "The user's session ended, for example because the password changed elsewhere. "
        + "Sign in again."),
    17_023: Entry(
      "ERROR_INVALID_API_KEY",
      "The server does not know the API key. Check the API key that this app is configured with."),
    17_024: Entry(
      "ERROR_USER_MISMATCH",
      "The credential belongs to another user than the current one. "
        + "Reauthenticate with a credential of the current user."),
    17_025: Entry(
      "ERROR_CREDENTIAL_ALREADY_IN_USE",
      "Another account uses this credential. "
        + "Sign in with the updated credential of this error, or use another one."),
    17_026: Entry(
      "ERROR_WEAK_PASSWORD",
      "The password is too weak. Use a longer one of at least six characters."),
    17_028: Entry(
      "ERROR_APP_NOT_AUTHORIZED",
      "This app may not use the API key. Check the restrictions of the key."),
    17_029: Entry(
      "ERROR_EXPIRED_ACTION_CODE",
      "The code of this link has expired. Send a new one."),
    17_030: Entry(
      "ERROR_INVALID_ACTION_CODE",
      "The code of this link is malformed, was used already or was replaced. Send a new one."),
    17_031: Entry(
      "ERROR_INVALID_MESSAGE_PAYLOAD",
      "The template of the e-mail has characters that cannot be sent. "
        + "Correct it in the project's settings."),
    17_032: Entry(
      "ERROR_INVALID_SENDER",
      "The sender of the project's e-mails is not valid. Correct it in the project's settings."),
    17_033: Entry(
      "ERROR_INVALID_RECIPIENT_EMAIL",
      "The e-mail cannot be sent to this recipient. Correct the address."),
    17_034: Entry("ERROR_MISSING_EMAIL", "There is no e-mail address. Give one."),
    17_036: Entry(
      "ERROR_MISSING_IOS_BUNDLE_ID",
      "The bundle ID of the iOS app is missing. Set iOSBundleID of the ActionCodeSettings."),
    17_037: Entry(
      "ERROR_MISSING_ANDROID_PKG_NAME",
      "The package name of the Android app is missing. "
        + "Set androidPackageName of the ActionCodeSettings."),
    17_038: Entry(
      "ERROR_UNAUTHORIZED_DOMAIN",
      "The domain of the continue URL is not one of the project's. "
        + "Add it to the authorized domains of the project."),
    17_039: Entry(
      "ERROR_INVALID_CONTINUE_URI",
      "The continue URL is not valid. Give an absolute URL with scheme and host."),
    17_040: Entry(
      "ERROR_MISSING_CONTINUE_URI",
      "There is no continue URL. Set url of the ActionCodeSettings."),
    17_041: Entry(
      "ERROR_MISSING_PHONE_NUMBER",
      "There is no phone number. Give one in E.164 form, such as +4930123456."),
    17_042: Entry(
      "ERROR_INVALID_PHONE_NUMBER",
      "The phone number is malformed. Write it in E.164 form, such as +4930123456."),
    17_043: Entry(
      "ERROR_MISSING_VERIFICATION_CODE",
      "There is no verification code. Give the one of the message."),
    17_044: Entry(
      "ERROR_INVALID_VERIFICATION_CODE",
      "The verification code is not right. "
        + "Enter the code of the latest message, or have another sent."),
    17_045: Entry(
      "ERROR_MISSING_VERIFICATION_ID",
      "There is no verification ID. Give the one that verifyPhoneNumber returned."),
    17_046: Entry(
      "ERROR_INVALID_VERIFICATION_ID",
      "The verification ID is not valid. Have a new code sent."),
    17_047: Entry(
      "MISSING_APP_CREDENTIAL",
      "The request does not show which app it comes from. "
        + "Check the set-up of silent notifications or of reCAPTCHA."),
    17_048: Entry(
      "INVALID_APP_CREDENTIAL",
      "What shows which app the request comes from is not valid. "
        + "Check the set-up of silent notifications or of reCAPTCHA."),
    17_051: Entry(
      "ERROR_SESSION_EXPIRED",
      "The verification code has expired. Have a new one sent."),
    17_052: Entry(
      "ERROR_QUOTA_EXCEEDED",
      "The project's quota for this operation is used up. Try again later, or raise it."),
    17_053: Entry(
      "ERROR_MISSING_APP_TOKEN",
      "The app has no token for remote notifications. Register it for them and pass the token on."),
    17_054: Entry(
      "ERROR_NOTIFICATION_NOT_FORWARDED",
      "The app did not pass on a remote notification. "
        + "Call canHandleNotification from its delegate."),
    17_055: Entry(
      "ERROR_APP_NOT_VERIFIED",
      "The app could not be verified. Try again; check its bundle ID."),
    17_056: Entry("ERROR_CAPTCHA_CHECK_FAILED", "The reCAPTCHA check failed. Try again."),
    17_057: Entry(
      "ERROR_WEB_CONTEXT_ALREADY_PRESENTED",
      "A web page is on show already. Finish or cancel it first."),
    17_058: Entry(
      "ERROR_WEB_CONTEXT_CANCELLED",
      "The person cancelled the web page. Offer the sign-in again."),
    17_059: Entry(
      "ERROR_APP_VERIFICATION_FAILED",
      "Verifying the app failed on its web page. Try again."),
    17_060: Entry(
      "ERROR_INVALID_CLIENT_ID",
      "The client ID of the request is not valid. "
        + "Check the client ID that this app is configured with."),
    17_061: Entry(
      "ERROR_WEB_NETWORK_REQUEST_FAILED",
      "The web page could not be loaded. Check the connection, then try again."),
    17_062: Entry("ERROR_WEB_INTERNAL_ERROR", "The web page met an internal error. Try again."),
    17_063: Entry(
      "ERROR_WEB_USER_INTERACTION_FAILURE",
      "Signing in failed on the provider's web page. Try again."),
    17_066: Entry(
      "ERROR_LOCAL_PLAYER_NOT_AUTHENTICATED",
      "The local player is not signed in to Game Center. Have them sign in there first."),
    17_067: Entry(
      "ERROR_NULL_USER",
      "A user is missing. Pass a user who is signed in."),
    17_071: Entry(
      "ERROR_INVALID_PROVIDER_ID",
      "The provider ID is not one that this operation takes. "
        + "Check its spelling and the project's providers."),
    17_072: Entry(
      "ERROR_TENANT_ID_MISMATCH",
      "The user belongs to another tenant than this Auth. Set tenantID of the Auth to the user's."),
    17_073: Entry(
      "ERROR_UNSUPPORTED_TENANT_OPERATION",
      "Tenants do not have this operation. Use it without tenantID."),
    17_075: Entry(
      "ERROR_REJECTED_CREDENTIAL",
      "The request carries a credential that is malformed or does not fit. Get a new credential."),
    17_076: Entry(
      "ERROR_GAME_KIT_NOT_LINKED",
      "GameKit is not available to this code. Sign in another way here."),
    17_078: Entry(
      "ERROR_SECOND_FACTOR_REQUIRED",
      "The account is protected by a second factor. "
        + "Finish the sign-in with the MultiFactorResolver of this error."),
    17_081: Entry(
      "ERROR_MISSING_MULTI_FACTOR_SESSION",
      "There is no multi-factor session. Pass the one of the resolver or of the user."),
    17_082: Entry(
      "ERROR_MISSING_MULTI_FACTOR_INFO",
      "It is not said which second factor is meant. "
        + "Pass one of the resolver's hints or of the user's factors."),
    17_083: Entry(
      "ERROR_INVALID_MULTI_FACTOR_SESSION",
      "The multi-factor session is not valid (any more). Begin the sign-in again."),
    17_084: Entry(
      "ERROR_MULTI_FACTOR_INFO_NOT_FOUND",
      "The account does not have this second factor. See enrolledFactors for those that it has."),
    17_085: Entry("ERROR_ADMIN_RESTRICTED_OPERATION", "Only administrators may do this. Ask one."),
    17_086: Entry(
      "ERROR_UNVERIFIED_EMAIL",
      "The e-mail address of the account is not verified. Verify it first."),
    17_087: Entry(
      "ERROR_SECOND_FACTOR_ALREADY_ENROLLED",
      "The account already has this second factor. Use another one."),
    17_088: Entry(
      "ERROR_MAXIMUM_SECOND_FACTOR_COUNT_EXCEEDED",
      "The account has as many second factors as it may have. Remove one first."),
    17_089: Entry(
      "ERROR_UNSUPPORTED_FIRST_FACTOR",
      "Accounts that sign in this way cannot have this second factor. Sign in another way."),
    17_090: Entry(
      "ERROR_EMAIL_CHANGE_NEEDS_VERIFICATION",
      "A new e-mail address has to be verified before it is used. "
        + "Call sendEmailVerification(beforeUpdatingEmail:)."),
    17_093: Entry(
      "ERROR_MISSING_CLIENT_IDENTIFIER",
      "The request shows neither an app credential nor a reCAPTCHA token. "
        + "Check the set-up of app verification."),
    17_094: Entry(
      "ERROR_MISSING_OR_INVALID_NONCE",
      "The nonce is missing or is not the one of the ID token. "
        + "Pass the raw nonce whose SHA-256 was given to the provider."),
    17_105: Entry(
      "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR",
      "A blocking function of the project refused. Read its message."),
    17_200: Entry(
      "ERROR_RECAPTCHA_NOT_ENABLED",
      "reCAPTCHA Enterprise is not enabled for the project. Enable it, or send no token."),
    17_201: Entry(
      "ERROR_MISSING_RECAPTCHA_TOKEN",
      "The request has no reCAPTCHA token. Set reCAPTCHA up in this app."),
    17_202: Entry("ERROR_INVALID_RECAPTCHA_TOKEN", "The reCAPTCHA token is not valid. Try again."),
    17_203: Entry(
      "ERROR_INVALID_RECAPTCHA_ACTION",
      "The reCAPTCHA token is for another action. Try again."),
    17_204: Entry(
      "ERROR_MISSING_CLIENT_TYPE",
      "The request does not say what kind of client sends it. Update this client."),
    17_205: Entry(
      "ERROR_MISSING_RECAPTCHA_VERSION",
      "The request does not say which reCAPTCHA it uses. Update this client."),
    17_206: Entry(
      "ERROR_INVALID_RECAPTCHA_VERSION",
      "The request names a reCAPTCHA that there is not. Update this client."),
    17_207: Entry(
      "ERROR_INVALID_REQ_TYPE",
      "The server does not know the kind of request. Update this client or the server."),
    17_208: Entry(
      "ERROR_RECAPTCHA_SDK_NOT_LINKED",
      "The reCAPTCHA SDK is not linked to this app. "
        + "Link it, or turn reCAPTCHA off for the project."),
    17_209: Entry(
      "ERROR_RECAPTCHA_SITE_KEY_MISSING",
      "The project has no reCAPTCHA site key for this app. Add one in the project's settings."),
    17_210: Entry(
      "ERROR_RECAPTCHA_ACTION_CREATION_FAILED",
      "No reCAPTCHA action could be made. Try again."),
    17_211: Entry(
      "ERROR_PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
      "The password does not meet the project's requirements. Choose one that does."),
    17_214: Entry(
      "ERROR_INVALID_HOSTING_LINK_DOMAIN",
      "The link domain is not one of the project's. Use a domain that the project owns."),
    17_995: Entry(
      "ERROR_KEYCHAIN_ERROR",
      "The keychain could not be read or written. See the failure reason for its status."),
    17_999: Entry(
      "ERROR_INTERNAL_ERROR",
      "Something unexpected happened. See the underlying error."),
    18_000: Entry(
      "ERROR_MALFORMED_JWT",
      "The token is no JSON Web Token. Sign in again to get another."),
  ]
}
