/// A condition that a person has to meet before a change; a script asks for it.
public enum Requirement: Sendable, Hashable {
  /// The session was opened with a second factor.
  case secondFactor
  /// The session was opened at most this many seconds ago.
  case recentLogin(seconds: Int64)
  /// An admin approves the change.
  case approval
}
