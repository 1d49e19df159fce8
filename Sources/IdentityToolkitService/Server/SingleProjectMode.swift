/// The emulator's answer to requests for a project other than those it was started for.
public enum SingleProjectMode: String, CaseIterable, Sendable {
  /// Every project is served.
  case off
  /// Every project is served, and the log has a warning for each other one.
  case warn
  /// Requests for another project are refused.
  case error
}
