import Synchronization

/// Brings events from the outbox to a sink: each at least once, those of one account in order.
///
/// Any number of them may run on one store; whoever takes an event first has it for a while. What fails comes
/// again with growing pauses, and holds back what comes later for the same account; after too many attempts it
/// is given up, and waits for an admin. On a store that is ``OutboxTaking`` workers do not wait for each other.
public struct OutboxWorker: Sendable {
  /// How deliveries are repeated.
  public struct Schedule: Sendable, Hashable {
    /// The pause after the first failure, in seconds; each further one doubles it.
    public var firstPause: Int64 = 5
    public var longestPause: Int64 = 3600
    public var attempts = 12
    /// For how many seconds an event is its taker's.
    public var lease: Int64 = 120
    /// How many events are taken at once.
    public var batch = 32
    /// How long nothing is looked for where nothing was due.
    public var rest = Duration.seconds(1)

    public init() {}

    /// How long an event waits after so many failures, in seconds.
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
      // What the store throws now it may not throw later; events stay where they are.
      let delivered = (try? await deliverOnce()) ?? 0
      if delivered == 0 { try? await Task.sleep(for: schedule.rest) }
    }
  }

  /// Has the store keep events for this worker from now on.
  ///
  /// A worker registers itself when it first delivers. Call this before the first operation whose event must arrive. A
  /// worker that is away for more than a week misses what happens after that.
  public func register() async throws {
    let now = clock()
    guard registration.isDue(at: now) else { return }
    try await OutboxConsumer.note(store, at: now)
    registration.note(now)
  }

  /// Delivers what is due, as far as one batch goes; gives how many events arrived.
  ///
  /// Throws what the store throws.
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

  /// Events whose delivery was given up, oldest first, beginning behind a sequence.
  public func deadLetters(
    after sequence: Int64 = 0, limit: Int
  ) async throws -> [OutboxDelivery] {
    try await store.read { try $0.deadDeliveries(after: sequence, limit: limit) }
  }

  /// Has an event that was given up delivered again; throws `event-not-found`.
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

  /// Leaves events as they were before they were taken.
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

  /// Says how deliveries go, unless somebody else took them because the lease was over.
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

  /// Whether enough of the lease is left to deliver one more event before somebody else takes it.
  private func hasTime(for delivery: OutboxDelivery) -> Bool {
    clock() < delivery.nextAttemptAt.adding(seconds: -schedule.lease / 2)
  }
}

/// When a worker last said that it is there.
private final class Registration: Sendable {
  private let noted = Mutex<Timestamp?>(nil)

  func isDue(at now: Timestamp) -> Bool {
    noted.withLock { noted in
      noted.map { abs(now.milliseconds - $0.milliseconds) >= OutboxConsumer.period * 1000 } ?? true
    }
  }

  func note(_ now: Timestamp) { noted.withLock { $0 = now } }
}
