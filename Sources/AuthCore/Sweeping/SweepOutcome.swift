/// The numbers of what a sweep removed.
public struct SweepOutcome: Hashable, Sendable {
  /// Codes, pending sign-ins, marks of use and counts whose time was over.
  public var oneTimeRecords = 0
  /// Sessions that could not go on, or that nobody used for as long as the settings keep them.
  public var sessions = 0
  /// Events that are older than the settings keep them.
  public var events = 0
  /// Events that waited for a web service which is not configured any more.
  public var deliveries = 0

  public init() {}

  /// All of them together.
  public var total: Int { oneTimeRecords + sessions + events + deliveries }
}
