import AuthCore

/// Where a mapped field's value comes from: one path, or several texts that become one.
struct MappedSource: Sendable, Hashable {
  let paths: [PluginPath]
  /// Whether it was written with `text(…)`.
  var isJoined = false

  /// The value; nil where nothing is there, and for a text of blanks alone.
  func value(in json: JSONValue) -> JSONValue? {
    let values = paths.map { $0.value(in: json) }
    if isJoined { return PersonName.joined(values).map(JSONValue.string) }
    guard let value = values.first ?? nil else { return nil }
    return value.stringValue == nil ? value : PersonName.said(value).map(JSONValue.string)
  }
}

extension PluginDeclaration {
  /// The fields that `text(…)` may fill; joined texts name nobody and prove nothing.
  static let joinedFields: [MappedField] = [.displayName, .screenName]

  /// Whether the claims of an ID token leave out what userinfo may say: the address, the word on it, or the name.
  func isThin(_ claims: JSONValue) -> Bool {
    func isMissing(_ field: MappedField) -> Bool {
      guard case .sources(let sources) = mapping[field] else { return false }
      return sources.allSatisfy { $0.value(in: claims) == nil }
    }
    return PersonName.said(claims["email"]) == nil || isMissing(.emailVerified)
      || isMissing(.displayName)
  }
}
