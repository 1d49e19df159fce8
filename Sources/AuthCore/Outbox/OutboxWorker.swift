import Synchronization

/// Delivers events from the outbox to a sink: each at least once, and those of one account in order.
///
/// Several workers may run on one store; a lease gives each event to one of them. A failed delivery is repeated with
/// growing pauses, and blocks later events of the same account. After too many attempts it is given up, and waits for
/// an admin. On an ``OutboxTaking`` store, workers do not wait for each other.
public struct OutboxWorker: Sendable {
  /// The times and limits of deliveries.
  public struct Schedule: Sendable, Hashable {
    /// The pause after the first failure, in seconds; each further one doubles it.
    public var firstPause: Int64 = 5
    /// The longest pause, in seconds.
    public var longestPause: Int64 = 3600
    /// The number of attempts before a delivery is given up.
    public var attempts = 12
    /// The duration of a lease in seconds.
    public var lease: Int64 = 120
    /// The number of events in a batch.
    public var batch = 32
    /// The pause after a query that found no due event.
    public var rest = Duration.seconds(1)

    /// Makes the usual schedule.
    public init() {}

    /// Returns the pause in seconds after a number of failures.
    func pause(after attempts: Int) -> Int64 {
      let doublings = min(max(0, attempts - 1), 30)
      return min(longestPause, firstPause << doublings)
    }
  }

  let store: any AccountStore
  private let sink: any OutboxSink
  let schedule: Schedule
  let clock: @Sendable () -> Timestamp
  private let registration = Registration()

  /// Makes a worker; it registers itself at its first delivery.
  public init(
    store: any AccountStore, sink: any OutboxSink, schedule: Schedule = Schedule(),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.store = store
    self.sink = sink
    self.schedule = schedule
    self.clock = clock
  }

  /// Delivers until its task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      // An error of the store may pass; the events stay where they are.
      let delivered = (try? await deliverOnce()) ?? 0
      if delivered == 0 { try? await Task.sleep(for: schedule.rest) }
    }
  }

  /// Registers the worker, so that the store keeps events for it from now on.
  ///
  /// A worker registers itself at its first delivery. Call this before the first operation whose event must arrive. A
  /// worker that is away for more than a week misses the events after that.
  public func register() async throws {
    let now = clock()
    guard registration.isDue(at: now) else { return }
    try await OutboxConsumer.note(store, at: now)
    registration.note(now)
  }

  /// Delivers one batch of due events; returns the number delivered.
  ///
  /// Throws an error of the store.
  @discardableResult
  public func deliverOnce() async throws -> Int {
    try await register()
    let taken = try await take()
    var delivered = 0
    var held: Set<AccountID> = []
    for (index, delivery) in taken.enumerated() {
      guard hasTime(for: delivery) else {
        try await giveBack(taken[index...])
        return delivered
      }
      guard held.isDisjoint(with: delivery.event.accounts) else {
        held.formUnion(delivery.event.accounts)
        try await giveBack([delivery])
        continue
      }
      do {
        try await sink.deliver(delivery.event)
      } catch is CancellationError {
        try await giveBack(taken[index...])
        throw CancellationError()
      } catch {
        held.formUnion(delivery.event.accounts)
        try await fail(delivery)
        continue
      }
      try await store.write { try $0.removeDelivery(delivery.event.sequence) }
      delivered += 1
    }
    return delivered
  }

  /// Returns events whose delivery was given up, oldest first, after a sequence.
  public func deadLetters(
    after sequence: Int64 = 0, limit: Int
  ) async throws -> [OutboxDelivery] {
    try await store.read { try $0.deadDeliveries(after: sequence, limit: limit) }
  }

  /// Schedules a dead letter for delivery again; throws `event-not-found`.
  public func retryDeadLetter(_ id: String) async throws {
    try await store.write { writer in
      var after: Int64 = 0
      while let page = try Self.page({ try writer.deadDeliveries(after: after, limit: 500) }) {
        if let found = page.first(where: { $0.event.id == id }) {
          return try writer.save(OutboxDelivery(event: found.event))
        }
        after = page.last?.event.sequence ?? .max
      }
      throw AuthError.eventNotFound(id)
    }
  }

  static func page(
    _ read: () throws -> [OutboxDelivery]
  ) rethrows -> [OutboxDelivery]? {
    let page = try read()
    return page.isEmpty ? nil : page
  }

  private func fail(_ delivery: OutboxDelivery) async throws {
    var failed = delivery
    failed.isDead = delivery.attempts >= schedule.attempts
    failed.nextAttemptAt = clock().adding(seconds: schedule.pause(after: delivery.attempts))
    try await replace([(delivery, failed)])
  }

  /// Ends the leases of undelivered events, which are due at once.
  private func giveBack(_ deliveries: some Sequence<OutboxDelivery>) async throws {
    let now = clock()
    try await replace(
      deliveries.map { delivery in
        var open = delivery
        open.attempts -= 1
        open.nextAttemptAt = now
        return (delivery, open)
      })
  }

  /// Stores the state of deliveries, unless another worker leased them after this lease ended.
  private func replace(_ changes: [(mine: OutboxDelivery, new: OutboxDelivery)]) async throws {
    try await store.write { writer in
      for (mine, new) in changes {
        let sequence = mine.event.sequence
        let now = try writer.openDeliveries(after: sequence - 1, limit: 1).first
        guard let now, now.event.sequence == sequence, now.attempts == mine.attempts,
          now.nextAttemptAt == mine.nextAttemptAt
        else { continue }
        try writer.save(new)
      }
    }
  }

  /// Tells whether enough of the lease is left to deliver one more event.
  private func hasTime(for delivery: OutboxDelivery) -> Bool {
    clock() < delivery.nextAttemptAt.adding(seconds: -schedule.lease / 2)
  }
}

/// The time at which a worker last noted its presence.
private final class Registration: Sendable {
  private let noted = Mutex<Timestamp?>(nil)

  func isDue(at now: Timestamp) -> Bool {
    noted.withLock { noted in
      noted.map { abs(now.milliseconds - $0.milliseconds) >= OutboxConsumer.period * 1000 } ?? true
    }
  }

  func note(_ now: Timestamp) { noted.withLock { $0 = now } }
}
