/// The members of Firebase's configuration that an admin set and that have no setting of their own.
///
/// They are kept, so that a tool that writes a configuration and reads it again finds what it wrote. Only
/// `smsRegionConfig` has an effect.
public struct KeptMembers: Hashable, Sendable {
  /// The members by name.
  public var members: [String: JSONValue]

  /// Reads the members of a scope's settings.
  public init(_ settings: ProjectSettings) { self.init(settings.keptMembers) }

  init(_ text: String?) {
    guard let text, case .object(let members)? = try? JSONValue(text: text) else {
      members = [:]
      return
    }
    self.members = members
  }

  /// The stored form; nil for no members.
  fileprivate var text: String? { members.isEmpty ? nil : JSONValue.object(members).text }

  /// The names of the members, sorted.
  var names: [String] { members.keys.sorted() }

  /// The maximum size of the stored form.
  private static let bounds = TextBounds(bytes: 131_072)

  static func boundedTexts(_ text: String?) -> [BoundedText] {
    guard let text else { return [] }
    return [
      BoundedText(
        text: text, bounds: bounds, title: "The configuration that is kept", field: "keptMembers")
    ]
  }

  /// Returns the names of the members that differ.
  static func differences(from old: String?, to new: String?) -> [String: JSONValue] {
    let (old, new) = (KeptMembers(old).members, KeptMembers(new).members)
    let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    return changed.isEmpty ? [:] : ["keptMembers": .array(changed.map(JSONValue.string))]
  }
}

extension ProjectSettings {
  /// Replaces the members that are kept.
  public mutating func keep(_ kept: KeptMembers) { keptMembers = kept.text }
}
