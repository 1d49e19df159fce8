import AuthCore
import SQLiteStore
import Synchronization

/// A store in memory that several servers of a test share, and that announces every write.
final class SharedDouble: SharedStore, OutboxTaking {
  struct IsDown: Error {}

  private struct State {
    var listeners: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var number = 0
    var counts: [String: Int] = [:]
    var told: [SharedCount] = []
    var isDown = false
  }

  private let store: SQLiteStore
  private let state = Mutex(State())

  init() throws {
    store = try SQLiteStore.inMemory()
  }

  /// True if every access fails.
  var isDown: Bool {
    get { state.withLock(\.isDown) }
    set { state.withLock { $0.isDown = newValue } }
  }

  /// The counts that servers reported.
  var told: [SharedCount] { state.withLock(\.told) }

  private func mustBeUp() throws {
    if isDown { throw IsDown() }
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try mustBeUp()
    return try await store.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try mustBeUp()
    let result = try await store.transact(purpose, body)
    guard purpose == .change else { return result }
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(.anything) }
    return result
  }

  func changes() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream<StoreChange>.makeStream()
    let number = state.withLock { state in
      state.number += 1
      state.listeners[state.number] = continuation
      return state.number
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    continuation.yield(.anything)
    return stream
  }

  func add(_ counts: [SharedCount]) async throws -> [Int] {
    try mustBeUp()
    return state.withLock { state in
      state.told += counts
      return counts.map { count in
        state.counts[count.name, default: 0] += count.amount
        return state.counts[count.name, default: 0]
      }
    }
  }

  func takeDeliveries(
    dueBy now: Timestamp, leaseEnd: Timestamp, limit: Int
  ) async throws -> [OutboxDelivery] {
    try mustBeUp()
    return try await store.write { writer in
      var taken: [OutboxDelivery] = []
      var held: Set<AccountID> = []
      for var delivery in try writer.openDeliveries(after: 0, limit: 10_000) {
        let accounts = Set(
          delivery.event.relatedIDs + [delivery.event.accountID].compactMap(\.self))
        let isFree = held.isDisjoint(with: accounts)
        held.formUnion(accounts)
        guard isFree, delivery.nextAttemptAt <= now, taken.count < limit else { continue }
        delivery.attempts += 1
        delivery.nextAttemptAt = leaseEnd
        try writer.save(delivery)
        taken.append(delivery)
      }
      return taken
    }
  }
}
