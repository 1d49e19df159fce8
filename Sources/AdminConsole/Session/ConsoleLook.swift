import Foundation
import TerminalOutput

/// The form in which one console shows things; `set` and the backslash commands change it.
final class ConsoleLook {
  /// The form of tables.
  var records = TerminalProfile.RecordLayout.automatic
  /// The zone of the times that people see; data keeps UTC.
  var zone: TimeZone
  /// The zone of the admin's machine, if that is another one.
  private var distantZone: TimeZone?
  /// The program that shows what is longer than the screen.
  var pager: Pager.Choice
  /// Prints the time that each statement takes.
  var isTiming = false
  /// True once a script printed something.
  var hasPrinted = false
  /// True at a prompt, where a pager may take the terminal.
  var isConversation = false

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    zone = Self.zone(named: environment["TZ"]) ?? .current
    pager = Pager.Choice(environment: environment)
  }

  /// The zone of a name such as `Europe/Paris`; nil for any other text.
  ///
  /// As in `TZ`, a colon may precede the name, and an empty name is UTC.
  static func zone(named name: String?) -> TimeZone? {
    guard var name else { return nil }
    if name.hasPrefix(":") { name.removeFirst() }
    if ["", "UTC", "GMT", "Etc/UTC"].contains(name) { return .gmt }
    return TimeZone(identifier: name)
  }

  /// Takes the zone of the admin's machine, unless it was taken before and the admin has chosen another one since.
  func take(_ zone: TimeZone) {
    guard zone != distantZone else { return }
    distantZone = zone
    self.zone = zone
  }

  func applied(to profile: TerminalProfile) -> TerminalProfile {
    var profile = profile
    (profile.records, profile.zone) = (records, zone)
    return profile
  }
}
