import AuthCore

/// The source of a mapped field's value: one path, or several texts joined into one.
struct MappedSource: Sendable, Hashable {
  let paths: [PluginPath]
  /// True if it was written with `text(…)`.
  var isJoined = false
  /// The values that verify an address, written with `is`; nil if none are listed.
  var accepted: [JSONValue]?

  /// The value; nil if it is missing or a blank text.
  func value(in json: JSONValue) -> JSONValue? {
    let values = paths.map { $0.value(in: json) }
    if isJoined { return PersonName.joined(values).map(JSONValue.string) }
    guard let value = values.first ?? nil else { return nil }
    if let accepted { return .bool(accepted.contains { value.isExactly($0) }) }
    return value.stringValue == nil ? value : PersonName.said(value).map(JSONValue.string)
  }
}

extension PluginDeclaration {
  /// The fields that `text(…)` may fill; joined texts identify no person and prove nothing.
  static let joinedFields: [MappedField] = [.displayName, .screenName]

  /// Tells whether an ID token lacks what userinfo may add: the address, its verification, or the name.
  func isThin(_ claims: JSONValue) -> Bool {
    func isMissing(_ field: MappedField) -> Bool {
      guard case .sources(let sources) = mapping[field] else { return false }
      return sources.allSatisfy { $0.value(in: claims) == nil }
    }
    return PersonName.said(claims["email"]) == nil || isMissing(.emailVerified)
      || isMissing(.displayName)
  }
}
