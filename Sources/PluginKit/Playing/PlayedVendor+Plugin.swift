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
    hosts = Set(
      declaration.hosts + [urls["authorize"].flatMap { URLText.host(of: $0) }].compactMap(\.self)
    ).filter { !$0.contains("{") }.sorted()
    authorize = [urls["authorize"]].compactMap { $0.flatMap { Self.path($0) } }
    revoke = [urls["revoke"]].compactMap { $0.flatMap { Self.path($0) } }
    keys = urls.filter { $0.key == "keys" || $0.key.hasSuffix(".keys") }.values.sorted()
      .compactMap { Self.path($0) }
    if let fixture {
      for scenario in fixture.scenarios {
        guard case .identity(let identity) = scenario.expectation else { continue }
        let values = fixture.settings.merging(scenario.settings) { $1 }
        let people = Substitution(
          identity: identity, settings: values, verified: declaration.emailVerifiedPaths)
        for exchange in scenario.exchanges { add(exchange, people, values) }
      }
    }
    if let path = urls["token"].flatMap({ Self.path($0) }) { addIfMissing(path, to: \.token, nil) }
    if let path = urls["userinfo"].flatMap({ Self.path($0) }) {
      addIfMissing(path, to: \.described, Self.profile(declaration))
    }
    if let path = urls["app"].flatMap({ Self.path($0) }) {
      addIfMissing(path, to: \.described, nil)
    }
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
