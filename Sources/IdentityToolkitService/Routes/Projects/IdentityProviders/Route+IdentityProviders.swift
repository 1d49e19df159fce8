import IdentityToolkit

extension Route {
  /// How providers are set up: Google's resources of the ones it knows by name, of OpenID Connect and of SAML.
  static let identityProviders: [Route] =
    [
      Route(
        .get, "/v2/defaultSupportedIdps", name: "identitytoolkit.defaultSupportedIdps.list",
        scope: "config"
      ) { $0.supportedProviders() }
    ]
    + ProviderResource.all.flatMap { resource in
      [false, true].flatMap { isTenants in routes(of: resource, isTenants: isTenants) }
    }

  private static func routes(of resource: ProviderResource, isTenants: Bool) -> [Route] {
    let parent = "/v2/projects/{project}\(isTenants ? "/tenants/{tenant}" : "")"
    let name = "identitytoolkit.projects\(isTenants ? ".tenants" : "").\(resource.collection)"
    let all = "\(parent)/\(resource.collection)"
    func route(
      _ method: Method, _ path: String, named verb: String,
      _ body: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
      Route(
        method, path, name: "\(name).\(verb)",
        scope: "config",
        fields: method == .get ? nil : resource.fields
      ) { call in
        guard resource.isSupported else { throw WireError.noSAML }
        return try await body(call)
      }
    }
    return [
      route(.get, all, named: "list") { try await $0.listProviderConfigurations(resource) },
      route(.post, all, named: "create") { try await $0.createProviderConfiguration(resource) },
      route(.get, "\(all)/{id}", named: "get") { try await $0.providerConfiguration(resource) },
      route(.patch, "\(all)/{id}", named: "patch") {
        try await $0.updateProviderConfiguration(resource)
      },
      route(.delete, "\(all)/{id}", named: "delete") {
        try await $0.deleteProviderConfiguration(resource)
      },
    ]
  }
}

extension WireError {
  static let noSAML = WireError(
    "OPERATION_NOT_ALLOWED", "This server has no SAML; use OpenID Connect (oauthIdpConfigs).")
}
