import AuthCore
import NIOConcurrencyHelpers

/// A store that answers late, refuses before a commit, or does not answer after one, as the seed decides.
///
/// Every commit is recorded in the ledger before another task continues.
final class SimulatedStore: AccountStore {
  let base: any AccountStore
  let ledger: CommitLedger
  private let scheduler: SimulationScheduler

  init(_ base: any AccountStore, ledger: CommitLedger, scheduler: SimulationScheduler) {
    (self.base, self.ledger, self.scheduler) = (base, ledger, scheduler)
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    await scheduler.pause()
    try failNowAndThen(oneIn: 80)
    let result = try await base.read(from: source, body)
    await scheduler.pause()
    return result
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    await scheduler.pause()
    try failNowAndThen(oneIn: 30)
    ledger.begin()
    let result: Result
    let tape = WriteTape()
    do {
      result = try await base.transact(purpose) { writer in
        tape.begin()
        let ending = try body(RecordingWriter(base: writer, tape: tape))
        if case .takeBack = ending { tape.begin() }
        return ending
      }
    } catch {
      ledger.commit([])
      throw error
    }
    ledger.commit(tape.writes)
    await scheduler.pause(atMost: scheduler.happens(oneIn: 20) ? 60_000 : 20)
    if scheduler.happens(oneIn: 30) {
      throw AuthError(
        .unsureCommit, "The answer of the commit was lost.",
        remedy: "Look for the change before you try again.", step: .commit)
    }
    return result
  }

  private func failNowAndThen(oneIn count: Int) throws {
    guard scheduler.happens(oneIn: count) else { return }
    throw AuthError(.storeUnavailable, "The store is away.", remedy: "Try again.")
  }
}

/// The writes of a transaction; only its last run counts.
private final class WriteTape: Sendable {
  private let box = NIOLockedValueBox<[StoreWrite]>([])

  var writes: [StoreWrite] { box.withLockedValue(\.self) }

  func begin() { box.withLockedValue { $0 = [] } }

  func add(_ writes: [StoreWrite]) { box.withLockedValue { $0 += writes } }
}

private struct RecordingWriter: AccountWriter {
  let base: any AccountWriter
  let tape: WriteTape

  func snapshot(_ query: SnapshotQuery) throws -> Snapshot { try base.snapshot(query) }

  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord? {
    try base.record(key, in: scope)
  }

  func page(_ listing: Listing, limit: Int) throws -> StoredPage {
    try base.page(listing, limit: limit)
  }

  func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    try base.apply(writes, in: scope)
    tape.add(writes)
  }
}

/// A server's access to the store, with a cache of the settings for a few reads.
final class SimulatedServerStore: AccountStore {
  private let store: SimulatedStore
  private let scheduler: SimulationScheduler
  private let kept = NIOLockedValueBox<(settings: ProjectSettings, uses: Int)?>(nil)

  init(_ store: SimulatedStore, scheduler: SimulationScheduler) {
    (self.store, self.scheduler) = (store, scheduler)
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await store.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try await store.transact(purpose, body)
  }

  func settings(of scope: Scope) async throws -> ProjectSettings {
    let known = kept.withLockedValue { kept -> ProjectSettings? in
      guard let now = kept, now.uses > 0 else { return nil }
      kept = (now.settings, now.uses - 1)
      return now.settings
    }
    if let known { return known }
    let settings = try await store.settings(of: scope)
    let uses = scheduler.number(below: 8)
    kept.withLockedValue { $0 = (settings, uses) }
    return settings
  }
}
