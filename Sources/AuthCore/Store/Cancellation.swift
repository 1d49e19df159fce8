import Synchronization

/// Tells work in a store's transaction, on a thread of the store's own, that the task that wants it was cancelled.
final class Cancellation: Sendable {
  private let wasCancelled = Atomic(false)

  /// Throws `CancellationError` if nobody wants the work any more.
  func check() throws {
    if wasCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }

  /// Runs work that asks now and then whether it is still wanted.
  static func told<Result>(
    _ body: (Cancellation) async throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await body(cancellation)
    } onCancel: {
      cancellation.wasCancelled.store(true, ordering: .relaxed)
    }
  }
}
