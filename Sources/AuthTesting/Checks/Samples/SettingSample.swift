package import AuthCore

extension Setting {
  /// Returns a value that differs from a record's, in an admin's form; nil if `settings.set` does not accept the
  /// setting.
  package func otherValue(than root: Root) -> JSONValue? {
    switch kind {
    case .flag: .bool(value(in: root) == false)
    case .number(let range):
      .integer(
        value(in: root) == .integer(range.bounds.upperBound)
          ? range.bounds.upperBound - 1 : range.bounds.upperBound)
    case .choice(let names): names.map(JSONValue.string).first { $0 != value(in: root) }
    case .text: "Another"
    case .url: .string("https://functions.example/\(name)")
    case .domains: ["app.example", "localhost"]
    case .providers: ["anonymous"]
    case .table, .elsewhere, .kept: nil
    }
  }
}

extension ProjectSettings {
  /// Returns settings in which each setting of `settings.set` differs from its default.
  package static func others() throws -> ProjectSettings {
    var settings = ProjectSettings()
    for leaf in Self.settings.flatMap(\.leaves) {
      guard let value = leaf.otherValue(than: ProjectSettings()) else { continue }
      try leaf.set(value, in: &settings)
    }
    return settings
  }
}
