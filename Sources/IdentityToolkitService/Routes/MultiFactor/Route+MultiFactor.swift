extension Route {
  /// Second factors and passkeys.
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

  /// What asks for a code to a phone.
  private static let phoneFields: [RouteField] = ["phoneNumber"] + appVerificationFields

  /// What shows a code.
  private static let verificationFields: [RouteField] = [
    "sessionInfo", "code", "phoneNumber", "verificationCode",
  ]
}
