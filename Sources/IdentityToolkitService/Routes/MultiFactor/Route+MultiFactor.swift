extension Route {
  /// Operations on second factors and passkeys.
  static let multiFactor: [Route] =
    [
      Route(
        .post, "/v2/accounts/mfaEnrollment:start",
        name: "identitytoolkit.accounts.mfaEnrollment.start",
        fields: [
          "idToken", .object("phoneEnrollmentInfo", phoneFields), .object("totpEnrollmentInfo"),
          "tenantId",
        ]
      ) { try await MultiFactorHandler($0).startEnrollment() },
      Route(
        .post, "/v2/accounts/mfaEnrollment:finalize",
        name: "identitytoolkit.accounts.mfaEnrollment.finalize",
        fields: [
          "idToken", "displayName", .object("phoneVerificationInfo", verificationFields),
          .object("totpVerificationInfo", verificationFields), "tenantId",
        ]
      ) { try await MultiFactorHandler($0).finalizeEnrollment() },
      Route(
        .post, "/v2/accounts/mfaEnrollment:withdraw",
        name: "identitytoolkit.accounts.mfaEnrollment.withdraw",
        fields: ["idToken", "mfaEnrollmentId", "tenantId"]
      ) { try await MultiFactorHandler($0).withdrawEnrollment() },
      Route(
        .post, "/v2/accounts/mfaSignIn:start", name: "identitytoolkit.accounts.mfaSignIn.start",
        fields: [
          "mfaPendingCredential", "mfaEnrollmentId", .object("phoneSignInInfo", phoneFields),
          "tenantId",
        ]
      ) { try await MultiFactorHandler($0).startSecondFactor() },
      Route(
        .post, "/v2/accounts/mfaSignIn:finalize",
        name: "identitytoolkit.accounts.mfaSignIn.finalize",
        fields: [
          "mfaPendingCredential", "mfaEnrollmentId",
          .object("phoneVerificationInfo", verificationFields),
          .object("totpVerificationInfo", verificationFields), "tenantId",
        ]
      ) { try await MultiFactorHandler($0).finalizeSecondFactor() },
    ] + passkeys

  /// The fields that request a code by phone.
  private static let phoneFields: [RouteField] = ["phoneNumber"] + appVerificationFields

  /// The fields that hold a phone's code.
  private static let verificationFields: [RouteField] = [
    "sessionInfo", "code", "phoneNumber", "verificationCode",
  ]
}
