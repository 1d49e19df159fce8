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
    let names = declaration.settings.map(\.name)
    identifiers = ["clientID"].filter(names.contains)
    secrets = declaration.settings.filter { field in
      field.type == .secret && (field.isRequired || field.name == "clientSecret")
    }.map(\.name)
    settings = Self.values(declaration, fixture)
    // A browser opens the authorization page, whose host the plug-in need not request.
    let named = declaration.hosts + [urls["authorize"]].compactMap(\.self)
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
        let people = PlayedPerson(
          identity, scenario, settings: values, declaration: declaration)
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

  /// The fixture's hosts, addresses and names of the vendor, and whatever else the plug-in needs.
  private static func values(
    _ declaration: PluginDeclaration, _ fixture: Fixture?
  ) -> [String: JSONValue] {
    let own = ["clientID", "clientSecret", "audiences", "scopes", "servers", "privateHosts"]
    let fields = declaration.settings.filter { field in
      guard !own.contains(field.name), field.type != .secret else { return false }
      return field.isRequired || field.type == .text || field.type == .url
    }
    let values = fields.compactMap { field in
      (fixture?.settings[field.name] ?? field.fallback).map { (field.name, $0) }
    }
    return Dictionary(values) { first, _ in first }
  }

  /// A template with the settings in it; of a list, the first element.
  private func filled(_ template: String) -> String {
    settings.reduce(template) { text, setting in
      var value = setting.value
      if case .array(let elements) = value, let first = elements.first { value = first }
      return value.stringValue.map { text.replacing("{\(setting.key)}", with: $0) } ?? text
    }
  }

  private mutating func add(
    _ exchange: Fixture.Exchange, _ people: PlayedPerson, _ settings: [String: JSONValue]
  ) {
    guard case .json(let json) = exchange.response.body, exchange.response.status == 200,
      json["jwks_uri"] == nil, json["keys"] == nil,
      let path = Self.path(exchange.request.url, settings),
      !revoke.contains(where: { $0 == path })
    else { return }
    let isToken = json.parts().contains { part in
      if case .name(let name)? = part.path.last { return PlayedPerson.tokens[name] != nil }
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

extension JSONValue {
  /// The object with a value at a path, whose objects are made.
  fileprivate func adding(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
    guard let name = path.first else { return value }
    guard case .object(var members) = self else { return self }
    members[name] = (members[name] ?? .object([:])).adding(value, at: path.dropFirst())
    return .object(members)
  }
}
