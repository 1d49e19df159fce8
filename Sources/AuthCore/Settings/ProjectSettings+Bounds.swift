extension ProjectSettings {
  /// The maximum number of entries in a list of the settings.
  private static let maximumEntries = 1000

  /// Returns the error that keeps the settings from being stored; nil if they are within all bounds.
  ///
  /// A text or number of entries that the old settings already have is accepted.
  func excess(beside old: ProjectSettings? = nil) -> AuthError? {
    let leaves = Self.settings.flatMap(\.leaves)
    func long(_ settings: ProjectSettings) -> [BoundedText] {
      leaves.flatMap { $0.boundedTexts(in: settings) }.filter { !$0.bounds.allow($0.text) }
    }
    let excess = long(self)
    if !excess.isEmpty {
      let known = Set(old.map(long)?.map(\.text) ?? [])
      if let first = excess.first(where: { !known.contains($0.text) }) { return first.refusal }
    }
    for leaf in leaves {
      let count = leaf.entries(in: self)
      guard count > Self.maximumEntries, count > old.map(leaf.entries) ?? 0 else { continue }
      return AuthError(
        .invalidArgument, "The list has at most \(Self.maximumEntries) entries.", field: leaf.name,
        remedy: "Leave some out.", step: .decision)
    }
    return nil
  }
}

extension JSONValue {
  /// Visits every text and every member name of the value.
  func eachText(_ visit: (String) -> Void) {
    switch self {
    case .string(let text): visit(text)
    case .array(let elements): for element in elements { element.eachText(visit) }
    case .object(let members):
      for (name, value) in members {
        visit(name)
        value.eachText(visit)
      }
    case .null, .bool, .integer, .number: break
    }
  }
}
