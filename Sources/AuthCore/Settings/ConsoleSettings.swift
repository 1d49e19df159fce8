/// The requirements for the consoles of admins.
public struct ConsoleSettings: Hashable, Sendable, Codable {
  /// True to open a console in a rehearsal, so that nothing is written before `commit()`.
  ///
  /// Scripts write at once.
  public var rehearses = false
  /// True to require a reason for every session that can write.
  public var asksReason = false
  /// True to keep the inputs of every session in the audit.
  public var recordsSessions = false

  /// Makes the default settings.
  public init() {}
}

extension ConsoleSettings: SettingRecord {
  package static var blank: ConsoleSettings { ConsoleSettings() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<ConsoleSettings>] = [
    .flag("rehearses", \.rehearses, "A console opens in a rehearsal; commit() writes."),
    .flag("asksReason", \.asksReason, "A session that can write needs a reason."),
    .flag("recordsSessions", \.recordsSessions, "The audit keeps the inputs of each session."),
  ]
}
