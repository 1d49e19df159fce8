/// Work that goes on to its end once it has begun, although its caller gives up.
///
/// Otherwise the tokens of an answer would be lost if a screen is closed before it arrives.
final class UnbrokenWork<Value: Sendable>: Sendable {
  private let state = Locked(State())

  private struct State: Sendable {
    var hasBegun = false
    var isGivenUp = false
    var result: Result<Value, any Error>?
    var caller: CheckedContinuation<Value, any Error>?
  }

  private init() {}

  /// Runs work in a task of its own and returns its value.
  ///
  /// The work calls `begin` after it has waited for its turn. A caller that is cancelled gets `CancellationError` at once;
  /// work that has not begun by then is cancelled too, and `begin` throws.
  static func run(
    _ work: @escaping @Sendable (_ begin: () throws -> Void) async throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let unbroken = UnbrokenWork()
    let task = Task {
      do {
        unbroken.end(.success(try await work { try unbroken.begin() }))
      } catch {
        unbroken.end(.failure(error))
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { unbroken.await($0) }
    } onCancel: {
      if unbroken.giveUp() { task.cancel() }
    }
  }

  private func begin() throws {
    try state.withLock { state in
      if state.isGivenUp { throw CancellationError() }
      state.hasBegun = true
    }
  }

  private func end(_ result: Result<Value, any Error>) {
    let caller = state.withLock { state in
      state.result = result
      defer { state.caller = nil }
      return state.caller
    }
    caller?.resume(with: result)
  }

  private func await(_ caller: CheckedContinuation<Value, any Error>) {
    let result = state.withLock { state -> Result<Value, any Error>? in
      if state.isGivenUp { return .failure(CancellationError()) }
      if let result = state.result { return result }
      state.caller = caller
      return nil
    }
    if let result { caller.resume(with: result) }
  }

  /// Releases the caller, and returns true if the work has not begun.
  private func giveUp() -> Bool {
    let (caller, hasBegun) = state.withLock { state in
      state.isGivenUp = true
      defer { state.caller = nil }
      return (state.caller, state.hasBegun)
    }
    caller?.resume(throwing: CancellationError())
    return !hasBegun
  }
}
