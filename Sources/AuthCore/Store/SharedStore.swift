/// A store that several servers work on at once, and that tells each what the others changed.
///
/// A server may keep in memory what it read, as long as it forgets it when it is told to. `AccountStore`s that
/// only processes of one machine share need not be one.
public protocol SharedStore: AccountStore {
  /// Changes from now on, by any server, this one too; within two seconds of their commit.
  ///
  /// Ends with the task that listens.
  func changes() -> AsyncStream<StoreChange>

  /// Adds to counts that all servers share, and gives what each has come to, in the same order.
  ///
  /// A count need not survive the store's end, and is forgotten after its time.
  func add(_ counts: [SharedCount]) async throws -> [Int]
}

/// Something that a server may have in memory and that is not so any more.
public enum StoreChange: Hashable, Sendable {
  /// A text that is kept under a name was saved or removed.
  case checkpoint(String, Scope)
  /// The settings of a scope were saved, or the scope was deleted.
  case settings(Scope)
  /// Anything may have changed: nobody listened for a while.
  case anything
}

/// A count of events in a window of time.
public struct SharedCount: Hashable, Sendable {
  /// The name of the count; nothing that says who a person is.
  public let name: String
  /// The number to add; 0 only asks.
  public let amount: Int
  public let expiresAt: Timestamp

  public init(name: String, amount: Int, expiresAt: Timestamp) {
    self.name = name
    self.amount = amount
    self.expiresAt = expiresAt
  }
}

/// A store that hands events to workers on several servers without making them wait for each other.
public protocol OutboxTaking: AccountStore {
  /// Takes events that are due, oldest first, so that nobody else gets them before their lease is over.
  ///
  /// An event is given only when no earlier open one is about one of its accounts. Each has one attempt more
  /// than before, and its next attempt is the end of the lease.
  func takeDeliveries(
    dueBy now: Timestamp, leaseEnd: Timestamp, limit: Int
  ) async throws -> [OutboxDelivery]
}
