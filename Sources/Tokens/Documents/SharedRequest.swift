import NIOConcurrencyHelpers

/// One result that several callers wait for.
///
/// A cancelled caller stops waiting at once; the others continue.
final class SharedRequest<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    var lastID = 0
  }

  private let state = NIOLockedValueBox(State())

  func value() async throws -> Value {
    let id = state.withLockedValue {
      $0.lastID += 1
      return $0.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLockedValue {
          if let result = $0.result { return result }
          // Cancellation sets the flag before the handler below runs, so one of the two sees the other.
          if Task.isCancelled { return .failure(CancellationError()) }
          $0.waiting[id] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLockedValue { $0.waiting.removeValue(forKey: id) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  func finish(_ result: Result<Value, any Error>) {
    let waiting = state.withLockedValue { state in
      defer { state.waiting = [:] }
      state.result = result
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }
}
