public import AuthCore

/// What ID tokens a plug-in takes under some settings, for whoever has to make such tokens: tests.
public struct PluginTokenRule: Sendable {
  /// The name that `jwt.verify` knows it by; nil for the tokens of the kind oidc.
  public let name: String?
  public let issuers: [String]
  public let audiences: [String]
  /// Where the keys are; nil where only the discovery document says it.
  public let keysURL: String?
  /// Where the discovery document is; nil where none is read.
  public let discoveryURL: String?
  public let algorithms: [SigningAlgorithm]
}

extension PluginDeclaration {
  /// What tokens it takes under the settings; throws `operation-not-allowed` naming one that is missing.
  public func tokenRules(_ settings: ProviderSettings) throws -> [PluginTokenRule] {
    let filler = TemplateFiller(settings: settings, fields: ownSettings)
    func rule(_ template: TokenTemplate, name: String?, usesDiscovery: Bool) throws
      -> PluginTokenRule
    {
      let issuers = try filler.urls(template.issuer)
      let audiences =
        try template.audiences.isEmpty
        ? [settings.required("clientID")] + settings.list("audiences")
        : template.audiences.map { try filler.text($0) }
      let base = issuers.first.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      return PluginTokenRule(
        name: name, issuers: issuers, audiences: audiences,
        keysURL: try template.keys.map { try filler.url($0) },
        discoveryURL: usesDiscovery ? base.map { "\($0)/.well-known/openid-configuration" } : nil,
        algorithms: template.algorithms)
    }
    var rules = try tokens.sorted { $0.key < $1.key }
      .map { try rule($0.value, name: $0.key, usesDiscovery: false) }
    if case .oidc(let oidc) = flow {
      rules.append(try rule(oidc.token, name: nil, usesDiscovery: oidc.usesDiscovery))
    }
    return rules
  }
}
