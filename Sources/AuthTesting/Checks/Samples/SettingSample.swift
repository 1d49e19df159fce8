package import AuthCore

extension Setting {
  /// A value that a record does not have, as an admin gives it; nil if `settings.set` does not take the setting.
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
  /// Settings of which each that `settings.set` takes is another one than by default.
  package static func others() throws -> ProjectSettings {
    var settings = ProjectSettings()
    for leaf in Self.settings.flatMap(\.leaves) {
      guard let value = leaf.otherValue(than: ProjectSettings()) else { continue }
      try leaf.set(value, in: &settings)
    }
    return settings
  }
}
