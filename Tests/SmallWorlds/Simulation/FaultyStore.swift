import AuthCore
import NIOConcurrencyHelpers

/// A fault of a store, planted to see that the auditor finds it.
package enum StoreFault: String, CaseIterable, Sendable {
  /// Reports a commit that was rolled back.
  case lostCommits
  /// Reports a failure after a commit.
  case deniedCommits
  /// Commits, and runs the transaction again.
  case repeatedTransactions
  /// Decides on old rows, and overwrites newer ones.
  case ignoredRevisions
}

/// A store with a fault, which shows in some of its transactions.
final class FaultyStore: AccountStore {
  private let base: any AccountStore
  private let fault: StoreFault
  private let scheduler: SimulationScheduler
  private let old = OldReader()

  init(_ base: any AccountStore, _ fault: StoreFault, scheduler: SimulationScheduler) {
    (self.base, self.fault, self.scheduler) = (base, fault, scheduler)
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await base.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    guard scheduler.happens(oneIn: 8) else {
      let result = try await base.transact(purpose, body)
      if fault == .ignoredRevisions && scheduler.happens(oneIn: 3) {
        let old = old
        try await base.read { old.reader = $0 }
      }
      return result
    }
    switch fault {
    case .lostCommits:
      return try await base.transact(purpose) { .takeBack(try body($0).result) }
    case .deniedCommits:
      _ = try await base.transact(purpose, body)
      throw AuthError(.storeUnavailable, "The store is away.", remedy: "Try again.")
    case .repeatedTransactions:
      _ = try await base.transact(purpose, body)
      return try await base.transact(purpose, body)
    case .ignoredRevisions:
      let old = old
      return try await base.transact(purpose) { writer in
        guard let reader = old.reader else { return try body(writer) }
        return try body(CarelessWriter(base: writer, old: reader))
      }
    }
  }
}

/// A snapshot of earlier rows.
///
/// It takes no locks and is safe all the same: the scheduler runs one task at a time on one thread.
private final class OldReader: @unchecked Sendable {
  var reader: (any AccountReader)?
}

private struct CarelessWriter: AccountWriter {
  let base: any AccountWriter
  let old: any AccountReader

  func snapshot(_ query: SnapshotQuery) throws -> Snapshot { try old.snapshot(query) }

  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord? {
    try old.record(key, in: scope)
  }

  func page(_ listing: Listing, limit: Int) throws -> StoredPage {
    try old.page(listing, limit: limit)
  }

  func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    try base.apply(
      try writes.map { write in
        guard case .update(let account, let old) = write else { return write }
        return .update(account, replacing: try base.account(old.id, in: scope) ?? old)
      }, in: scope)
  }
}
