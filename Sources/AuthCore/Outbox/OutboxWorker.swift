/// Brings events from the outbox to a sink: each at least once, those of one account in order.
///
/// Any number of them may run on one store; whoever takes an event first has it for a while. What fails comes
/// again with growing pauses, and holds back what comes later for the same account; after too many attempts it
/// is given up, and waits for an admin.
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

  private let store: any AccountStore
  private let sink: any OutboxSink
  private let schedule: Schedule
  private let clock: @Sendable () -> Timestamp

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

  /// Delivers what is due, as far as one batch goes; gives how many events arrived.
  ///
  /// Throws what the store throws.
  @discardableResult
  public func deliverOnce() async throws -> Int {
    let taken = try await take()
    var delivered = 0
    var held: Set<AccountID> = []
    for (index, delivery) in taken.enumerated() {
      guard held.isDisjoint(with: delivery.event.accounts) else {
        held.formUnion(delivery.event.accounts)
        try await giveBack(delivery)
        continue
      }
      do {
        try await sink.deliver(delivery.event)
      } catch is CancellationError {
        for rest in taken[index...] { try await giveBack(rest) }
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

  private static let mostDropped = 2000

  private static func page(
    _ read: () throws -> [OutboxDelivery]
  ) rethrows -> [OutboxDelivery]? {
    let page = try read()
    return page.isEmpty ? nil : page
  }

  /// Takes what is due and not held back, and drops what nobody wants to hear of.
  private func take() async throws -> [OutboxDelivery] {
    let now = clock()
    let schedule = schedule
    let isAnythingThere = try await store.read {
      try !$0.deliveries(dueBy: now, limit: 1).isEmpty
    }
    guard isAnythingThere else { return [] }
    return try await store.write { writer in
      var taken: [OutboxDelivery] = []
      var held: Set<AccountID> = []
      var after: Int64 = 0
      var dropped = 0
      // One transaction does not hold other writers up for long; the next one goes on.
      while dropped < Self.mostDropped,
        let page = try Self.page({ try writer.openDeliveries(after: after, limit: 200) })
      {
        for delivery in page {
          after = delivery.event.sequence
          guard delivery.event.concernsApps else {
            try writer.removeDelivery(after)
            dropped += 1
            continue
          }
          let accounts = delivery.event.accounts
          guard delivery.nextAttemptAt <= now, held.isDisjoint(with: accounts) else {
            held.formUnion(accounts)
            continue
          }
          var mine = delivery
          mine.attempts += 1
          mine.nextAttemptAt = now.adding(seconds: schedule.lease)
          try writer.save(mine)
          taken.append(mine)
          if taken.count == schedule.batch { return taken }
        }
      }
      return taken
    }
  }

  private func fail(_ delivery: OutboxDelivery) async throws {
    var failed = delivery
    failed.isDead = delivery.attempts >= schedule.attempts
    failed.nextAttemptAt = clock().adding(seconds: schedule.pause(after: delivery.attempts))
    let kept = failed
    try await store.write { try $0.save(kept) }
  }

  /// Leaves an event as it was before it was taken.
  private func giveBack(_ delivery: OutboxDelivery) async throws {
    var open = delivery
    open.attempts -= 1
    open.nextAttemptAt = clock()
    let kept = open
    try await store.write { try $0.save(kept) }
  }
}
