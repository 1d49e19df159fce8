/// What Objective-C finds: the classes, and the names that the files of `ObjectiveC/` add to them.
///
/// Apps call these names, so one that is missing breaks them. A plus sign marks a member of the class. Names that come
/// from a protocol or a superclass, such as `email` and `encodeWithCoder:`, are not listed.
let objectiveCNames = """
  AGAccountMergePlan absorbedID commitWithCompletion: cutSessions decidedBy droppedIdentities
    movedIdentities notes preview survivorID
  AGAccountWayIn id isEndable isUsable kind label lastUsedDate linkedDate providerID
  FIRActionCodeInfo email operation previousEmail
  FIRActionCodeOperation
  FIRActionCodeSettings URL androidInstallIfNotAvailable androidMinimumVersion androidPackageName
    handleCodeInApp iOSBundleID linkDomain setAndroidInstallIfNotAvailable:
    setAndroidPackageName:installIfNotAvailable:minimumVersion: setHandleCodeInApp: setIOSBundleID:
    setLinkDomain: setURL:
  FIRActionCodeURL +actionCodeURLWithLink: APIKey code continueURL languageCode operation
  FIRAdditionalUserInfo isNewUser newUser profile providerID username
  FIRApp +allApps +appNamed: +configure +configureWithName:options: +configureWithOptions:
    +defaultApp deleteApp: isDataCollectionDefaultEnabled name options
    setDataCollectionDefaultEnabled:
  FIRAuth +auth +authStateDidChangeNotification +authWithApp: APNSToken
    addAuthStateDidChangeListener: addIDTokenDidChangeListener: app applyActionCode:completion:
    canHandleNotification: canHandleURL: checkActionCode:completion:
    confirmPasswordResetWithCode:newPassword:completion: createUserWithEmail:password:completion:
    currentUser customAuthDomain fetchSignInMethodsForEmail:completion:
    getStoredUserForAccessGroup:error: getTokenWithForcingRefresh:completion: getUserID
    initializeRecaptchaConfigWithCompletion: isSignInWithEmailLink: languageCode
    mergeUser:into:completion: removeAuthStateDidChangeListener: removeIDTokenDidChangeListener:
    revokeTokenWithAuthorizationCode:completion:
    sendPasswordResetWithEmail:actionCodeSettings:completion: sendPasswordResetWithEmail:completion:
    sendSignInLinkToEmail:actionCodeSettings:completion: setAPNSToken: setAPNSToken:type:
    setCustomAuthDomain: setLanguageCode: setSettings: setShareAuthStateAcrossDevices: setTenantID:
    settings shareAuthStateAcrossDevices signInAnonymouslyWithCompletion:
    signInWithCredential:completion: signInWithCustomToken:completion:
    signInWithEmail:link:completion: signInWithEmail:password:completion:
    signInWithProvider:UIDelegate:completion: signOut: storedSessionError tenantID
    updateCurrentUser:completion: useAppLanguage useEmulatorWithHost:port: useUserAccessGroup:error:
    userAccessGroup verifyPasswordResetCode:completion: waysInAfterApplyingActionCode:completion:
    waysInAfterPasswordResetWithCode:newPassword:completion:
  FIRAuthAPNSTokenType
  FIRAuthCredential initWithProvider:fields: provider
  FIRAuthDataResult additionalUserInfo credential mergedFrom user
  FIRAuthSettings appVerificationDisabledForTesting isAppVerificationDisabledForTesting
    setAppVerificationDisabledForTesting: setIsAppVerificationDisabledForTesting:
  FIRAuthTokenResult authDate claims expirationDate issuedAtDate signInProvider signInSecondFactor
    token
  FIRAuthUIDelegate
  FIRConfiguration +sharedInstance setLoggerLevel:
  FIREmailAuthProvider +credentialWithEmail:link: +credentialWithEmail:password: +id
  FIRFacebookAuthProvider +credentialWithAccessToken: +id
  FIRGameCenterAuthProvider +credential:publicKeyURL:signature:salt:timestamp:
    +getCredentialWithCompletion: +id
  FIRGameCenterPlayer displayName initWithTeamPlayerID:playerID:displayName: playerID teamPlayerID
  FIRGitHubAuthProvider +credentialWithToken: +id
  FIRGoogleAuthProvider +credentialWithIDToken:accessToken: +id
  FIRLoggerLevel
  FIRMultiFactor enrollWithAssertion:displayName:completion: enrolledFactors
    getSessionWithCompletion: unenrollWithFactorUID:completion: unenrollWithInfo:completion:
  FIRMultiFactorAssertion factorID
  FIRMultiFactorInfo UID displayName enrollmentDate factorID
  FIRMultiFactorResolver auth hints resolveSignInWithAssertion:completion: session
  FIRMultiFactorSession
  FIROAuthCredential IDToken accessToken secret
  FIROAuthProvider +appleCredentialWithIDToken:rawNonce:fullName:
    +credentialWithProviderID:IDToken:accessToken: +credentialWithProviderID:IDToken:rawNonce:
    +credentialWithProviderID:IDToken:rawNonce:accessToken: +credentialWithProviderID:accessToken:
    +id +providerWithProviderID: +providerWithProviderID:auth: customParameters
    getCredentialWithUIDelegate:completion: initWithProviderID:auth: providerID scopes
    setCustomParameters: setScopes:
  FIROptions +defaultOptions APIKey GCMSenderID appGroupID authServerURL bundleID clientID
    databaseURL googleAppID initWithContentsOfFile: initWithGoogleAppID:GCMSenderID: projectID
    setAPIKey: setAppGroupID: setAuthServerURL: setBundleID: setClientID: setDatabaseURL:
    setGCMSenderID: setGoogleAppID: setProjectID: setStorageBucket: storageBucket
  FIRPhoneAuthCredential
  FIRPhoneAuthProvider +id +provider +providerWithAuth:
    credentialWithVerificationID:verificationCode: verifyPhoneNumber:UIDelegate:completion:
    verifyPhoneNumber:UIDelegate:multiFactorSession:completion:
    verifyPhoneNumberWithMultiFactorInfo:UIDelegate:multiFactorSession:completion:
  FIRPhoneMultiFactorAssertion
  FIRPhoneMultiFactorGenerator +assertionWithCredential:
  FIRPhoneMultiFactorInfo +PhoneMultiFactorID +TOTPMultiFactorID phoneNumber
  FIRPlayGamesAuthProvider +credentialWithServerAuthCode: +id
  FIRTOTPMultiFactorAssertion
  FIRTOTPMultiFactorGenerator +assertionForEnrollmentWithSecret:oneTimePassword:
    +assertionForSignInWithEnrollmentID:oneTimePassword:
    +generateSecretWithMultiFactorSession:completion:
  FIRTOTPMultiFactorInfo
  FIRTOTPSecret generateQRCodeURLWithAccountName:issuer: sharedSecretKey
  FIRTwitterAuthProvider +credentialWithToken:secret: +id
  FIRUser anonymous deleteWithCompletion: emailVerified endWaysIn:completion:
    getIDTokenForcingRefresh:completion: getIDTokenResultForcingRefresh:completion:
    getIDTokenResultWithCompletion: getIDTokenWithCompletion: isAnonymous isEmailVerified
    linkWithCredential:completion: linkWithCredential:fromUser:completion:
    linkWithProvider:UIDelegate:completion: metadata multiFactor profileChangeRequest providerData
    reauthenticateWithCredential:completion: reauthenticateWithProvider:UIDelegate:completion:
    refreshToken reloadWithCompletion:
    sendEmailVerificationBeforeUpdatingEmail:actionCodeSettings:completion:
    sendEmailVerificationBeforeUpdatingEmail:completion:
    sendEmailVerificationWithActionCodeSettings:completion: sendEmailVerificationWithCompletion:
    tenantID unlinkFromProvider:completion: updateEmail:completion: updatePassword:completion:
    updatePhoneNumberCredential:completion: waysInWithCompletion:
  FIRUserInfo
  FIRUserMetadata creationDate lastSignInDate
  FIRUserProfileChangeRequest commitChangesWithCompletion: displayName photoURL setDisplayName:
    setPhotoURL:
  """
