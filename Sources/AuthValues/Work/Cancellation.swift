import Synchronization

/// Forwards a task's cancellation to its work on another thread, such as in a store's transaction.
package final class Cancellation: Sendable {
  private let wasCancelled = Atomic(false)

  /// Throws `CancellationError` if the task was cancelled.
  package func check() throws {
    if wasCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }

  /// Runs work that checks for the task's cancellation from time to time.
  package static func forwarding<Result>(
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
