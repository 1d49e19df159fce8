/// Keeps accounts, identities, the audit and the merge journal.
///
/// A store gets whole questions and whole changes, both of them values, and may ask and write them in whatever way is
/// fastest. Its promises are data: `StoreCheck.all` of AuthTesting. In short: one closure is one transaction; writers never
/// run at the same time; a closure that throws leaves nothing behind; an identity, or one that was replaced, has one owner
/// in its scope, and so has a verified e-mail if the scope's settings say so. The article <doc:WriteAStore> has the smallest
/// complete store.
public protocol AccountStore: Sendable {
  /// Runs a closure on one consistent state, beside writers and other readers.
  ///
  /// The state is never older than the moment of the call. The closure may run more than once, each time from the start:
  /// only its last run counts.
  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result

  /// Runs a closure in a transaction of its own, and commits what it wrote, durably, or takes it back.
  ///
  /// The closure may run more than once, each time from the start: only its last run counts. Throws
  /// ``UniqueKeyConflict`` if a write is in the way of what the store holds; nothing of the transaction is then left,
  /// whatever the closure does.
  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result

  /// The settings of a scope as they are now; the defaults if none were stored.
  ///
  /// Every sign-in asks for them before anything else.
  func settings(of scope: Scope) async throws -> ProjectSettings
}

/// The source of a reader's state.
public enum ReadSource: Hashable, Sendable {
  /// The place that writers write to.
  case primary
  /// A copy, if the store has one that is up to date: for lookups and lists.
  case replica
}

/// The purpose of a transaction.
public enum TransactionPurpose: Hashable, Sendable {
  /// A change that is decided on what it read.
  case change
  /// The removal of expired records.
  ///
  /// No other transaction waits for it or has to run again because of it. Each of its questions sees what was committed
  /// before that question.
  case sweep
}

/// The end of a transaction, with its result.
public enum Ending<Result: Sendable>: Sendable {
  case commit(Result)
  /// Takes back what was written, after whatever is in the way of it was found.
  case takeBack(Result)

  public var result: Result {
    switch self {
    case .commit(let result), .takeBack(let result): result
    }
  }
}

extension AccountStore {
  public func settings(of scope: Scope) async throws -> ProjectSettings {
    try await read { try $0.settings(of: scope) }
  }

  /// Runs a closure on one consistent state of the place where writers write.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await read(from: .primary, body)
  }

  /// Runs a closure in a transaction of its own and commits what it wrote, or nothing if it throws.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    try await transact(.change) { .commit(try body($0)) }
  }

  /// Runs a closure that removes expired records.
  public func sweep<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountWriter) throws -> Result
  ) async throws -> Result {
    try await transact(.sweep) { .commit(try body($0)) }
  }
}

/// Thrown if a row of another account is in the way of a unique key.
///
/// The pipeline takes it for a lost race and loads again.
public struct UniqueKeyConflict: Error, Hashable {
  public let key: String

  public init(key: String) {
    self.key = key
  }
}

/// Looks things up inside one transaction, and sees its writes.
///
/// Not to be kept beyond it.
public protocol AccountReader {
  /// Everything that an operation may look at.
  func snapshot(_ query: SnapshotQuery) throws -> Snapshot
  /// One record by its key; nil if it is not there.
  ///
  /// Gives ``StoredRecord`` of the kind that the key names.
  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord?
  /// The first records of a listing, at most so many.
  ///
  /// Gives the ``StoredPage`` that the listing names.
  func page(_ listing: Listing, limit: Int) throws -> StoredPage
}

/// Changes things inside one transaction.
///
/// Not to be kept beyond it.
public protocol AccountWriter: AccountReader {
  /// Makes changes of a scope, in this order.
  ///
  /// Throws ``UniqueKeyConflict``, here, at a later question or when the transaction commits, if one of them is in the way of
  /// what the store holds. The transaction is then lost.
  func apply(_ writes: [StoreWrite], in scope: Scope) throws
}
