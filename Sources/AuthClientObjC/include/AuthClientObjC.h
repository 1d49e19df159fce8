// The Objective-C constants of AuthClient, which Swift cannot declare. Import this beside the module.
#ifndef AUTH_CLIENT_OBJC_H
#define AUTH_CLIENT_OBJC_H

#ifdef __OBJC__
#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

static NSString *const FIRAuthErrorDomain = @"FIRAuthErrorDomain";
static NSString *const FIRAuthErrorUserInfoNameKey = @"FIRAuthErrorUserInfoNameKey";
static NSString *const FIRAuthErrorUserInfoEmailKey = @"FIRAuthErrorUserInfoEmailKey";
static NSString *const FIRAuthErrorUserInfoUpdatedCredentialKey =
    @"FIRAuthErrorUserInfoUpdatedCredentialKey";
static NSString *const FIRAuthErrorUserInfoMultiFactorResolverKey =
    @"FIRAuthErrorUserInfoMultiFactorResolverKey";
static NSString *const FIRAuthStateDidChangeNotification = @"FIRAuthStateDidChangeNotification";

@class FIRActionCodeInfo, FIRAuth, FIRAuthCredential, FIRAuthDataResult, FIRAuthTokenResult, FIRUser;

/// The handles of listeners.
typedef id<NSObject> FIRAuthStateDidChangeListenerHandle;
typedef id<NSObject> FIRIDTokenDidChangeListenerHandle;
/// The closures of calls.
typedef void (^FIRAuthStateDidChangeListenerBlock)(FIRAuth *auth, FIRUser *_Nullable user);
typedef void (^FIRIDTokenDidChangeListenerBlock)(FIRAuth *auth, FIRUser *_Nullable user);
typedef void (^FIRAuthDataResultCallback)(FIRAuthDataResult *_Nullable authResult,
                                          NSError *_Nullable error);
typedef void (^FIRAuthCredentialCallback)(FIRAuthCredential *_Nullable credential,
                                          NSError *_Nullable error);
typedef void (^FIRAuthTokenCallback)(NSString *_Nullable token, NSError *_Nullable error);
typedef void (^FIRAuthTokenResultCallback)(FIRAuthTokenResult *_Nullable tokenResult,
                                           NSError *_Nullable error);
typedef void (^FIRVerificationResultCallback)(NSString *_Nullable verificationID,
                                              NSError *_Nullable error);
typedef void (^FIRSignInMethodQueryCallback)(NSArray<NSString *> *_Nullable methods,
                                             NSError *_Nullable error);
typedef void (^FIRVerifyPasswordResetCodeCallback)(NSString *_Nullable email,
                                                   NSError *_Nullable error);
typedef void (^FIRCheckActionCodeCallBack)(FIRActionCodeInfo *_Nullable info,
                                           NSError *_Nullable error);
typedef void (^FIRApplyActionCodeCallback)(NSError *_Nullable error);
typedef void (^FIRAuthVoidErrorCallback)(NSError *_Nullable error);
typedef void (^FIRConfirmPasswordResetCallback)(NSError *_Nullable error);
typedef void (^FIRSendPasswordResetCallback)(NSError *_Nullable error);
typedef void (^FIRSendSignInLinkToEmailCallback)(NSError *_Nullable error);
typedef void (^FIRSendEmailVerificationCallback)(NSError *_Nullable error);
typedef void (^FIRUserProfileChangeCallback)(NSError *_Nullable error);
typedef void (^FIRUserUpdateCallback)(NSError *_Nullable error);

static NSString *const FIREmailAuthProviderID = @"password";
static NSString *const FIRFacebookAuthProviderID = @"facebook.com";
static NSString *const FIRGameCenterAuthProviderID = @"gc.apple.com";
static NSString *const FIRGitHubAuthProviderID = @"github.com";
static NSString *const FIRGoogleAuthProviderID = @"google.com";
static NSString *const FIRPhoneAuthProviderID = @"phone";
static NSString *const FIRTwitterAuthProviderID = @"twitter.com";
static NSString *const FIREmailLinkAuthSignInMethod = @"emailLink";
static NSString *const FIREmailPasswordAuthSignInMethod = @"password";
static NSString *const FIRFacebookAuthSignInMethod = @"facebook.com";
static NSString *const FIRGameCenterAuthSignInMethod = @"gc.apple.com";
static NSString *const FIRGitHubAuthSignInMethod = @"github.com";
static NSString *const FIRGoogleAuthSignInMethod = @"google.com";
static NSString *const FIRPhoneAuthSignInMethod = @"phone";
static NSString *const FIRTwitterAuthSignInMethod = @"twitter.com";
static NSString *const FIRPhoneMultiFactorID = @"phone";
static NSString *const FIRTOTPMultiFactorID = @"totp";

/// The code of an NSError of FIRAuthErrorDomain.
typedef NS_ENUM(NSInteger, FIRAuthErrorCode) {
  FIRAuthErrorCodeInvalidCustomToken = 17000,
  FIRAuthErrorCodeCustomTokenMismatch = 17002,
  FIRAuthErrorCodeInvalidCredential = 17004,
  FIRAuthErrorCodeUserDisabled = 17005,
  FIRAuthErrorCodeOperationNotAllowed = 17006,
  FIRAuthErrorCodeEmailAlreadyInUse = 17007,
  FIRAuthErrorCodeInvalidEmail = 17008,
  FIRAuthErrorCodeWrongPassword = 17009,
  FIRAuthErrorCodeTooManyRequests = 17010,
  FIRAuthErrorCodeUserNotFound = 17011,
  FIRAuthErrorCodeAccountExistsWithDifferentCredential = 17012,
  FIRAuthErrorCodeRequiresRecentLogin = 17014,
  FIRAuthErrorCodeProviderAlreadyLinked = 17015,
  FIRAuthErrorCodeNoSuchProvider = 17016,
  FIRAuthErrorCodeInvalidUserToken = 17017,
  FIRAuthErrorCodeNetworkError = 17020,
  FIRAuthErrorCodeUserTokenExpired = 17021,
  FIRAuthErrorCodeInvalidAPIKey = 17023,
  FIRAuthErrorCodeUserMismatch = 17024,
  FIRAuthErrorCodeCredentialAlreadyInUse = 17025,
  FIRAuthErrorCodeWeakPassword = 17026,
  FIRAuthErrorCodeAppNotAuthorized = 17028,
  FIRAuthErrorCodeExpiredActionCode = 17029,
  FIRAuthErrorCodeInvalidActionCode = 17030,
  FIRAuthErrorCodeInvalidMessagePayload = 17031,
  FIRAuthErrorCodeInvalidSender = 17032,
  FIRAuthErrorCodeInvalidRecipientEmail = 17033,
  FIRAuthErrorCodeMissingEmail = 17034,
  FIRAuthErrorCodeMissingIosBundleID = 17036,
  FIRAuthErrorCodeMissingAndroidPackageName = 17037,
  FIRAuthErrorCodeUnauthorizedDomain = 17038,
  FIRAuthErrorCodeInvalidContinueURI = 17039,
  FIRAuthErrorCodeMissingContinueURI = 17040,
  FIRAuthErrorCodeMissingPhoneNumber = 17041,
  FIRAuthErrorCodeInvalidPhoneNumber = 17042,
  FIRAuthErrorCodeMissingVerificationCode = 17043,
  FIRAuthErrorCodeInvalidVerificationCode = 17044,
  FIRAuthErrorCodeMissingVerificationID = 17045,
  FIRAuthErrorCodeInvalidVerificationID = 17046,
  FIRAuthErrorCodeMissingAppCredential = 17047,
  FIRAuthErrorCodeInvalidAppCredential = 17048,
  FIRAuthErrorCodeSessionExpired = 17051,
  FIRAuthErrorCodeQuotaExceeded = 17052,
  FIRAuthErrorCodeMissingAppToken = 17053,
  FIRAuthErrorCodeNotificationNotForwarded = 17054,
  FIRAuthErrorCodeAppNotVerified = 17055,
  FIRAuthErrorCodeCaptchaCheckFailed = 17056,
  FIRAuthErrorCodeWebContextAlreadyPresented = 17057,
  FIRAuthErrorCodeWebContextCancelled = 17058,
  FIRAuthErrorCodeAppVerificationUserInteractionFailure = 17059,
  FIRAuthErrorCodeInvalidClientID = 17060,
  FIRAuthErrorCodeWebNetworkRequestFailed = 17061,
  FIRAuthErrorCodeWebInternalError = 17062,
  FIRAuthErrorCodeWebSignInUserInteractionFailure = 17063,
  FIRAuthErrorCodeLocalPlayerNotAuthenticated = 17066,
  FIRAuthErrorCodeNullUser = 17067,
  FIRAuthErrorCodeInvalidProviderID = 17071,
  FIRAuthErrorCodeTenantIDMismatch = 17072,
  FIRAuthErrorCodeUnsupportedTenantOperation = 17073,
  FIRAuthErrorCodeRejectedCredential = 17075,
  FIRAuthErrorCodeGameKitNotLinked = 17076,
  FIRAuthErrorCodeSecondFactorRequired = 17078,
  FIRAuthErrorCodeMissingMultiFactorSession = 17081,
  FIRAuthErrorCodeMissingMultiFactorInfo = 17082,
  FIRAuthErrorCodeInvalidMultiFactorSession = 17083,
  FIRAuthErrorCodeMultiFactorInfoNotFound = 17084,
  FIRAuthErrorCodeAdminRestrictedOperation = 17085,
  FIRAuthErrorCodeUnverifiedEmail = 17086,
  FIRAuthErrorCodeSecondFactorAlreadyEnrolled = 17087,
  FIRAuthErrorCodeMaximumSecondFactorCountExceeded = 17088,
  FIRAuthErrorCodeUnsupportedFirstFactor = 17089,
  FIRAuthErrorCodeEmailChangeNeedsVerification = 17090,
  FIRAuthErrorCodeMissingClientIdentifier = 17093,
  FIRAuthErrorCodeMissingOrInvalidNonce = 17094,
  FIRAuthErrorCodeBlockingCloudFunctionError = 17105,
  FIRAuthErrorCodeRecaptchaNotEnabled = 17200,
  FIRAuthErrorCodeMissingRecaptchaToken = 17201,
  FIRAuthErrorCodeInvalidRecaptchaToken = 17202,
  FIRAuthErrorCodeInvalidRecaptchaAction = 17203,
  FIRAuthErrorCodeMissingClientType = 17204,
  FIRAuthErrorCodeMissingRecaptchaVersion = 17205,
  FIRAuthErrorCodeInvalidRecaptchaVersion = 17206,
  FIRAuthErrorCodeInvalidReqType = 17207,
  FIRAuthErrorCodeRecaptchaSDKNotLinked = 17208,
  FIRAuthErrorCodeRecaptchaSiteKeyMissing = 17209,
  FIRAuthErrorCodeRecaptchaActionCreationFailed = 17210,
  FIRAuthErrorCodePasswordDoesNotMeetRequirements = 17211,
  FIRAuthErrorCodeInvalidHostingLinkDomain = 17214,
  FIRAuthErrorCodeKeychainError = 17995,
  FIRAuthErrorCodeInternalError = 17999,
  FIRAuthErrorCodeMalformedJWT = 18000,
};

NS_ASSUME_NONNULL_END
#endif

#endif
