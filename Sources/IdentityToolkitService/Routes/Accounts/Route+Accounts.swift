extension Route {
  static let accounts: [Route] =
    [
      account("signUp", fields: signUpFields) { try await $0.signUp() },
      Route(
        .post, "/v1/projects/{project}/accounts", name: name("signUp"), fields: signUpFields
      ) { try await $0.signUp() },
      Route(
        .post, "/v1/projects/{project}/tenants/{tenant}/accounts", name: name("signUp"),
        fields: signUpFields
      ) { try await $0.signUp() },
      account(
        "signInWithPassword",
        fields: [
          "email", "password", "returnSecureToken", "tenantId", "captchaChallenge",
          "captchaResponse", "clientType", "recaptchaVersion", "idToken", "pendingIdToken",
          "instanceId", "delegatedProjectNumber",
        ]
      ) { try await $0.signInWithPassword() },
      account(
        "signInWithCustomToken",
        fields: ["token", "returnSecureToken", "tenantId", "instanceId", "delegatedProjectNumber"]
      ) { try await $0.signInWithCustomToken() },
    ]
    + scoped("lookup", fields: lookupFields) { try await $0.lookUp() }
    + scoped("update", fields: updateFields) { try await $0.updateAccount() }
    + scoped("delete", fields: ["idToken", "localId"] + scopeFields) {
      try await $0.deleteAccount()
    }

  private static func name(_ operation: String) -> String {
    "identitytoolkit.accounts.\(operation)"
  }

  private static func account(
    _ operation: String, fields: [String], _ handler: @escaping Handler
  ) -> Route {
    Route(
      .post, "/v1/accounts:\(operation)", name: name(operation),
      fields: fields + ["targetProjectId"], handler)
  }

  /// An operation of an account with its forms for a named project and a named tenant.
  static func scoped(
    _ operation: String, fields: [String]? = nil, _ handler: @escaping Handler
  ) -> [Route] {
    [
      "/v1/accounts", "/v1/projects/{project}/accounts",
      "/v1/projects/{project}/tenants/{tenant}/accounts",
    ].map { pattern in
      Route(.post, "\(pattern):\(operation)", name: name(operation), fields: fields, handler)
    }
  }

  private static let scopeFields = ["tenantId", "targetProjectId", "delegatedProjectNumber"]

  private static let signUpFields =
    [
      "email", "password", "idToken", "displayName", "photoUrl", "emailVerified", "phoneNumber",
      "disabled", "localId", "mfaInfo", "returnSecureToken", "captchaChallenge", "captchaResponse",
      "clientType", "recaptchaVersion", "instanceId",
    ] + scopeFields

  private static let lookupFields =
    ["idToken", "localId", "email", "phoneNumber", "federatedUserId", "initialEmail"] + scopeFields

  private static let updateFields =
    [
      "idToken", "localId", "oobCode", "displayName", "photoUrl", "email", "password",
      "emailVerified", "phoneNumber", "createdAt", "lastLoginAt", "validSince", "customAttributes",
      "disableUser", "deleteAttribute", "deleteProvider", "linkProviderUserInfo", "deletePasskey",
      "mfa", "provider", "upgradeToFederatedLogin", "returnSecureToken", "captchaChallenge",
      "captchaResponse", "instanceId",
    ] + scopeFields
}
