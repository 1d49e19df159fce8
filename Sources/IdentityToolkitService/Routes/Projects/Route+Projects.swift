import AuthCore
import IdentityToolkit

extension Route {
  /// The resources of projects and tenants: batches of accounts, settings, identity providers.
  static let projects: [Route] =
    accountBatches + projectInformation + configuration + tenants + identityProviders

  /// Makes an operation on a project's accounts and on a tenant's.
  static func scoped(
    _ method: Method, _ verb: String, name: String, scope: String? = nil,
    fields: [RouteField]? = nil,
    worksWhileDisabled: Bool = false, _ handler: @escaping Handler
  ) -> [Route] {
    [
      Route(
        method, "/v1/projects/{project}/accounts\(verb)",
        name: "identitytoolkit.projects.accounts\(name)", scope: scope, fields: fields,
        worksWhileDisabled: worksWhileDisabled, handler),
      Route(
        method, "/v1/projects/{project}/tenants/{tenant}/accounts\(verb)",
        name: "identitytoolkit.projects.tenants.accounts\(name)", scope: scope, fields: fields,
        worksWhileDisabled: worksWhileDisabled, handler),
    ]
  }

  private static let accountBatches: [Route] =
    scoped(.get, ":batchGet", name: ".batchGet", scope: "accounts:read") {
      try await AccountBatchHandler($0).batchGet()
    }
    + scoped(.post, ":batchCreate", name: ".batchCreate", fields: UploadedHashes.fields) {
      try await AccountBatchHandler($0).batchCreate()
    }
    + scoped(
      .post, ":batchDelete", name: ".batchDelete",
      fields: [
        .list("localIds", most: AccountGraph.maximumBatch), .flag("force"), "tenantId",
      ],
      worksWhileDisabled: true
    ) { try await AccountBatchHandler($0).batchDelete() }
    + scoped(
      .post, ":query", name: ".query", scope: "accounts:read", fields: AccountQuery.fields
    ) { try await AccountBatchHandler($0).queryAccounts() }
    + [
      Route(
        .post, "/v1/projects/{project}:queryAccounts",
        name: "identitytoolkit.projects.queryAccounts", scope: "accounts:read",
        fields: AccountQuery.fields
      ) { try await AccountBatchHandler($0).queryAccounts() }
    ]
    + sessionCookies

  private static let sessionCookies = ["", "/tenants/{tenant}"].map { tenant in
    Route(
      .post,
      tenant.isEmpty
        ? "/v1/projects/{project}:createSessionCookie"
        : "/v1/projects/{project}/tenants/{tenant}:createSessionCookie",
      name: "identitytoolkit.projects\(tenant.isEmpty ? "" : ".tenants").createSessionCookie",
      fields: ["idToken", .number("validDuration"), "tenantId", "targetProjectId"],
      worksWhileDisabled: true
    ) { try await ProjectHandler($0).createSessionCookie() }
  }

  private static let projectInformation = [
    Route(.get, "/v1/projects", name: "identitytoolkit.getProjects") {
      try await ProjectHandler($0).information()
    },
    Route(.get, "/v1/recaptchaParams", name: "identitytoolkit.getRecaptchaParams") {
      try await ProjectHandler($0).recaptchaParameters()
    },
    Route(.get, "/v2/recaptchaConfig", name: "identitytoolkit.getRecaptchaConfig") {
      ProjectHandler($0).recaptchaConfiguration()
    },
    Route(.get, "/v2/passwordPolicy", name: "identitytoolkit.getPasswordPolicy") {
      try await ProjectHandler($0).passwordPolicy()
    },
    Route(
      .post, "/v2/projects/{project}/identityPlatform:initializeAuth",
      name: "identitytoolkit.projects.identityPlatform.initializeAuth", scope: "config"
    ) { _ in
      // A served project needs no initialisation.
      .json([:])
    },
  ]

  private static let configuration = [
    Route(
      .get, "/v2/projects/{project}/config", name: "identitytoolkit.projects.getConfig",
      scope: "config"
    ) { try await ConfigurationHandler($0).document() },
    Route(
      .patch, "/v2/projects/{project}/config", name: "identitytoolkit.projects.updateConfig",
      scope: "config", fields: ConfigDocument.fields
    ) { try await ConfigurationHandler($0).update() },
  ]

  private static let tenants: [Route] = {
    let (all, one) = ("/v2/projects/{project}/tenants", "/v2/projects/{project}/tenants/{tenant}")
    let name = "identitytoolkit.projects.tenants"
    let permissions = ["getIamPolicy", "setIamPolicy", "testIamPermissions"].map { verb in
      Route(.post, "\(one):\(verb)", name: "\(name).\(verb)", scope: "config") { _ in
        throw WireError.noPermissionPolicies
      }
    }
    return permissions + [
      Route(.get, all, name: "\(name).list", scope: "config") {
        try await TenantHandler($0).list()
      },
      Route(
        .post, all, name: "\(name).create", scope: "config", fields: TenantDocument.fields
      ) { try await TenantHandler($0).create() },
      Route(.get, one, name: "\(name).get", scope: "config", worksWhileDisabled: true) {
        try await TenantHandler($0).document()
      },
      Route(
        .patch, one, name: "\(name).patch", scope: "config", fields: TenantDocument.fields,
        worksWhileDisabled: true
      ) { try await TenantHandler($0).update() },
      Route(.delete, one, name: "\(name).delete", scope: "config", worksWhileDisabled: true) {
        try await TenantHandler($0).remove()
      },
    ]
  }()
}

extension WireError {
  /// The error for Google's permission system, which this server does not have.
  static let noPermissionPolicies = WireError(
    "OPERATION_NOT_ALLOWED",
    "This server has no IAM policies. The scopes of an admin's token are its permissions.")
}
