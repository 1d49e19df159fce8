import AuthCore
import AuthTesting
import Synchronization
import Testing

/// A sink that records events, fails now and then, and notices two simultaneous events of one account.
private final class SharedSink: OutboxSink {
  struct Refused: Error {}

  private struct State {
    var random: SeededGenerator
    var arrived: [AccountID: [String]] = [:]
    var onTheWay: [AccountID: Int] = [:]
    var collisions = 0
  }

  private let state: Mutex<State>

  init(seed: UInt64) {
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  var arrived: [AccountID: [String]] { state.withLock(\.arrived) }
  var collisions: Int { state.withLock(\.collisions) }

  func deliver(_ event: AuditEvent) async throws {
    guard let account = event.accountID else { throw Refused() }
    let fails = state.withLock { state in
      state.onTheWay[account, default: 0] += 1
      if state.onTheWay[account, default: 0] > 1 { state.collisions += 1 }
      return Int.random(in: 0..<5, using: &state.random) == 0
    }
    await Task.yield()
    try state.withLock { state in
      state.onTheWay[account, default: 0] -= 1
      if fails { throw Refused() }
      state.arrived[account, default: []].append(event.id)
    }
  }
}

@Suite struct `Outbox workers of several servers` {
  private let clock = FixedClock()
  private static let accounts = 20
  private static let eventsOfEach = 10

  private func fill(_ store: any AccountStore) async throws {
    try await OutboxConsumer.note(store, at: clock.now)
    for number in 0..<Self.eventsOfEach {
      for account in 0..<Self.accounts {
        let event = AuditEvent(
          id: "\(account)-\(number)", scope: ServerPair.scope, at: clock.now, actor: "anyone",
          reason: nil, action: number % 3 == 1 ? .update : .link,
          accountID: AccountID("account-\(account)"))
        try await store.write { try $0.append(event) }
      }
    }
  }

  /// Returns the events of an account that apps want, in order.
  private func expected(_ account: Int) -> [String] {
    (0..<Self.eventsOfEach).filter { $0 % 3 != 1 }.map { "\(account)-\($0)" }
  }

  private func deliver(_ stores: [any AccountStore], seed: UInt64) async throws {
    let sink = SharedSink(seed: seed)
    let clock = clock
    var schedule = OutboxWorker.Schedule()
    schedule.attempts = 100
    schedule.longestPause = 5
    // The clock advances while others deliver, and no worker dies here.
    schedule.lease = 1_000_000
    let workers = stores.map { store in
      OutboxWorker(store: store, sink: sink, schedule: schedule, clock: { clock.now })
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in workers {
        group.addTask {
          for _ in 0..<2_000 {
            if try await worker.deliverOnce() > 0 { continue }
            let isEmpty = try await stores[0].read {
              try $0.openDeliveries(after: 0, limit: 1).isEmpty
            }
            if isEmpty { return }
            // A failed delivery is due again after its pause.
            clock.advance(seconds: 5)
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[0].read { try $0.outbox(after: 0, limit: 10) }.isEmpty)
    #expect(sink.collisions == 0, "seed \(seed)")
    for account in 0..<Self.accounts {
      let arrived = sink.arrived[AccountID("account-\(account)")] ?? []
      #expect(arrived == expected(account), "seed \(seed)")
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `four workers deliver every event, in order for each account`(
    _ kind: SharedKind
  ) async throws {
    let test = self
    try await kind.withStores(4) { stores in
      try await test.fill(stores[0])
      try await test.deliver(stores, seed: UInt64.random(in: 0 ... .max))
    }
  }

  @Test func `an event that its taker lost to another is the other's`() async throws {
    let store = try SharedDouble()
    try await OutboxConsumer.note(store, at: clock.now)
    let event = AuditEvent(
      id: "1", scope: ServerPair.scope, at: clock.now, actor: "anyone", reason: nil, action: .link,
      accountID: AccountID("ada"))
    try await store.write { try $0.append(event) }
    let clock = clock
    // During the delivery its lease ends, and another worker takes the event.
    let sink = TakenSink(store, clock)
    let worker = OutboxWorker(store: store, sink: sink, clock: { clock.now })
    #expect(try await worker.deliverOnce() == 0)
    let open = try await store.read { try $0.openDeliveries(after: 0, limit: 1) }
    #expect(open.first?.attempts == 2)
    #expect(open.first?.nextAttemptAt == clock.now.adding(seconds: 120))
  }

  @Test func `no delivery begins if the lease is too short for it`() async throws {
    let store = try SharedDouble()
    try await OutboxConsumer.note(store, at: clock.now)
    for name in ["ada", "bo", "cy"] {
      let event = AuditEvent(
        id: name, scope: ServerPair.scope, at: clock.now, actor: "anyone", reason: nil,
        action: .link, accountID: AccountID(name))
      try await store.write { try $0.append(event) }
    }
    let clock = clock
    let sink = SlowSink(clock, seconds: 50)
    let worker = OutboxWorker(store: store, sink: sink, clock: { clock.now })
    #expect(try await worker.deliverOnce() == 2)
    let left = try await store.read { try $0.openDeliveries(after: 0, limit: 9) }
    #expect(left.map(\.event.id) == ["cy"] && left.map(\.attempts) == [0])
    #expect(try await worker.deliverOnce() == 1)
  }
}

/// A sink that loses each event to another worker, and then fails.
private struct TakenSink: OutboxSink {
  let store: SharedDouble
  let clock: FixedClock

  init(_ store: SharedDouble, _ clock: FixedClock) {
    self.store = store
    self.clock = clock
  }

  func deliver(_ event: AuditEvent) async throws {
    clock.advance(seconds: 120)
    let taken = try await store.takeDeliveries(
      dueBy: clock.now, leaseEnd: clock.now.adding(seconds: 120), limit: 1)
    #expect(taken.map(\.event.id) == [event.id])
    throw SharedDouble.IsDown()
  }
}

/// A slow sink.
private struct SlowSink: OutboxSink {
  let clock: FixedClock
  let seconds: Int64

  init(_ clock: FixedClock, seconds: Int64) {
    self.clock = clock
    self.seconds = seconds
  }

  func deliver(_ event: AuditEvent) async throws { clock.advance(seconds: seconds) }
}
