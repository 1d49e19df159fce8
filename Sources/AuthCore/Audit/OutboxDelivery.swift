/// An event to be delivered to a consumer, with the state of its delivery.
///
/// A deliverer first moves ``nextAttemptAt`` into the future and counts the attempt, in one transaction. So only
/// one deliverer takes the event, and the event is due again if that deliverer stops. A delivery happens at least once; the
/// event's ID identifies a repetition.
public struct OutboxDelivery: Hashable, Sendable, Codable {
  /// The event to deliver.
  public let event: AuditEvent
  /// The number of attempts begun.
  public var attempts: Int
  /// The time from which the delivery is due.
  public var nextAttemptAt: Timestamp
  /// True if the delivery was given up, and waits for an admin.
  public var isDead: Bool

  /// Makes a delivery that is due at once.
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
