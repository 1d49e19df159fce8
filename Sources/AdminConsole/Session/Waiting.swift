import Dispatch
import NIOConcurrencyHelpers

/// Blocks this thread until asynchronous work is done.
///
/// For the thread of a console or command, which has nothing else to do. It must never be called on a thread of
/// Swift's cooperative pool.
///
/// - Parameters:
///   - isInterrupted: asked while the work goes on; the work is then cancelled and its end is awaited, because a change
///     may be done already.
///   - body: the work.
/// - Returns: the result of the work.
/// - Throws: the error of the work.
package func waiting<Result: Sendable>(
  unless isInterrupted: () -> Bool = { false },
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let answer = Answer<Result>()
  let work = Work(body)
  let task = Task.detached { answer.give(await work.outcome()) }
  while !answer.isGiven(within: .milliseconds(100)) {
    guard isInterrupted() else { continue }
    task.cancel()
    answer.await()
    break
  }
  return try answer.taken()
}

/// Work that releases its closure before its result is delivered.
///
/// A task ends a moment after it has delivered its result. A command that ends then would not close what the task
/// still holds, such as a store.
private final class Work<Value: Sendable>: Sendable {
  private let body: NIOLockedValueBox<(@Sendable () async throws -> Value)?>

  init(_ body: @escaping @Sendable () async throws -> Value) {
    self.body = NIOLockedValueBox(body)
  }

  func outcome() async -> Result<Value, any Error> {
    let body = body.withLockedValue { body in
      defer { body = nil }
      return body
    }
    do {
      guard let body else { throw CancellationError() }
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}

/// Hands one result from a task to the waiting thread.
private final class Answer<Value: Sendable>: Sendable {
  private let value = NIOLockedValueBox<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func give(_ result: Result<Value, any Error>) {
    value.withLockedValue { $0 = result }
    isThere.signal()
  }

  /// Waits for the result, but not longer than an interval; returns true if it is there.
  func isGiven(within interval: DispatchTimeInterval) -> Bool {
    isThere.wait(timeout: .now() + interval) == .success
  }

  func await() { isThere.wait() }

  /// Returns the result, which has been given.
  func taken() throws -> Value {
    guard let result = value.withLockedValue({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
