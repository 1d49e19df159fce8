public import AuthCore
public import BuiltInProviders

/// The ID tokens that a plug-in accepts under some settings, for tests that have to make such tokens.
public struct PluginTokenRule: Sendable {
  /// The token's name in `jwt.verify`; nil for the tokens of the kind oidc.
  public let name: String?
  /// The accepted issuers.
  public let issuers: [String]
  /// The accepted audiences.
  public let audiences: [String]
  /// The address of the keys; nil if only the discovery document names it.
  public let keysURL: String?
  /// The address of the discovery document; nil if none is read.
  public let discoveryURL: String?
  /// The accepted algorithms.
  public let algorithms: [SigningAlgorithm]
}

extension PluginDeclaration {
  /// The accepted tokens under the settings; throws `operation-not-allowed` naming a missing setting.
  public func tokenRules(_ settings: ProviderSettings) throws -> [PluginTokenRule] {
    let filler = TemplateFiller(settings: settings, fields: ownSettings)
    func rule(_ template: TokenTemplate, name: String?, usesDiscovery: Bool) throws
      -> PluginTokenRule
    {
      let issuers = try template.spellings.flatMap { try filler.urls($0) }
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
