import Dispatch
import NIOConcurrencyHelpers

/// Blocks this thread until asynchronous work is done.
///
/// For the thread of a console or command, which has nothing else to do. It must never be called on a thread of
/// Swift's cooperative pool.
package func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let answer = Answer<Result>()
  let work = Work(body)
  Task.detached { answer.give(await work.outcome()) }
  return try answer.take()
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

  func take() throws -> Value {
    isThere.wait()
    guard let result = value.withLockedValue({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
