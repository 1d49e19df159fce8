import AuthCore
import IdentityToolkit

/// One of Google's resource types for the settings of providers.
struct ProviderResource: Sendable {
  /// The name of the collection, and of the list in its answer.
  let collection: String
  /// The query parameter with the ID of a new provider.
  let idParameter: String
  let fields: [RouteField]
  /// False if the configurations are only kept.
  let isSupported: Bool

  static let vendors = ProviderResource(
    collection: "defaultSupportedIdpConfigs", idParameter: "idpId",
    fields: [
      "name", .flag("enabled"), "clientId", "clientSecret",
      .object(
        "appleSignInConfig",
        [.list("bundleIds"), .object("codeFlowConfig", ["teamId", "keyId", "privateKey"])]),
    ],
    isSupported: true)
  static let openID = ProviderResource(
    collection: "oauthIdpConfigs", idParameter: "oauthIdpConfigId",
    fields: [
      "name", .flag("enabled"), "clientId", "clientSecret", "issuer", "displayName",
      .object("responseType", [.flag("code"), .flag("idToken"), .flag("token")]),
    ], isSupported: true)
  static let saml = ProviderResource(
    collection: "inboundSamlConfigs", idParameter: "inboundSamlConfigId",
    fields: [
      "name", .flag("enabled"), "displayName",
      .object(
        "idpConfig",
        [
          "idpEntityId", "ssoUrl", .flag("signRequest"),
          .list("idpCertificates", most: 20, of: ["x509Certificate", "expiresAt"]),
        ]),
      .object(
        "spConfig",
        [
          "spEntityId", "callbackUri",
          .list("spCertificates", most: 20, of: ["x509Certificate", "expiresAt"]),
        ]),
    ], isSupported: false)

  static let all = [vendors, openID, saml]

  private static let ownMethods: Set<ProviderID> = [
    .password, .phone, .anonymous, .emailLink, .custom, .passkey,
  ]

  /// Tells whether a provider is of this type.
  func has(_ id: String) -> Bool {
    let isOpenID = id.hasPrefix("oidc.")
    return collection == Self.openID.collection
      ? isOpenID : !isOpenID && !Self.ownMethods.contains(ProviderID(id))
  }
}

/// A provider's settings as one of Google's resources.
///
/// Its secret is shown only for OpenID Connect, as by Google, and only to an admin with the scope `secrets`.
struct ProviderDocument {
  let resource: ProviderResource
  let provider: any AuthProvider
  /// Opens a secret for the caller; nil if the caller may see none, or if it cannot be opened.
  var secret: @Sendable (ProviderConfiguration) -> Secret<String>? = { _ in nil }

  private var fields: [ConfigurationField] { provider.manifest.configuration }

  private func field(_ names: String...) -> ConfigurationField? {
    names.lazy.compactMap { name in fields.first { $0.name == name } }.first
  }

  func value(_ settings: ProjectSettings, parent: String) -> JSONValue {
    let id = provider.id.rawValue
    let values = settings.providers[id]?.values ?? [:]
    var document: [String: JSONValue] = [
      "name": .string("\(parent)/\(resource.collection)/\(id)"),
      "enabled": .bool(!settings.signIn.closedProviders.contains(provider.id)),
    ]
    document.put("clientId", clientID(values))
    if provider.id == .apple { document["appleSignInConfig"] = apple(values) }
    if resource.collection == ProviderResource.openID.collection {
      document.put("clientSecret", settings.providers[id].flatMap(secret)?.reveal())
      document.put("issuer", values["issuer"]?.stringValue)
      document.put("displayName", values["displayName"]?.stringValue)
      let type = values["responseType"]?.stringValue
      document["responseType"] = type == "code" ? ["code": true] : ["idToken": true]
    }
    return .object(document)
  }

  private func clientID(_ values: [String: JSONValue]) -> String? {
    if let service = values["serviceID"]?.stringValue { return service }
    guard let field = field("clientID", "clientIDs", "appID") else { return nil }
    guard case .array(let items)? = values[field.name] else {
      return values[field.name]?.stringValue
    }
    return items.first?.stringValue
  }

  private func apple(_ values: [String: JSONValue]) -> JSONValue {
    var flow: [String: JSONValue] = [:]
    flow.put("teamId", values["teamID"]?.stringValue)
    flow.put("keyId", values["keyID"]?.stringValue)
    var document: [String: JSONValue] = [:]
    if !flow.isEmpty { document["codeFlowConfig"] = .object(flow) }
    if case .array(let ids)? = values["clientIDs"] {
      document["bundleIds"] = .array(ids.filter { $0 != values["serviceID"] })
    }
    return .object(document)
  }

  /// Returns the settings that a body changes, by the names of the provider's own settings.
  func settings(
    from body: WireFields, replacing old: [String: JSONValue], _ mask: UpdateMask
  ) throws(WireError) -> (values: [String: JSONValue], secrets: [String: Secret<String>]) {
    var values: [String: JSONValue] = [:]
    var secrets: [String: Secret<String>] = [:]
    func isMeant(_ name: String) -> Bool {
      mask.isEmpty ? body.value(name) != nil : mask.names(name)
    }
    if isMeant("clientId") { try setClientID(body.filled("clientId"), old, &values) }
    // Answers omit the secret, so a document that is written back lacks it. Only an empty secret removes it.
    if isMeant("clientSecret"), body.members["clientSecret"] != nil,
      let field = field("clientSecret", "appSecret")
    {
      secrets[field.name] = Secret(try body.text("clientSecret") ?? "")
    }
    if isMeant("appleSignInConfig"), provider.id == .apple {
      try setApple(
        body.object("appleSignInConfig"), replacing: old, &values, &secrets)
    }
    for name in ["issuer", "displayName"] where isMeant(name) && field(name) != nil {
      values[name] = .optional(try body.filled(name))
    }
    if isMeant("responseType"), field("responseType") != nil {
      values["responseType"] = .string(try responseType(body.object("responseType")))
    }
    return (values, secrets)
  }

  private func setClientID(
    _ id: String?, _ old: [String: JSONValue], _ values: inout [String: JSONValue]
  ) throws(WireError) {
    guard let field = field("clientID", "clientIDs", "appID"), let id else {
      throw WireError("MISSING_OAUTH_CLIENT_ID")
    }
    guard field.type == .list else {
      values[field.name] = .string(id)
      return
    }
    var others: [JSONValue] = []
    if case .array(let items)? = old[field.name] { others = Array(items.dropFirst()) }
    values[field.name] = .array([.string(id)] + others.filter { $0.stringValue != id })
    if self.field("serviceID") != nil { values["serviceID"] = .string(id) }
  }

  private func setApple(
    _ apple: WireFields?, replacing old: [String: JSONValue],
    _ values: inout [String: JSONValue], _ secrets: inout [String: Secret<String>]
  ) throws(WireError) {
    let service = values["serviceID"] ?? old["serviceID"]
    let bundles = try apple?.texts("bundleIds") ?? []
    values["clientIDs"] = .array(
      [service].compactMap(\.self) + bundles.map(JSONValue.string).filter { $0 != service })
    let flow = try apple?.object("codeFlowConfig")
    if let team = try flow?.filled("teamId") { values["teamID"] = .string(team) }
    if let key = try flow?.filled("keyId") { values["keyID"] = .string(key) }
    if let key = try flow?.filled("privateKey") { secrets["privateKey"] = Secret(key) }
  }

  private func responseType(_ type: WireFields?) throws(WireError) -> String {
    let wantsCode = try type?.bool("code") ?? false
    let wantsToken = try type?.bool("idToken") ?? false
    guard !(wantsCode && wantsToken) else {
      throw WireError("INVALID_CONFIG", "One response type may be set: code or idToken.")
    }
    return wantsCode ? "code" : "idToken"
  }
}
