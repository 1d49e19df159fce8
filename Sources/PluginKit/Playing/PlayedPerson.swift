import AuthCore
import LuaPlugins

/// Puts placeholders in place of the person, the app and the tokens of a fixture.
struct PlayedPerson {
  private let identity: [String: JSONValue]
  private let settings: [String: JSONValue]
  private let verified: [String]
  /// Placeholders of fields that the fixture does not expect, by the path from which the plug-in reads them.
  private var mapped: [String: String] = [:]

  /// Placeholders by the field of the identity.
  private static let fields = [
    "subject": "{subject}", "email": "{email}", "displayName": "{name}", "photoURL": "{picture}",
  ]

  /// Placeholders by the name of the member.
  static let tokens = [
    "access_token": "{access_token}", "accessToken": "{access_token}",
    "refresh_token": "{refresh_token}", "id_token": "{id_token}",
  ]

  /// The subject in the ID token, from which a plug-in may make another one.
  private let tokenSubject: JSONValue?

  init(
    _ identity: [String: JSONValue], _ scenario: Fixture.Scenario, settings: [String: JSONValue],
    declaration: PluginDeclaration
  ) {
    self.identity = identity
    tokenSubject = scenario.idToken?["sub"]
    self.settings = settings
    verified = declaration.emailVerifiedPaths
    for (field, placeholder) in Self.fields where identity[field] == nil {
      guard let path = declaration.mappedPaths[field]?.first else { continue }
      mapped[path.replacing("$token.", with: "").replacing(/\[\d+\]/, with: "")] = placeholder
    }
  }

  func filled(_ json: JSONValue, at path: [String] = []) -> JSONValue {
    let name = path.last ?? ""
    switch json {
    case .object(let members):
      return .object(
        Dictionary(
          uniqueKeysWithValues: members.map { ($0.key, filled($0.value, at: path + [$0.key])) }))
    case .array(let elements): return .array(elements.map { filled($0, at: path) })
    case .bool:
      let isWord = verified.contains { $0.split(separator: ".").last.map(String.init) == name }
      return isWord ? "{emailVerified}" : json
    case .string(let text): return .string(placeholder(text, path))
    case .integer(let number):
      let text = String(number)
      let placeholder = placeholder(text, path)
      if placeholder == text { return json }
      return placeholder == "{subject}" ? "{subjectNumber}" : .string(placeholder)
    default: return json
    }
  }

  private func placeholder(_ text: String, _ path: [String]) -> String {
    let name = path.last ?? ""
    if let token = Self.tokens[name] { return token }
    if text == "{idToken}" { return "{id_token}" }
    for (field, placeholder) in Self.fields where identity[field]?.stringValue == text {
      return placeholder
    }
    if tokenSubject == .string(text) { return "{subject}" }
    if settings["clientID"] == .string(text) { return "{client_id}" }
    if let placeholder = mapped[path.joined(separator: ".")] { return placeholder }
    return partOfName(text, name) ?? text.replacing("{", with: "{{")
  }

  /// The placeholder of a first or last name, which the plug-in joins to the name.
  private func partOfName(_ text: String, _ member: String) -> String? {
    guard let whole = identity["displayName"]?.stringValue, !text.isEmpty,
      member.lowercased().contains("name")
    else { return nil }
    if whole.hasPrefix(text + " ") { return "{givenName}" }
    return whole.hasSuffix(" " + text) ? "{familyName}" : nil
  }
}
