import AuthCore

/// A plug-in with its own `verify`, whose vendor signs in with a browser.
struct LuaBrowserProvider: LuaProvider, AuthorizationFlow {
  let core: LoadedPlugin

  func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String {
    let session = try PluginSession(core.declaration, core.host, context)
    core.beginFlow(at: core.host.clock())
    return try await core.reportingFaults(session) {
      try await core.scriptedAddress(request, session)
    }
  }

  /// The issuer of the plug-in's only kind of token; with several kinds, a callback may come from any issuer.
  func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer {
    guard core.declaration.tokens.count == 1, let token = core.declaration.tokens.values.first
    else { return CallbackIssuer(nil, isRequired: false) }
    let session = try PluginSession(core.declaration, core.host, context)
    let issuers = try session.filler.urls(token.issuer)
    return CallbackIssuer(issuers.count == 1 ? issuers[0] : nil, isRequired: false)
  }

  func credentialFields(
    from callback: [String: String]
  ) throws(AuthError) -> [String: String] {
    guard case .custom(let custom) = core.declaration.flow, let browser = custom.authorize else {
      return [:]
    }
    var fields: [String: String] = [:]
    for (field, parameter) in browser.callback {
      guard parameter != "*" else {
        fields[field] = URLText.form(
          callback.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
        continue
      }
      fields[field] = callback[parameter]
    }
    let declared = core.declaration.builders.first { $0.name == AuthorizationGrant.builderName }
    let missing = declared?.fields.first { field in
      field.isRequired && browser.callback[field.name] != nil
        && fields[field.name, default: ""].isEmpty
    }
    if let missing {
      throw .refusedCallback(
        "it has no \(browser.callback[missing.name] ?? missing.name)",
        field: missing.name)
    }
    return fields
  }
}
