extension Route {
  /// Codes by e-mail or phone, and the operations that use them.
  static let messages: [Route] =
    sendingOobCodes + [
      Route(
        .post, "/v1/accounts:resetPassword", name: "identitytoolkit.accounts.resetPassword",
        fields: ["oobCode", "newPassword", "email", "oldPassword", "tenantId"]
      ) { try await MessageHandler($0).resetPassword() },
      Route(
        .post, "/v1/accounts:signInWithEmailLink",
        name: "identitytoolkit.accounts.signInWithEmailLink",
        fields: ["oobCode", "email", "idToken", "tenantId", .flag("returnSecureToken")]
      ) { try await MessageHandler($0).signInWithEmailLink() },
      Route(
        .post, "/v1/accounts:sendVerificationCode",
        name: "identitytoolkit.accounts.sendVerificationCode",
        fields: appVerificationFields + ["phoneNumber", "tenantId"]
      ) { try await MessageHandler($0).sendVerificationCode() },
      Route(
        .post, "/v1/accounts:signInWithPhoneNumber",
        name: "identitytoolkit.accounts.signInWithPhoneNumber",
        fields: [
          "sessionInfo", "phoneNumber", "code", "temporaryProof", "verificationProof", "idToken",
          "operation", "tenantId", .flag("returnSecureToken"),
        ]
      ) { try await MessageHandler($0).signInWithPhoneNumber() },
    ]

  /// The proofs that a request for a code comes from the app itself.
  static let appVerificationFields: [RouteField] = [
    "recaptchaToken", "iosReceipt", "iosSecret", "playIntegrityToken", "safetyNetToken",
    .object("autoRetrievalInfo"), "captchaResponse", "clientType", "recaptchaVersion",
  ]

  private static let sendingOobCodes = [
    "/v1/accounts:sendOobCode", "/v1/projects/{project}/accounts:sendOobCode",
    "/v1/projects/{project}/tenants/{tenant}/accounts:sendOobCode",
  ].map { pattern in
    Route(
      .post, pattern, name: "identitytoolkit.accounts.sendOobCode",
      fields: [
        "requestType", "email", "newEmail", "idToken", .flag("returnOobLink"), "continueUrl",
        .flag("canHandleCodeInApp"), "iOSBundleId", "iOSAppStoreId", "androidPackageName",
        .flag("androidInstallApp"), "androidMinimumVersion", "androidMinimumVersionCode",
        "linkDomain",
        "dynamicLinkDomain", "captchaResp", "challenge", "clientType", "recaptchaVersion",
        "userIp", "targetProjectId", "tenantId",
      ]
    ) { try await MessageHandler($0).sendOobCode() }
  }
}
