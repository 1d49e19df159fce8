extension Route {
  static let accounts: [Route] =
    [
      account("signUp", fields: signUpFields) { try await AccountHandler($0).signUp() },
      Route(
        .post, "/v1/projects/{project}/accounts", name: name("signUp"), fields: signUpFields
      ) { try await AccountHandler($0).signUp() },
      Route(
        .post, "/v1/projects/{project}/tenants/{tenant}/accounts", name: name("signUp"),
        fields: signUpFields
      ) { try await AccountHandler($0).signUp() },
      account(
        "signInWithPassword",
        fields: [
          "email", "password", .flag("returnSecureToken"), "tenantId", "captchaChallenge",
          "captchaResponse", "clientType", "recaptchaVersion", "idToken", "pendingIdToken",
          "instanceId", "delegatedProjectNumber",
        ]
      ) { try await AccountHandler($0).signInWithPassword() },
      account(
        "signInWithCustomToken",
        fields: [
          "token", .flag("returnSecureToken"), "tenantId", "instanceId", "delegatedProjectNumber",
        ]
      ) { try await AccountHandler($0).signInWithCustomToken() },
    ]
    + scoped("lookup", fields: lookupFields) { try await AccountHandler($0).lookUp() }
    + scoped("update", fields: updateFields) { try await AccountHandler($0).update() }
    + scoped("delete", fields: ["idToken", "localId"] + scopeFields) {
      try await AccountHandler($0).delete()
    }

  private static func name(_ operation: String) -> String {
    "identitytoolkit.accounts.\(operation)"
  }

  private static func account(
    _ operation: String, fields: [RouteField], _ handler: @escaping Handler
  ) -> Route {
    Route(
      .post, "/v1/accounts:\(operation)", name: name(operation),
      fields: fields + ["targetProjectId"], handler)
  }

  /// Makes an operation on an account, with its forms for a named project and a named tenant.
  static func scoped(
    _ operation: String, fields: [RouteField]? = nil, _ handler: @escaping Handler
  ) -> [Route] {
    [
      "/v1/accounts", "/v1/projects/{project}/accounts",
      "/v1/projects/{project}/tenants/{tenant}/accounts",
    ].map { pattern in
      Route(.post, "\(pattern):\(operation)", name: name(operation), fields: fields, handler)
    }
  }

  private static let scopeFields: [RouteField] = [
    "tenantId", "targetProjectId", "delegatedProjectNumber",
  ]

  private static let signUpFields: [RouteField] =
    [
      "email", "password", "idToken", "displayName", "photoUrl", .flag("emailVerified"),
      "phoneNumber", .flag("disabled"), "localId", factors("mfaInfo"), .flag("returnSecureToken"),
      "captchaChallenge", "captchaResponse", "clientType", "recaptchaVersion", "instanceId",
    ] + scopeFields

  private static let lookupFields: [RouteField] =
    [
      "idToken", .list("localId", most: RouteBounds.lookups),
      .list("email", most: RouteBounds.lookups), .list("phoneNumber", most: RouteBounds.lookups),
      .list(
        "federatedUserId", most: RouteBounds.lookups, of: ["providerId", "rawId"]),
      .list("initialEmail", most: RouteBounds.lookups),
    ] + scopeFields

  private static let updateFields: [RouteField] =
    [
      "idToken", "localId", "oobCode", "displayName", "photoUrl", "email", "password",
      .flag("emailVerified"), "phoneNumber", .number("createdAt"), .number("lastLoginAt"),
      .number("validSince"), "customAttributes", .flag("disableUser"),
      .list("deleteAttribute", most: 10), .list("deleteProvider", most: 20),
      .object("linkProviderUserInfo", identity), .list("deletePasskey", most: 20),
      .object("mfa", [factors("enrollments")]), .anything("provider"),
      .anything("upgradeToFederatedLogin"), .flag("returnSecureToken"), "captchaChallenge",
      "captchaResponse", "instanceId",
    ] + scopeFields

  /// The fields of an identity that is linked without the provider's confirmation.
  static let identity: [RouteField] = [
    "providerId", "rawId", "federatedId", "email", "displayName", "photoUrl", "phoneNumber",
    "screenName",
  ]

  /// Makes the field of a list of second factors.
  static func factors(_ name: String) -> RouteField {
    .list(
      name, most: RouteBounds.secondFactors,
      of: [
        "mfaEnrollmentId", "displayName", "phoneInfo", "enrolledAt", .object("totpInfo"),
        .object("emailInfo"),
      ])
  }
}
