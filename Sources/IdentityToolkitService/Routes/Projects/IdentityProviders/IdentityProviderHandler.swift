import AuthCore
import IdentityToolkit

/// The settings of a scope's providers, as Google's resources.
struct IdentityProviderHandler: RequestHandler {
  let call: Call

  /// Lists every provider that this server supports, as Google's list of default providers.
  func listSupported() -> Answer {
    let ids = graph.providers.ids.filter { ProviderResource.vendors.has($0.rawValue) }
    return .json([
      "defaultSupportedIdps": .array(
        ids.map { id in
          [
            "idpId": .string(id.rawValue),
            "description": .string(graph.providers[id]?.manifest.name ?? id.rawValue),
          ]
        })
    ])
  }

  func list(_ resource: ProviderResource) async throws -> Answer {
    let settings = try await settings()
    return try page(
      of: settings.providers.keys.filter(resource.has), in: resource.collection
    ) { id in
      graph.providers[ProviderID(id)].map {
        shownDocument(resource, $0).value(settings, parent: parent)
      }
    }
  }

  func create(_ resource: ProviderResource) async throws -> Answer {
    let id = try query.filled(resource.idParameter) ?? idInName()
    let provider = try provider(id, resource)
    guard try await settings().providers[provider.id.rawValue] == nil else {
      throw WireError("CONFIGURATION_EXISTS")
    }
    let document = shownDocument(resource, provider)
    let (values, secrets) = try document.settings(from: body, replacing: [:], .none)
    if resource.collection == ProviderResource.openID.collection {
      guard try body.filled("clientId") != nil else { throw WireError("MISSING_OAUTH_CLIENT_ID") }
      guard try body.filled("issuer") != nil else { throw WireError("MISSING_ISSUER") }
    }
    for field in provider.manifest.configuration where field.isRequired {
      guard values[field.name] != nil || secrets[field.name] != nil else {
        throw WireError("INVALID_CONFIG", "The provider needs \(field.name).")
      }
    }
    try await configure(provider.id, values, secrets)
    try await setEnabled(try body.bool("enabled") ?? false, provider.id)
    return .json(document.value(try await settings(), parent: parent))
  }

  func document(_ resource: ProviderResource) async throws -> Answer {
    let document = try await knownConfiguration(resource)
    return .json(document.value(try await settings(), parent: parent))
  }

  func update(_ resource: ProviderResource) async throws -> Answer {
    let document = try await knownConfiguration(resource)
    let id = document.provider.id
    let mask = try UpdateMask(try query.text("updateMask"))
    if let unknown = mask.unknown(among: resource.fields) {
      throw WireError.unknownName("/\(unknown.replacing(".", with: "/"))")
    }
    let old = try await settings().providers[id.rawValue]?.values ?? [:]
    let (values, secrets) = try document.settings(from: body, replacing: old, mask)
    if !values.isEmpty || !secrets.isEmpty { try await configure(id, values, secrets) }
    if mask.isEmpty ? body.value("enabled") != nil : mask.names("enabled") {
      try await setEnabled(try body.bool("enabled") ?? false, id)
    }
    return .json(document.value(try await settings(), parent: parent))
  }

  /// Deletes a provider's settings without a confirmation, as Google's operation does.
  ///
  /// The accounts stay linked, and the name stays bound to its issuer.
  func delete(_ resource: ProviderResource) async throws -> Answer {
    let document = try await knownConfiguration(resource)
    _ = try await graph.forgetConfiguration(
      of: document.provider.id, force: true, by: caller)
    return .json([:])
  }

  /// Returns the document of a provider, with its secret if the caller may see it.
  private func shownDocument(
    _ resource: ProviderResource, _ provider: any AuthProvider
  ) -> ProviderDocument {
    var document = ProviderDocument(resource: resource, provider: provider)
    guard call.seesSecrets else { return document }
    let (graph, scope, id) = (graph, scope, provider.id)
    document.secret = { try? graph.opened($0, of: id, in: scope).secret("clientSecret") }
    return document
  }

  private func idInName() throws -> String? {
    try body.filled("name")?.split(separator: "/").last.map(String.init)
  }

  private func provider(
    _ id: String?, _ resource: ProviderResource
  ) throws -> any AuthProvider {
    guard let id, resource.has(id), let provider = graph.providers[ProviderID(id)] else {
      throw WireError("INVALID_PROVIDER_ID")
    }
    return provider
  }

  private func knownConfiguration(_ resource: ProviderResource) async throws -> ProviderDocument {
    let id = path["id"] ?? ""
    guard resource.has(id), try await settings().providers[id] != nil,
      let provider = graph.providers[ProviderID(id)]
    else { throw WireError("CONFIGURATION_NOT_FOUND") }
    return shownDocument(resource, provider)
  }

  private func configure(
    _ id: ProviderID, _ values: [String: JSONValue], _ secrets: [String: Secret<String>]
  ) async throws {
    do {
      _ = try await graph.configure(id, values: values, secrets: secrets, by: caller)
    } catch let error as AuthError where error.code == .invalidArgument {
      throw WireError(
        "INVALID_CONFIG", [error.message, error.remedy].compactMap(\.self).joined(separator: " "))
    }
  }

  private func setEnabled(_ isEnabled: Bool, _ id: ProviderID) async throws {
    guard try await settings().signIn.closedProviders.contains(id) == isEnabled else { return }
    _ = try await graph.changeSettings(by: caller) { $0.signIn.set(id, isOpen: isEnabled) }
  }
}
