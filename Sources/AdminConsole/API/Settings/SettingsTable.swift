import AuthCore
import LuaPlugins
import LuaRuntime

/// The argument of `settings.set`: settings by name, in nested tables as `settings.get()` shows them.
struct SettingsTable {
  /// A setting with its new value.
  struct Change: Sendable {
    let setting: Setting<ProjectSettings>
    let value: JSONValue
  }

  private let table: LuaTable
  private let current: ProjectSettings

  init(_ table: LuaTable, in current: ProjectSettings) {
    self.table = table
    self.current = current
  }

  private static let all = ProjectSettings.settings.filter { !$0.isKept }

  /// The names in the outermost table.
  static let names = all.map(\.name)

  /// Throws `invalid-argument` for a name that is no setting, with the nearest setting at any depth.
  func refuseUnknown(beside others: [String]) throws(AuthError) {
    try refuseUnknown(table, Self.all, beside: others, in: nil)
  }

  private func refuseUnknown(
    _ table: LuaTable, _ settings: [Setting<ProjectSettings>], beside others: [String] = [],
    in path: String?
  ) throws(AuthError) {
    let names = settings.map(\.name) + others
    guard let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) else {
      return try table.refuseUnknown(names)
    }
    let near = nearestName(to: unknown, among: names)
    var remedy = near.map { "Did you mean \"\($0)\"?" }
    if near == nil, let leaf = SettingText.leaf(near: unknown) {
      remedy = "Write \(SettingText.example(of: leaf.path))."
    }
    throw AuthError(
      .invalidArgument, "There is no \"\(unknown)\" \(path.map { "in \($0)" } ?? "here").",
      field: path.map { "\($0).\(unknown)" } ?? unknown,
      remedy: remedy ?? suggestion(for: unknown, among: names))
  }

  /// Returns the changes that the table requests; all of them can be made.
  ///
  /// A setting that cannot be set may be given with its current value, so parts of `settings.get()` are accepted.
  func changes(registered: [ProviderID]) throws(AuthError) -> [Change] {
    let given = try given(table, Self.all)
    guard !given.isEmpty else {
      throw AuthError(
        .invalidArgument, "settings.set {} changes nothing.", field: "fields",
        remedy: "Name a setting: \(SettingText.changeable.map(\.name).joined(separator: ", ")).")
    }
    var changes: [Change] = []
    var changed = current
    for change in given {
      do throws(AuthError) {
        try check(change, registered: registered)
        try change.setting.set(change.value, in: &changed)
        changes.append(change)
      } catch {
        guard isCurrent(change) else { throw error }
      }
    }
    try changed.checkTogether()
    return changes
  }

  /// Returns the settings that a table names, with values of their types.
  private func given(
    _ table: LuaTable, _ settings: [Setting<ProjectSettings>]
  ) throws(AuthError) -> [Change] {
    var changes: [Change] = []
    for setting in settings {
      let given = table[setting.name]
      if given.isNil { continue }
      guard setting.members.isEmpty else {
        guard let inner = given.tableValue else { throw wrongType(setting, given) }
        let members = setting.members.filter { !$0.isKept }
        try refuseUnknown(inner, members, in: setting.path)
        changes += try self.given(inner, members)
        continue
      }
      let value = json(given)
      guard setting.isElsewhere || value.map(setting.kind.fits) == true else {
        throw wrongType(setting, given)
      }
      changes.append(Change(setting: setting, value: value ?? .null))
    }
    return changes
  }

  private func json(_ value: LuaValue) -> JSONValue? {
    // A number that is not finite is passed on and refused as out of bounds.
    if case .number(let number) = value { return .number(number) }
    return JSONValue(value)
  }

  /// Tells whether a value equals the one that `settings.get()` shows.
  private func isCurrent(_ change: Change) -> Bool {
    change.setting.value(in: current).map { JSONValue($0.lua) == change.value } ?? false
  }

  private func check(_ change: Change, registered: [ProviderID]) throws(AuthError) {
    guard case .providers = change.setting.kind, case .array(let ids) = change.value else { return }
    for id in ids.compactMap(\.stringValue) where !id.isEmpty {
      do throws(AuthError) {
        try KnownProviders.check(
          ProviderID(id), registered: registered + [.emailLink, .anonymous, .custom])
      } catch {
        var error = error
        error.field = change.setting.path
        throw error
      }
    }
  }

  private func wrongType(_ setting: Setting<ProjectSettings>, _ value: LuaValue) -> AuthError {
    var error = table.wrongType(setting.path, setting.kind.title, value)
    error.remedy = "Write \(setting.name) = … with \(setting.kind.title)."
    return error
  }
}
