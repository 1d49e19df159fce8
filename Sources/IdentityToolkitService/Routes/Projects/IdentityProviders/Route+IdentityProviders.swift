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
      saml: @escaping @Sendable (SAMLConfigurationHandler) async throws -> Answer,
      _ body: @escaping @Sendable (IdentityProviderHandler) async throws -> Answer
    ) -> Route {
      Route(
        method, path, name: "\(name).\(verb)",
        scope: "config",
        fields: method == .get ? nil : resource.fields
      ) { call in
        guard resource.isSupported else { return try await saml(SAMLConfigurationHandler(call)) }
        return try await body(IdentityProviderHandler(call))
      }
    }
    return [
      route(.get, all, named: "list", saml: { try await $0.list() }) {
        try await $0.list(resource)
      },
      route(.post, all, named: "create", saml: { try await $0.create() }) {
        try await $0.create(resource)
      },
      route(.get, "\(all)/{id}", named: "get", saml: { try await $0.document() }) {
        try await $0.document(resource)
      },
      route(.patch, "\(all)/{id}", named: "patch", saml: { try await $0.update() }) {
        try await $0.update(resource)
      },
      route(.delete, "\(all)/{id}", named: "delete", saml: { try await $0.delete() }) {
        try await $0.delete(resource)
      },
    ]
  }
}
