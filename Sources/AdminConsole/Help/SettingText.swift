import AuthCore

/// Descriptions of the settings, made from their list.
enum SettingText {
  /// The settings that `settings.set` changes.
  static let changeable = ProjectSettings.settings.filter { !$0.isKept && !$0.isElsewhere }

  /// The descriptions of all settings that `settings.set` changes, in nested tables like its argument.
  static var lines: [String] { lines(of: changeable, depth: 0) }

  private static func lines(of settings: [Setting<ProjectSettings>], depth: Int) -> [String] {
    settings.filter { !$0.isKept && !$0.isElsewhere }.flatMap { setting in
      let name = String(repeating: "  ", count: depth) + setting.name
      let gap = String(repeating: " ", count: max(1, nameWidth - name.count))
      guard setting.members.isEmpty else {
        return ["\(name) = {\(gap.dropLast(4))\(setting.about)"]
          + lines(of: setting.members, depth: depth + 1)
      }
      let line = "\(name)\(gap)\(setting.about)"
      if case .flag = setting.kind { return [line] }
      return [line, "\(indent)\(setting.kind.values)"]
    }
  }

  /// One line for each setting that has a function of its own.
  static var linesElsewhere: [String] {
    ProjectSettings.settings.flatMap(\.leaves).compactMap { setting in
      guard case .elsewhere(let use) = setting.kind else { return nil }
      return "\(setting.path): \(use)"
    }
  }

  private static let nameWidth = 28
  private static let indent = String(repeating: " ", count: nameWidth)

  /// Returns the setting with a name, in any table, or the one with the nearest name.
  static func leaf(near name: String) -> Setting<ProjectSettings>? {
    let leaves = changeable.flatMap(\.leaves).filter { !$0.isKept && $0.path != $0.name }
    guard let near = nearestName(to: name, among: leaves.map(\.name)) else { return nil }
    return leaves.first { $0.name == near }
  }

  /// Returns a path in the form that `settings.set` takes: `{ signIn = { allowsSignUp = … } }`.
  static func example(of path: String) -> String {
    path.split(separator: ".").reversed().reduce("…") { inner, name in "{ \(name) = \(inner) }" }
  }
}

extension Setting {
  /// True for a setting of the engine, which admins cannot see.
  var isKept: Bool { if case .kept = kind { true } else { false } }
  /// True for a setting that has a function of its own.
  var isElsewhere: Bool { if case .elsewhere = kind { true } else { false } }
}
