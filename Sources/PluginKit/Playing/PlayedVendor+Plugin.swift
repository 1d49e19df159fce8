import AuthCore
public import FakeVendors
public import LuaPlugins

extension PlayedVendor {
  /// Makes the vendor of a plug-in from its declared addresses and its fixture's answers.
  ///
  /// In the answers, the person, the app and the tokens are those of the request in place of the fixture's.
  public init(_ declaration: PluginDeclaration, fixture: Fixture?) {
    self.init(id: declaration.id.rawValue)
    let urls = declaration.urls
    settings = Self.addresses(declaration, fixture)
    let named = declaration.hosts + urls.values.compactMap { URLText.host(of: filled($0)) }
    hosts = Set(
      named.map { host in
        let text = filled(host)
        return URLText.host(of: text) ?? text
      }
    ).filter { !$0.contains("{") && !$0.isEmpty }.sorted()
    let paths = urls.compactMapValues { Self.path(filled($0)) }
    authorize = [paths["authorize"]].compactMap(\.self)
    revoke = [paths["revoke"]].compactMap(\.self)
    keys = paths.filter { $0.key == "keys" || $0.key.hasSuffix(".keys") }.values.sorted()
    if let fixture {
      for scenario in fixture.scenarios {
        guard case .identity(let identity) = scenario.expectation else { continue }
        let values = fixture.settings.merging(scenario.settings) { $1 }
        let people = Substitution(
          identity: identity, settings: values, verified: declaration.emailVerifiedPaths)
        for exchange in scenario.exchanges { add(exchange, people, values) }
      }
    }
    if let path = paths["token"] { addIfMissing(path, to: \.token, nil) }
    if let path = paths["userinfo"] {
      addIfMissing(path, to: \.described, Self.profile(declaration))
    }
    if let path = paths["app"] { addIfMissing(path, to: \.described, nil) }
  }

  /// The issuer of its ID tokens under these settings; nil if there is none.
  public func issuer(of declaration: PluginDeclaration) -> String? {
    let issuers = declaration.urls.filter { $0.key == "issuer" || $0.key.hasSuffix(".issuer") }
    return issuers.sorted { $0.key < $1.key }.map { filled($0.value) }
      .first { !$0.contains("{") }
  }

  /// The fixture's hosts, addresses and names of the vendor.
  private static func addresses(
    _ declaration: PluginDeclaration, _ fixture: Fixture?
  ) -> [String: String] {
    let own = ["clientID", "clientSecret", "audiences", "scopes", "servers", "privateHosts"]
    let plain = declaration.settings.filter { field in
      !own.contains(field.name) && (field.type == .text || field.type == .url)
    }
    let values = plain.compactMap { field in
      let value = fixture?.settings[field.name] ?? field.fallback
      return value?.stringValue.map { (field.name, $0) }
    }
    return Dictionary(values) { first, _ in first }
  }

  private func filled(_ template: String) -> String {
    settings.reduce(template) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  private mutating func add(
    _ exchange: Fixture.Exchange, _ people: Substitution, _ settings: [String: JSONValue]
  ) {
    guard case .json(let json) = exchange.response.body, exchange.response.status == 200,
      json["jwks_uri"] == nil, json["keys"] == nil,
      let path = Self.path(exchange.request.url, settings),
      !revoke.contains(where: { $0 == path })
    else { return }
    let isToken = json.parts().contains { part in
      if case .name(let name)? = part.path.last { return Substitution.tokens[name] != nil }
      return false
    }
    addIfMissing(path, to: isToken ? \.token : \.described, people.filled(json))
  }

  private mutating func addIfMissing(
    _ path: String, to list: WritableKeyPath<PlayedVendor, [Answer]>, _ json: JSONValue?
  ) {
    guard !(token + described).contains(where: { $0.path == path }) else { return }
    self[keyPath: list].append(Answer(path, json: json))
  }

  /// The path of an address, with `*` for segments that settings or tokens fill.
  private static func path(_ url: String, _ settings: [String: JSONValue] = [:]) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let path = url[start...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
    let filled = Set(settings.values.compactMap(\.stringValue))
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let text = String(segment)
      let isOpen = text.contains("{") || text.hasPrefix("the-") || filled.contains(text)
      return isOpen ? "*" : text
    }
    return segments.count > 1 ? segments.joined(separator: "/") : "/"
  }

  /// The profile of a declaration without a fixture: each field at its first path.
  private static func profile(_ declaration: PluginDeclaration) -> JSONValue {
    let placeholders = [
      "subject": "{subject}", "email": "{email}", "emailVerified": "{emailVerified}",
      "displayName": "{name}", "photoURL": "{picture}",
    ]
    var profile = JSONValue.object([:])
    for (field, placeholder) in placeholders.sorted(by: { $0.key < $1.key }) {
      guard let path = declaration.mappedPaths[field]?.first, !path.contains("[") else { continue }
      profile = profile.adding(
        .string(placeholder), at: path.split(separator: ".").map(String.init)[...])
    }
    return profile
  }
}

/// Puts placeholders in place of the person, the app and the tokens of a fixture.
private struct Substitution {
  let identity: [String: JSONValue]
  let settings: [String: JSONValue]
  let verified: [String]

  /// Placeholders by the name of the member.
  static let tokens = [
    "access_token": "{access_token}", "accessToken": "{access_token}",
    "refresh_token": "{refresh_token}", "id_token": "{id_token}",
  ]

  func filled(_ json: JSONValue, name: String = "") -> JSONValue {
    switch json {
    case .object(let members):
      return .object(
        Dictionary(uniqueKeysWithValues: members.map { ($0.key, filled($0.value, name: $0.key)) }))
    case .array(let elements): return .array(elements.map { filled($0, name: name) })
    case .bool:
      let isWord = verified.contains { $0.split(separator: ".").last.map(String.init) == name }
      return isWord ? "{emailVerified}" : json
    case .string(let text): return .string(placeholder(text, name))
    case .integer(let number):
      let text = String(number)
      let placeholder = placeholder(text, name)
      return placeholder == text ? json : .string(placeholder)
    default: return json
    }
  }

  private func placeholder(_ text: String, _ name: String) -> String {
    if let token = Self.tokens[name] { return token }
    if text == "{idToken}" { return "{id_token}" }
    let known = [
      "subject": "{subject}", "email": "{email}", "displayName": "{name}", "photoURL": "{picture}",
    ]
    for (field, placeholder) in known where identity[field]?.stringValue == text {
      return placeholder
    }
    if settings["clientID"] == .string(text) { return "{client_id}" }
    return text.replacing("{", with: "{{")
  }
}

extension JSONValue {
  /// The object with a value at a path, whose objects are made.
  fileprivate func adding(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
    guard let name = path.first else { return value }
    guard case .object(var members) = self else { return self }
    members[name] = (members[name] ?? .object([:])).adding(value, at: path.dropFirst())
    return .object(members)
  }
}
