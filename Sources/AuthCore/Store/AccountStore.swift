/// A store of accounts, identities, the audit and the merge journal.
///
/// A store receives whole queries and whole changes, both of them values, and may execute them in whatever way is
/// fastest. Its promises are data: `StoreCheck.all` of AuthTesting. In short:
/// - One closure is one transaction, and a closure that throws leaves nothing behind.
/// - Writers never run at the same time.
/// - An identity, or one that was replaced, has one owner in its scope. So has a verified e-mail, if the scope's
///   settings say so.
///
/// The article <doc:WriteAStore> has the smallest complete store.
public protocol AccountStore: Sendable {
  /// Runs a closure on one consistent state, concurrently with writers and other readers.
  ///
  /// The state is never older than the call. The closure may run more than once, each time from the start, and only its
  /// last run counts.
  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result

  /// Runs a closure in a transaction of its own, and durably commits or rolls back its writes.
  ///
  /// The closure may run more than once, each time from the start, and only its last run counts. Throws
  /// ``UniqueKeyConflict`` if a write conflicts with the stored data. Nothing of the transaction is then left, whatever
  /// the closure does.
  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result

  /// Returns the present settings of a scope; the defaults if none were stored.
  ///
  /// Every sign-in reads them first.
  func settings(of scope: Scope) async throws -> ProjectSettings
}

/// The source of a reader's state.
public enum ReadSource: Hashable, Sendable {
  /// The database that writers write to.
  case primary
  /// An up-to-date copy, if the store has one; for lookups and lists.
  case replica
}

/// The purpose of a transaction.
public enum TransactionPurpose: Hashable, Sendable {
  /// A change that is decided on the data it read.
  case change
  /// The removal of expired records.
  ///
  /// No other transaction waits for it or is retried because of it. Each of its queries sees everything that was
  /// committed before that query.
  case sweep
}

/// The end of a transaction, with its result.
public enum Ending<Result: Sendable>: Sendable {
  /// Commits the writes.
  case commit(Result)
  /// Rolls back the writes, after their conflicts were found.
  case takeBack(Result)

  /// The result of the closure.
  public var result: Result {
    switch self {
    case .commit(let result), .takeBack(let result): result
    }
  }
}

extension AccountStore {
  /// Reads the settings in a transaction.
  public func settings(of scope: Scope) async throws -> ProjectSettings {
    try await read { try $0.settings(of: scope) }
  }

  /// Runs a closure on one consistent state of the primary.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await read(from: .primary, body)
  }

  /// Runs a closure in a transaction, and commits its writes unless it throws.
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

/// The error for a unique key that another account's row has.
///
/// The graph treats it as a lost race and loads again.
public struct UniqueKeyConflict: Error, Hashable {
  /// The key in words, such as `identity google.com/123`.
  public let key: String

  /// Makes an error.
  public init(key: String) {
    self.key = key
  }
}

/// Reads inside one transaction, including its own writes.
///
/// A reader must not be kept beyond its transaction.
public protocol AccountReader {
  /// Returns everything that an operation needs, in one query.
  func snapshot(_ query: SnapshotQuery) throws -> Snapshot
  /// Returns one record by its key; nil if there is none.
  ///
  /// The ``StoredRecord`` has the kind that the key names.
  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord?
  /// Returns the first records of a listing, up to the limit.
  ///
  /// The ``StoredPage`` has the kind that the listing names.
  func page(_ listing: Listing, limit: Int) throws -> StoredPage
}

/// Writes inside one transaction.
///
/// A writer must not be kept beyond its transaction.
public protocol AccountWriter: AccountReader {
  /// Applies changes to a scope, in order.
  ///
  /// Throws ``UniqueKeyConflict`` if one of them conflicts with the stored data. It may be thrown here, by a later
  /// query or by the commit, and the transaction is then lost.
  func apply(_ writes: [StoreWrite], in scope: Scope) throws
}
