import AuthCore
import BuiltInProviders
import LuaRuntime

extension PluginDeclaration {
  private enum Kind: String, CaseIterable {
    case oauth2, oidc, custom
  }

  private static let commonFields =
    [
      "id", "name", "kind", "documentation", "notes", "hosts", "settings", "subjectsPerApp",
      "events",
    ] + metadataFields

  /// Every field that a declaration of any kind may have.
  package static let words = Set(
    commonFields + oauth2Fields + oidcFields + customFields + MappedField.allCases.map(\.rawValue)
  ).sorted()

  /// Reads the argument of `provider`; throws ``DeclarationMistake``.
  init(_ table: LuaTable) throws {
    let reader = DeclarationReader(table)
    metadata = try Self.metadata(reader)
    let kind =
      try reader.choice("kind", Kind.self) ?? (reader.isFunction("verify") ? .custom : nil)
    guard let kind else {
      // A misspelled verify makes the kind appear to be missing.
      try reader.refuseUnknown(
        Self.commonFields + Self.oauth2Fields + Self.oidcFields + Self.customFields)
      throw reader.mistake(
        "kind", "kind is missing", remedy: "Write kind = \"oauth2\", \"oidc\" or \"custom\".")
    }
    id = ProviderID(try Self.checkedID(reader))
    name = try reader.requiredText("name", "\"…\"")
    documentation = try reader.texts("documentation") ?? []
    notes = try reader.text("notes")
    var settings = try Self.settings(reader, reservesClient: kind != .custom)
    // Secrets are not allowed in the addresses and headers of a declaration.
    let names = Set(settings.filter { $0.type != .secret }.map(\.name))
      .union(kind == .custom ? [] : ["clientID"])
    hosts = try reader.texts("hosts") ?? []
    hostTemplates = try Self.hosts(hosts, reader, settings)

    try Self.functionOrNothing("events", reader)
    let tokens = try Self.tokens(reader, names)
    // Only functions verify such tokens.
    let common = Self.commonFields + (reader.isFunction("events") ? ["tokens"] : [])
    var builders: [CredentialBuilder]
    switch kind {
    case .oauth2:
      try reader.refuseUnknown(common + Self.oauth2Fields)
      self.kind = .oauth2
      let flow = try Self.oauth2(reader, names)
      builders = Self.builders(flow)
      self.flow = .oauth2(flow)
      algorithms = []
    case .oidc:
      try reader.refuseUnknown(common + Self.oidcFields)
      self.kind = .oidc
      let flow = try Self.oidc(reader, names)
      builders = Self.builders(flow)
      self.flow = .oidc(flow)
      algorithms = flow.token.algorithms
    case .custom:
      try reader.refuseUnknown(Self.commonFields + Self.customFields)
      self.kind = .custom
      let flow = try Self.custom(reader, names)
      builders = try Self.builders(reader, isBrowserFlow: flow.authorize != nil)
      self.flow = .custom(flow)
      algorithms = Array(Set(tokens.values.flatMap(\.algorithms))).sorted {
        $0.rawValue < $1.rawValue
      }
    }
    guard !builders.isEmpty else {
      throw reader.mistake(
        "kind", "no credential of this provider can be made",
        remedy: "Give authorize and token, or app for access tokens.")
    }
    self.builders = builders
    self.tokens = tokens
    scopes = try reader.texts("scopes") ?? (kind == .oidc ? ["openid", "email", "profile"] : [])
    textBooleans = try reader.flag("textBooleans") ?? false
    subjectsPerApp = try reader.flag("subjectsPerApp") ?? false
    mapping = kind == .custom ? [:] : try Self.mapping(reader, isOIDC: kind == .oidc)
    functions = Self.functions(reader)
    if kind == .custom {
      sharedSecretTokens = try Self.sharedSecretTokens(reader, names)
      try Self.checkCallback(self.flow, builders, reader)
    }

    let subjectNames = Self.subjectNames(flow, tokens, hostTemplates)
      .union(sharedSecretTokens.values.flatMap(\.issuer.names))
    for index in settings.indices where settings[index].type != .list {
      settings[index].namesSubjects =
        settings[index].namesSubjects || subjectNames.contains(settings[index].name)
    }
    ownSettings = settings
    try Self.checkAnyIssuers(flow, tokens, reader, settings: settings)
    try Self.checkHosts(urls, hosts, reader)
    places = Set(urls.values.compactMap { URLTemplate($0)?.fixedHost }.filter { $0.contains(":") })
    for (name, text) in urls.sorted(by: { $0.key < $1.key }) {
      let misplaced = (URLTemplate(text)?.parts ?? []).dropFirst().first { part in
        settings.contains { .name($0.name) == part && $0.type == .url }
      }
      guard case .name(let setting)? = misplaced else { continue }
      throw reader.mistake(
        name, "\(name) has {\(setting)}, which is a whole URL, behind its beginning",
        remedy: "Begin with {\(setting)}, or make it a setting.host.")
    }
  }

  private static func checkedID(_ reader: DeclarationReader) throws -> String {
    let id = try reader.requiredText("id", "\"example.com\"")
    // One case only, so that no two IDs look alike.
    guard id.wholeMatch(of: /[a-z0-9][a-z0-9._-]{0,127}/) != nil else {
      throw reader.mistake(
        "id", "the id \"\(id)\" has other characters than small letters, digits, . - and _")
    }
    guard !ProviderRegistry.isReserved(ProviderID(id)) else {
      throw reader.mistake(
        "id", "the id \(id) is a built-in provider's", remedy: "Choose another id.")
    }
    return id
  }

  private static func functions(_ reader: DeclarationReader) -> Set<String> {
    let own = reader.table.fields.filter { $0.value.functionValue != nil }.map(\.key)
    let mapped = (reader.table["identity"].tableValue?.fields ?? [:])
      .filter { $0.value.functionValue != nil }.map { "identity.\($0.key)" }
    return Set(own + mapped)
  }

  private static let settingsOfItsOwn = ["servers", "privateHosts"]
  private static let settingsOfClients = ["clientID", "clientSecret", "audiences", "scopes"]

  private static func settings(
    _ reader: DeclarationReader, reservesClient: Bool
  ) throws -> [PluginSetting] {
    guard let inner = try reader.inner("settings") else { return [] }
    let reserved = settingsOfItsOwn + (reservesClient ? settingsOfClients : [])
    return try inner.table.fields.sorted { $0.key < $1.key }.map { name, value in
      guard let draft = value.objectValue?.value as? SettingDraft else {
        throw inner.mistake(
          name, "settings.\(name) is no setting",
          remedy: "Write \(name) = setting.text \"what it is for\".")
      }
      guard !reserved.contains(name), name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
        throw inner.mistake(
          name,
          reserved.contains(name)
            ? "every provider of this kind has the setting \(name) anyway"
            : "a setting's name has letters and digits only")
      }
      try checkFallback(of: draft, name, inner)
      return draft.setting(named: name)
    }
  }

  private static func checkFallback(
    of draft: SettingDraft, _ name: String, _ reader: DeclarationReader
  ) throws {
    guard let fallback = draft.fallback else { return }
    let fits =
      switch (draft.type, fallback) {
      case (.text, .string), (.flag, .bool), (.number, .integer): true
      case (.host, .string(let text)): PluginSetting.isHost(text)
      case (.url, .string(let text)): text.hasPrefix("https://") && URLText.host(of: text) != nil
      default: false
      }
    guard fits else {
      throw reader.mistake(
        name, "settings.\(name) cannot have this default",
        remedy: "Secrets and lists have none; the others one of their own type.")
    }
  }

  private static func hosts(
    _ hosts: [String], _ reader: DeclarationReader, _ settings: [PluginSetting]
  ) throws -> [URLTemplate] {
    try hosts.map { host in
      guard let template = URLTemplate(host) else {
        throw reader.mistake("hosts", "the host \"\(host)\" has a brace without a setting's name")
      }
      switch template.parts.first {
      case .name(let name)? where template.parts.count == 1:
        guard settings.contains(where: { $0.name == name && [.host, .url].contains($0.type) })
        else {
          throw reader.mistake(
            "hosts", "the host {\(name)} is no setting of type host or url",
            remedy: "Declare settings = { \(name) = setting.host \"…\" }.")
        }
      default:
        let plain = template.parts.map { part in
          if case .text(let text) = part { text } else { "x" }
        }.joined()
        guard PluginSetting.isHost(plain), !plain.contains(":") else {
          throw reader.mistake(
            "hosts", "\"\(host)\" is no host name",
            remedy: "Write it without scheme, port, path or wildcard.")
        }
      }
      return template
    }
  }

  /// Checks that literal hosts are declared; hosts from settings are checked at each request.
  private static func checkHosts(
    _ urls: [String: String], _ hosts: [String], _ reader: DeclarationReader
  ) throws {
    // Only the discovery document is requested from an issuer.
    let isDiscovered =
      reader.table["discovery"].boolValue != false
      && !["keys", "authorize", "token"].allSatisfy { urls[$0] != nil }
    for (name, url) in urls.sorted(by: { $0.key < $1.key }) {
      let isAsked =
        name == "issuer" ? isDiscovered : name != "authorize" && !name.hasSuffix(".issuer")
      guard isAsked, let host = URLTemplate(url)?.fixedHost else { continue }
      let bare = host.split(separator: ":").first.map(String.init) ?? host
      guard hosts.contains(where: { $0.lowercased() == bare }) else {
        throw reader.mistake(
          name, "\(name) asks \(bare), which hosts does not name",
          remedy: "Add \"\(bare)\" to hosts.")
      }
    }
  }

  /// Checks that an issuer with `any` has a list of settings that the claim stands for.
  private static func checkAnyIssuers(
    _ flow: PluginFlow, _ tokens: [String: TokenTemplate], _ reader: DeclarationReader,
    settings: [PluginSetting]
  ) throws {
    var templates = Array(tokens.values)
    if case .oidc(let oidc) = flow { templates.append(oidc.token) }
    let lists = settings.filter { $0.type == .list }.map(\.name)
    for template in templates where template.anyIssuer != nil {
      guard template.issuer.names.contains(where: lists.contains) else {
        throw reader.mistake(
          "issuer", "issuer has any and no setting of type list in its address",
          remedy: "Write {tenants} into it, and settings = { tenants = setting.list \"…\" }.")
      }
    }
  }

  private static func subjectNames(
    _ flow: PluginFlow, _ tokens: [String: TokenTemplate], _ hosts: [URLTemplate]
  ) -> Set<String> {
    var names = hosts.flatMap(\.names) + tokens.values.flatMap(\.issuerNames)
    if case .oidc(let oidc) = flow { names += oidc.token.issuerNames }
    return Set(names)
  }

  /// The standard claims of the fields (OpenID Connect Core 5.1).
  private static var standardClaims: [MappedField: Mapping] {
    let usual: [MappedField: [[String]]] = [
      .subject: [["sub"]], .email: [["email"]], .emailVerified: [["email_verified"]],
      .displayName: [
        ["name"], ["given_name", "family_name"], ["preferred_username"], ["nickname"],
      ],
      .photoURL: [["picture"]], .screenName: [["preferred_username"]],
      .phoneNumber: [["phone_number"]],
    ]
    return usual.mapValues { sources in
      .sources(
        sources.map { names in
          MappedSource(paths: names.compactMap { PluginPath($0) }, isJoined: names.count > 1)
        })
    }
  }

  private static func mapping(
    _ reader: DeclarationReader, isOIDC: Bool
  ) throws -> [MappedField: Mapping] {
    var mapping = isOIDC ? standardClaims : [:]
    let inner = try reader.inner("identity") ?? DeclarationReader(LuaTable(), place: "identity.")
    try inner.refuseUnknown(MappedField.allCases.map(\.rawValue))
    for field in MappedField.allCases where inner.has(field.rawValue) {
      let name = field.rawValue
      if inner.isFunction(name) {
        mapping[field] = .function
        continue
      }
      if inner.table[name].boolValue == false {
        mapping[field] = nil
        continue
      }
      guard inner.table[name].boolValue == nil else {
        throw inner.mistake(
          name, "identity.\(name) is true without a source",
          remedy: "Name the field of the vendor's answer that says it, or leave it out.")
      }
      mapping[field] = .sources(try inner.sources(field))
    }
    guard mapping[.subject] != nil else {
      throw inner.mistake(
        "subject", "identity.subject is missing",
        remedy: "Name the vendor's immutable identifier: identity = { subject = \"id\" }.")
    }
    return mapping
  }
}
