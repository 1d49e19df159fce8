/// A store that several servers use at once, and that notifies each of the others' changes.
///
/// A server may cache what it reads if it drops the cached data when notified. A store that only processes of one
/// machine share need not conform.
public protocol SharedStore: AccountStore {
  /// Returns the changes from now on by any server, this one included, within two seconds of their commit.
  ///
  /// The stream ends with the task that iterates over it.
  func changes() -> AsyncStream<StoreChange>

  /// Adds to counts that all servers share, and returns the new totals in the same order.
  ///
  /// A count may be lost with the store's process, and expires after its time.
  func add(_ counts: [SharedCount]) async throws -> [Int]
}

/// A change that makes cached data of a server outdated.
public enum StoreChange: Hashable, Sendable {
  /// A text that is stored under a name was saved or removed.
  case checkpoint(String, Scope)
  /// The settings of a scope were saved, or the scope was deleted.
  case settings(Scope)
  /// Anything may have changed, because notifications were missed.
  case anything
}

/// A count of events in a time window.
public struct SharedCount: Hashable, Sendable {
  /// The name of the count, which must not identify a person.
  public let name: String
  /// The number to add; 0 to read only.
  public let amount: Int
  /// The end of the time window.
  public let expiresAt: Timestamp

  /// Makes a count.
  public init(name: String, amount: Int, expiresAt: Timestamp) {
    self.name = name
    self.amount = amount
    self.expiresAt = expiresAt
  }
}

/// A store that gives events to workers on several servers without making them wait for each other.
public protocol OutboxTaking: AccountStore {
  /// Leases due events, oldest first, so that no other worker gets them before the lease ends.
  ///
  /// An event is leased only if no earlier open one is about one of its accounts. Each has one more attempt than
  /// before, and its next attempt is at the end of the lease.
  func takeDeliveries(
    dueBy now: Timestamp, leaseEnd: Timestamp, limit: Int
  ) async throws -> [OutboxDelivery]
}
