extension Route {
  /// Second factors, and the emulator's stand-in for passkeys.
  static let multiFactor: [Route] =
    [
      Route(
        .post, "/v2/accounts/mfaEnrollment:start",
        name: "identitytoolkit.accounts.mfaEnrollment.start",
        fields: ["idToken", "phoneEnrollmentInfo", "totpEnrollmentInfo", "tenantId"]
      ) { try await $0.startEnrollment() },
      Route(
        .post, "/v2/accounts/mfaEnrollment:finalize",
        name: "identitytoolkit.accounts.mfaEnrollment.finalize",
        fields: [
          "idToken", "displayName", "phoneVerificationInfo", "totpVerificationInfo", "tenantId",
        ]
      ) { try await $0.finalizeEnrollment() },
      Route(
        .post, "/v2/accounts/mfaEnrollment:withdraw",
        name: "identitytoolkit.accounts.mfaEnrollment.withdraw",
        fields: ["idToken", "mfaEnrollmentId", "tenantId"]
      ) { try await $0.withdrawEnrollment() },
      Route(
        .post, "/v2/accounts/mfaSignIn:start", name: "identitytoolkit.accounts.mfaSignIn.start",
        fields: ["mfaPendingCredential", "mfaEnrollmentId", "phoneSignInInfo", "tenantId"]
      ) { try await $0.startSecondFactor() },
      Route(
        .post, "/v2/accounts/mfaSignIn:finalize",
        name: "identitytoolkit.accounts.mfaSignIn.finalize",
        fields: [
          "mfaPendingCredential", "mfaEnrollmentId", "phoneVerificationInfo",
          "totpVerificationInfo", "tenantId",
        ]
      ) { try await $0.finalizeSecondFactor() },
    ] + passkeys
}
