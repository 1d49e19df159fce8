import AuthCore
import AuthTesting
import Synchronization
import Testing
import TestSupport

@Suite struct `Delivering the outbox` {
  let home = TestHome()
  let sink = CollectingSink()

  init() async throws {
    try await OutboxConsumer.note(home.store, at: home.clock.now)
  }

  private func worker(attempts: Int = 12) -> OutboxWorker {
    var schedule = OutboxWorker.Schedule()
    schedule.attempts = attempts
    let clock = home.clock
    return OutboxWorker(store: home.store, sink: sink, schedule: schedule, clock: { clock.now })
  }

  private func deliverAll(_ worker: OutboxWorker) async throws {
    while try await worker.deliverOnce() > 0 {}
  }

  @Test func `apps hear their events once and in order`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    _ = try await home.signIn(home.credential("1"))
    await expectError(.providerAlreadyLinked) {
      try await home.graph.link(home.credential("7"), to: ada.id, by: home.session(ada.id))
    }
    _ = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    try await home.update(ada.id) { $0.displayName = .set("Ada") }
    let bo = try await home.signIn(home.credential("2")).account
    let plan = try await home.graph.planMerge(
      keep: ada.id, absorb: bo.id, rules: MergeRules(), in: home.scope)
    let merge = try await home.graph.commit(plan, by: home.admin)

    let worker = worker()
    try await deliverAll(worker)
    try await deliverAll(worker)

    #expect(sink.events.map(\.action) == [.signIn, .link, .signIn, .merge])
    #expect(sink.events.last?.id == merge.id && sink.events.last?.mergedFrom == [bo.id])
    #expect(try await home.store.read { try $0.outbox(after: 0, limit: 10) }.isEmpty)
    #expect(try await home.graph.events(limit: 100, in: home.scope).count == 7)
  }

  @Test func `a failed event comes again later, and holds back its own account alone`() async throws
  {
    let ada = try await home.signIn(home.credential("1")).account
    let bo = try await home.signIn(home.credential("2")).account
    _ = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: ada.id, by: home.session(ada.id))
    sink.fail { $0.accountID == ada.id }
    let worker = worker()
    #expect(try await worker.deliverOnce() == 1)
    #expect(sink.events.map(\.accountID) == [bo.id])
    #expect(sink.attempts == 2, "the second event of the account was not tried")
    #expect(try await worker.deliverOnce() == 0)
    #expect(sink.attempts == 2, "it was tried before its time")

    home.clock.advance(seconds: 5)
    #expect(try await worker.deliverOnce() == 0)
    #expect(sink.attempts == 3)
    sink.fail { _ in false }
    home.clock.advance(seconds: 9)
    #expect(try await worker.deliverOnce() == 0, "the pause doubles")
    home.clock.advance(seconds: 1)
    #expect(try await worker.deliverOnce() == 2)
    #expect(sink.events.map(\.action) == [.signIn, .signIn, .link])
  }

  @Test func `after too many attempts it waits for an admin, and later events go on`() async throws
  {
    let ada = try await home.signIn(home.credential("1"))
    _ = try await home.graph.link(
      home.credential("9", provider: TestHome.other), to: ada.account.id,
      by: home.session(ada.account.id))
    sink.fail { $0.action == .signIn }
    let worker = worker(attempts: 3)
    for _ in 0..<3 {
      #expect(try await worker.deliverOnce() == 0)
      home.clock.advance(seconds: 3600)
    }
    #expect(try await worker.deliverOnce() == 1)
    #expect(try await worker.deadLetters(limit: 10).map(\.event.id) == [ada.receipt.id])
    #expect(try await worker.deliverOnce() == 0)
    await expectError(.eventNotFound) { try await worker.retryDeadLetter("no such event") }
    sink.fail { _ in false }
    try await worker.retryDeadLetter(ada.receipt.id)
    #expect(try await worker.deliverOnce() == 1)
    #expect(try await worker.deadLetters(limit: 10).isEmpty)
  }

  @Test func `several workers deliver each event once`() async throws {
    var expected: [AccountID] = []
    for number in 0..<100 {
      expected.append(try await home.signIn(home.credential("\(number)")).account.id)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try await deliverAll(worker()) }
      }
      try await group.waitForAll()
    }
    #expect(sink.events.count == 100)
    #expect(Set(sink.events.compactMap(\.accountID)) == Set(expected))
  }

  @Test func `an event whose taker died comes again`() async throws {
    _ = try await home.signIn(home.credential("1"))
    sink.cancel()
    await #expect(throws: CancellationError.self) { try await worker().deliverOnce() }
    #expect(try await worker().deliverOnce() == 1, "a cancelled one is given back")
    _ = try await home.signIn(home.credential("2"))
    let now = home.clock.now
    try await home.store.write { writer in
      for var delivery in try writer.openDeliveries(after: 0, limit: 10) {
        delivery.nextAttemptAt = now.adding(seconds: 120)
        try writer.save(delivery)
      }
    }
    #expect(try await worker().deliverOnce() == 0)
    home.clock.advance(seconds: 120)
    #expect(try await worker().deliverOnce() == 1)
  }

  @Test func `a worker runs until it is cancelled`() async throws {
    _ = try await home.signIn(home.credential("1"))
    let worker = worker()
    let task = Task { await worker.run() }
    await sink.waitForOne()
    task.cancel()
    await task.value
    #expect(sink.events.count == 1)
  }
}

/// A sink that keeps the delivered events.
final class CollectingSink: OutboxSink {
  private struct State {
    var events: [AuditEvent] = []
    var attempts = 0
    var fails: @Sendable (AuditEvent) -> Bool = { _ in false }
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let arrivals = AsyncStream<Void>.makeStream()

  var events: [AuditEvent] { state.withLock(\.events) }
  var attempts: Int { state.withLock(\.attempts) }

  func fail(_ fails: @escaping @Sendable (AuditEvent) -> Bool) {
    state.withLock { $0.fails = fails }
  }

  /// Makes the next delivery fail as cancelled.
  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  func waitForOne() async {
    for await _ in arrivals.stream { return }
  }

  func deliver(_ event: AuditEvent) async throws {
    try state.withLock { state in
      if state.isCancelled {
        state.isCancelled = false
        throw CancellationError()
      }
      state.attempts += 1
      if state.fails(event) { throw Failed(description: "no server") }
      state.events.append(event)
    }
    arrivals.continuation.yield()
  }
}
