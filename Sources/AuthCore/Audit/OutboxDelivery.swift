/// An event on its way to whoever was to hear of it, and how its delivery goes.
///
/// Whoever delivers first moves ``nextAttemptAt`` into the future and counts the attempt, in one transaction, so that
/// of several deliverers one takes it, and it becomes due again where that one dies. A delivery comes at
/// least once; the event's ID tells a repetition.
public struct OutboxDelivery: Hashable, Sendable, Codable {
  public let event: AuditEvent
  /// How often somebody set out to deliver it.
  public var attempts: Int
  /// From when on it is due.
  public var nextAttemptAt: Timestamp
  /// Whether it was given up; then it waits for an admin.
  public var isDead: Bool

  public init(
    event: AuditEvent, attempts: Int = 0, nextAttemptAt: Timestamp = Timestamp(milliseconds: 0),
    isDead: Bool = false
  ) {
    self.event = event
    self.attempts = attempts
    self.nextAttemptAt = nextAttemptAt
    self.isDead = isDead
  }
}
