extension AuditEvent {
  /// The objects of the operation in a few words, such as the identity that was linked or the fields that changed; nil
  /// if its name and account say all.
  public var what: String? {
    let texts = Self.telling.flatMap { name -> [String] in
      switch details[name] {
      case .string(let text): [text]
      case .array(let items): items.compactMap(\.stringValue)
      default: []
      }
    }
    var seen: Set<String> = []
    let distinct = texts.filter { seen.insert($0).inserted }
    return distinct.isEmpty ? nil : distinct.joined(separator: ", ")
  }

  /// The details that name what an operation was about.
  private static let telling = [
    "identity", "linked", "identities", "removed", "absorbed", "merge", "fields", "kind", "factors",
    "operation", "tenant",
  ]
}
