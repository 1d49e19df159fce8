public import AuthCore
import ProviderChecks

/// A promise that every account store keeps.
///
/// Run each with a new, empty store:
///
/// ```swift
/// @Test(arguments: StoreCheck.all)
/// func `my store keeps its promises`(_ promise: StoreCheck) async throws {
///   try await promise.run(MyStore())
/// }
/// ```
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// The promise as a sentence.
  public let description: String
  /// Runs the check; throws ``CheckFailure``, or the store's error, if the promise is broken.
  public let run: @Sendable (any AccountStore) async throws -> Void

  /// Makes a check of a promise.
  public init(
    _ description: String, run: @escaping @Sendable (any AccountStore) async throws -> Void
  ) {
    self.description = description
    self.run = run
  }

  /// Every promise of a store.
  public static let all = withConsumer + sweeping

  /// The promises of a store whose outbox has a consumer.
  private static let withConsumer = [
    records, uniqueness, conflicts, bulk, scopes, transactions, searching, finding, filtering,
    duplicates, audit, auditSearching,
    journal, decisions, settings, oneTimeRecords, predecessors, sessions, deletingScopes, outbox,
  ].flatMap(\.self).map { check in
    StoreCheck(check.description) { store in
      try await OutboxConsumer.note(store, at: Sample.noon)
      try await check.run(store)
    }
  }
}

extension AccountStore {
  /// Requires that a transaction is refused with a conflict.
  func expectConflict(
    _ what: String, _ write: @escaping @Sendable (any AccountWriter) throws -> Void
  ) async throws {
    do {
      try await self.write(write)
    } catch is UniqueKeyConflict {
      return
    }
    throw CheckFailure("\(what) was not refused.")
  }
}
