import AuthCore
import AuthTesting
import Synchronization

/// A store in memory that cannot be reached while it is broken.
final class BreakableStore: AccountStore {
  static let failure = AuthError(
    .storeUnavailable, "The disk of the accounts is full.", remedy: "Free some space.")

  private let store = MemoryStore()
  private let broken = Mutex(false)

  func setBroken(_ isBroken: Bool) { broken.withLock { $0 = isBroken } }

  private func check() throws {
    if broken.withLock({ $0 }) { throw Self.failure }
  }

  func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    try check()
    return try await store.read(from: source, body)
  }

  func transact<Result: Sendable>(
    _ purpose: TransactionPurpose,
    _ body: @escaping @Sendable (any AccountWriter) throws -> Ending<Result>
  ) async throws -> Result {
    try check()
    return try await store.transact(purpose, body)
  }

  func settings(of scope: Scope) async throws -> ProjectSettings {
    try check()
    return try await store.settings(of: scope)
  }
}
