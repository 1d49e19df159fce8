import IdentityToolkit

extension Route {
  /// The settings of providers: Google's resources for default providers, OpenID Connect and SAML.
  static let identityProviders: [Route] =
    [
      Route(
        .get, "/v2/defaultSupportedIdps", name: "identitytoolkit.defaultSupportedIdps.list",
        scope: "config"
      ) { IdentityProviderHandler($0).listSupported() }
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
      _ body: @escaping @Sendable (IdentityProviderHandler) async throws -> Answer
    ) -> Route {
      Route(
        method, path, name: "\(name).\(verb)",
        scope: "config",
        fields: method == .get ? nil : resource.fields
      ) { call in
        guard resource.isSupported else { throw WireError.noSAML }
        return try await body(IdentityProviderHandler(call))
      }
    }
    return [
      route(.get, all, named: "list") { try await $0.list(resource) },
      route(.post, all, named: "create") { try await $0.create(resource) },
      route(.get, "\(all)/{id}", named: "get") { try await $0.document(resource) },
      route(.patch, "\(all)/{id}", named: "patch") { try await $0.update(resource) },
      route(.delete, "\(all)/{id}", named: "delete") { try await $0.delete(resource) },
    ]
  }
}

extension WireError {
  static let noSAML = WireError(
    "OPERATION_NOT_ALLOWED", "This server has no SAML; use OpenID Connect (oauthIdpConfigs).")
}
