/// The code of an error, with the numbers of Firebase's Apple SDK.
///
/// Errors of this module are `NSError`s of the domain ``AuthErrors/domain`` with one of these codes, so all of these
/// work:
///
/// ```swift
/// do { try await user.link(with: credential) } catch AuthErrorCode.credentialAlreadyInUse { … }
/// if (error as NSError).code == AuthErrorCode.secondFactorRequired.rawValue { … }
/// switch AuthErrorCode(error) { case .weakPassword: …; default: … }
/// ```
///
/// A test framework that compares types, such as `#expect(throws: AuthErrorCode.requiresRecentLogin)`, finds none; take
/// the error and compare its code:
///
/// ```swift
/// let error = await #expect(throws: (any Error).self) { try await user.delete() }
/// #expect(error?.authErrorCode == .requiresRecentLogin)
/// ```
///
/// It is a structure rather than an enumeration, because a `catch` with an enumeration's case compares types and
/// would not match an `NSError`.
public struct AuthErrorCode: RawRepresentable, Sendable, Hashable, CaseIterable {
  /// The number of the code.
  public let rawValue: Int

  init(_ rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Returns the code of a number; nil for an unknown one.
  public init?(rawValue: Int) {
    guard Self.table[rawValue] != nil else { return nil }
    self.rawValue = rawValue
  }

  /// The custom token is malformed, expired or signed with a key that the project does not know.
  public static let invalidCustomToken = AuthErrorCode(17_000)
  /// The custom token belongs to another project.
  public static let customTokenMismatch = AuthErrorCode(17_002)
  /// The credential is malformed, expired or wrong.
  public static let invalidCredential = AuthErrorCode(17_004)
  /// An administrator disabled this account.
  public static let userDisabled = AuthErrorCode(17_005)
  /// The project does not allow this operation.
  public static let operationNotAllowed = AuthErrorCode(17_006)
  /// Another account uses this e-mail address.
  public static let emailAlreadyInUse = AuthErrorCode(17_007)
  /// The e-mail address is malformed.
  public static let invalidEmail = AuthErrorCode(17_008)
  /// The password is wrong, or the account has none.
  public static let wrongPassword = AuthErrorCode(17_009)
  /// There were too many attempts.
  public static let tooManyRequests = AuthErrorCode(17_010)
  /// No account matches these details; it may have been deleted.
  public static let userNotFound = AuthErrorCode(17_011)
  /// The e-mail address belongs to an account with other sign-in methods.
  public static let accountExistsWithDifferentCredential = AuthErrorCode(17_012)
  /// The last sign-in is too long ago for a sensitive operation.
  public static let requiresRecentLogin = AuthErrorCode(17_014)
  /// The account already has this provider.
  public static let providerAlreadyLinked = AuthErrorCode(17_015)
  /// The account does not have this provider.
  public static let noSuchProvider = AuthErrorCode(17_016)
  /// The user's token is not valid, or not any more.
  public static let invalidUserToken = AuthErrorCode(17_017)
  /// The server did not answer.
  public static let networkError = AuthErrorCode(17_020)
  /// The user's session ended, for example because the password changed elsewhere.
  public static let userTokenExpired = AuthErrorCode(17_021)
  /// The server does not know the API key.
  public static let invalidAPIKey = AuthErrorCode(17_023)
  /// The credential belongs to another user than the current one.
  public static let userMismatch = AuthErrorCode(17_024)
  /// Another account uses this credential.
  public static let credentialAlreadyInUse = AuthErrorCode(17_025)
  /// The password is too weak.
  public static let weakPassword = AuthErrorCode(17_026)
  /// This app may not use the API key.
  public static let appNotAuthorized = AuthErrorCode(17_028)
  /// The code of this link has expired.
  public static let expiredActionCode = AuthErrorCode(17_029)
  /// The code of this link is malformed, was used already or was replaced.
  public static let invalidActionCode = AuthErrorCode(17_030)
  /// The template of the e-mail has characters that cannot be sent.
  public static let invalidMessagePayload = AuthErrorCode(17_031)
  /// The sender of the project's e-mails is not valid.
  public static let invalidSender = AuthErrorCode(17_032)
  /// The e-mail cannot be sent to this recipient.
  public static let invalidRecipientEmail = AuthErrorCode(17_033)
  /// The e-mail address is missing.
  public static let missingEmail = AuthErrorCode(17_034)
  /// The bundle ID of the iOS app is missing.
  public static let missingIosBundleID = AuthErrorCode(17_036)
  /// The package name of the Android app is missing.
  public static let missingAndroidPackageName = AuthErrorCode(17_037)
  /// The domain of the continue URL is not one of the project's.
  public static let unauthorizedDomain = AuthErrorCode(17_038)
  /// The continue URL is not valid.
  public static let invalidContinueURI = AuthErrorCode(17_039)
  /// The continue URL is missing.
  public static let missingContinueURI = AuthErrorCode(17_040)
  /// The phone number is missing.
  public static let missingPhoneNumber = AuthErrorCode(17_041)
  /// The phone number is malformed.
  public static let invalidPhoneNumber = AuthErrorCode(17_042)
  /// The verification code is missing.
  public static let missingVerificationCode = AuthErrorCode(17_043)
  /// The verification code is wrong.
  public static let invalidVerificationCode = AuthErrorCode(17_044)
  /// The verification ID is missing.
  public static let missingVerificationID = AuthErrorCode(17_045)
  /// The verification ID is not valid.
  public static let invalidVerificationID = AuthErrorCode(17_046)
  /// The request has no proof of its app.
  public static let missingAppCredential = AuthErrorCode(17_047)
  /// The proof of the app is not valid.
  public static let invalidAppCredential = AuthErrorCode(17_048)
  /// The verification code has expired.
  public static let sessionExpired = AuthErrorCode(17_051)
  /// The project's quota for this operation is used up.
  public static let quotaExceeded = AuthErrorCode(17_052)
  /// The app has no token for remote notifications.
  public static let missingAppToken = AuthErrorCode(17_053)
  /// The app did not pass on a remote notification.
  public static let notificationNotForwarded = AuthErrorCode(17_054)
  /// The app could not be verified.
  public static let appNotVerified = AuthErrorCode(17_055)
  /// The reCAPTCHA check failed.
  public static let captchaCheckFailed = AuthErrorCode(17_056)
  /// A web page is shown already.
  public static let webContextAlreadyPresented = AuthErrorCode(17_057)
  /// The person cancelled the web page.
  public static let webContextCancelled = AuthErrorCode(17_058)
  /// The verification of the app failed on its web page.
  public static let appVerificationUserInteractionFailure = AuthErrorCode(17_059)
  /// The client ID of the request is not valid.
  public static let invalidClientID = AuthErrorCode(17_060)
  /// The web page could not be loaded.
  public static let webNetworkRequestFailed = AuthErrorCode(17_061)
  /// The web page met an internal error.
  public static let webInternalError = AuthErrorCode(17_062)
  /// The sign-in failed on the provider's web page.
  public static let webSignInUserInteractionFailure = AuthErrorCode(17_063)
  /// The local player is not signed in to Game Center.
  public static let localPlayerNotAuthenticated = AuthErrorCode(17_066)
  /// A user is required, and there is none.
  public static let nullUser = AuthErrorCode(17_067)
  /// The operation does not accept the provider ID.
  public static let invalidProviderID = AuthErrorCode(17_071)
  /// The user belongs to another tenant than this Auth.
  public static let tenantIDMismatch = AuthErrorCode(17_072)
  /// Tenants do not support this operation.
  public static let unsupportedTenantOperation = AuthErrorCode(17_073)
  /// The request's credential is malformed or does not fit.
  public static let rejectedCredential = AuthErrorCode(17_075)
  /// GameKit is not available to this code.
  public static let gameKitNotLinked = AuthErrorCode(17_076)
  /// The account is protected by a second factor.
  public static let secondFactorRequired = AuthErrorCode(17_078)
  /// The multi-factor session is missing.
  public static let missingMultiFactorSession = AuthErrorCode(17_081)
  /// The second factor to use is not specified.
  public static let missingMultiFactorInfo = AuthErrorCode(17_082)
  /// The multi-factor session is not valid, or not any more.
  public static let invalidMultiFactorSession = AuthErrorCode(17_083)
  /// The account does not have this second factor.
  public static let multiFactorInfoNotFound = AuthErrorCode(17_084)
  /// The operation is for administrators only.
  public static let adminRestrictedOperation = AuthErrorCode(17_085)
  /// The e-mail address of the account is not verified.
  public static let unverifiedEmail = AuthErrorCode(17_086)
  /// The account already has this second factor.
  public static let secondFactorAlreadyEnrolled = AuthErrorCode(17_087)
  /// The account has the maximum number of second factors.
  public static let maximumSecondFactorCountExceeded = AuthErrorCode(17_088)
  /// The account's sign-in method does not support this second factor.
  public static let unsupportedFirstFactor = AuthErrorCode(17_089)
  /// A new e-mail address has to be verified first.
  public static let emailChangeNeedsVerification = AuthErrorCode(17_090)
  /// The request has neither an app credential nor a reCAPTCHA token.
  public static let missingClientIdentifier = AuthErrorCode(17_093)
  /// The nonce is missing or differs from the ID token's.
  public static let missingOrInvalidNonce = AuthErrorCode(17_094)
  /// A blocking function of the project refused the sign-in.
  public static let blockingCloudFunctionError = AuthErrorCode(17_105)
  /// reCAPTCHA Enterprise is not enabled for the project.
  public static let recaptchaNotEnabled = AuthErrorCode(17_200)
  /// The request has no reCAPTCHA token.
  public static let missingRecaptchaToken = AuthErrorCode(17_201)
  /// The reCAPTCHA token is not valid.
  public static let invalidRecaptchaToken = AuthErrorCode(17_202)
  /// The reCAPTCHA token is for another action.
  public static let invalidRecaptchaAction = AuthErrorCode(17_203)
  /// The request does not name its kind of client.
  public static let missingClientType = AuthErrorCode(17_204)
  /// The request does not name its reCAPTCHA version.
  public static let missingRecaptchaVersion = AuthErrorCode(17_205)
  /// The request names an unknown reCAPTCHA version.
  public static let invalidRecaptchaVersion = AuthErrorCode(17_206)
  /// The server does not know the kind of request.
  public static let invalidReqType = AuthErrorCode(17_207)
  /// The reCAPTCHA SDK is not linked to this app.
  public static let recaptchaSDKNotLinked = AuthErrorCode(17_208)
  /// The project has no reCAPTCHA site key for this app.
  public static let recaptchaSiteKeyMissing = AuthErrorCode(17_209)
  /// The reCAPTCHA action could not be created.
  public static let recaptchaActionCreationFailed = AuthErrorCode(17_210)
  /// The password does not meet the project's requirements.
  public static let passwordDoesNotMeetRequirements = AuthErrorCode(17_211)
  /// The link domain is not one of the project's.
  public static let invalidHostingLinkDomain = AuthErrorCode(17_214)
  /// The keychain could not be read or written.
  public static let keychainError = AuthErrorCode(17_995)
  /// An unexpected problem occurred.
  public static let internalError = AuthErrorCode(17_999)
  /// The token is not a JSON Web Token.
  public static let malformedJWT = AuthErrorCode(18_000)
}
