/// The numbers of records that a sweep removed.
public struct SweepOutcome: Hashable, Sendable {
  /// Expired codes, pending sign-ins, marks of use and counts.
  public var oneTimeRecords = 0
  /// Sessions that could not continue, or were unused beyond the retention in the settings.
  public var sessions = 0
  /// Events beyond the retention in the settings.
  public var events = 0
  /// Decisions of merge policies beyond the retention in the settings.
  public var decisions = 0
  /// Deliveries for a webhook that is no longer configured.
  public var deliveries = 0

  /// Makes an outcome without removals.
  public init() {}

  /// The total of removed records.
  public var total: Int { oneTimeRecords + sessions + events + decisions + deliveries }
}
