/// A store that is only read.
///
/// A transaction that is rolled back, such as that of a dry run, is decided on what is stored, and its writes are left
/// out. Every other write is refused.
public struct ReadOnlyStore: AccountStore {
  /// The store that is read.
  public let base: any AccountStore

  /// Makes a store that reads another.
  public init(_ base: any AccountStore) {
    self.base = base
  }

  public func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try await base.read(from: source, body)
  }

  public func settings(of scope: Scope) async throws -> ProjectSettings {
    try await base.settings(of: scope)
  }

  public func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    guard purpose == .change else { throw AuthError.readOnly }
    return try await base.read(from: .primary) { reader in
      let writer = IdleWriter(reader)
      switch try body(writer) {
      case .takeBack(let result): return result
      case .commit(let result):
        guard !writer.isAsked else { throw AuthError.readOnly }
        return result
      }
    }
  }
}

/// A writer that reads, and writes nothing.
private final class IdleWriter: AccountWriter {
  private let reader: any AccountReader
  /// True after a write, which was left out.
  private(set) var isAsked = false

  init(_ reader: any AccountReader) {
    self.reader = reader
  }

  func snapshot(_ query: SnapshotQuery) throws -> Snapshot { try reader.snapshot(query) }

  func record(_ key: RecordKey, in scope: Scope) throws -> StoredRecord? {
    try reader.record(key, in: scope)
  }

  func page(_ listing: Listing, limit: Int) throws -> StoredPage {
    try reader.page(listing, limit: limit)
  }

  func apply(_ writes: [StoreWrite], in scope: Scope) throws {
    if !writes.isEmpty { isAsked = true }
  }
}

extension AuthError {
  /// The refusal of a write by a store that is only read.
  package static let readOnly = AuthError(
    .operationNotAllowed, "Nothing is written: the store is only read.",
    remedy: "Open it without --read-only. { dryRun = true } works here too.")
}
