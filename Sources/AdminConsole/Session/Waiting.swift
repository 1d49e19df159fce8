import Dispatch
import NIOConcurrencyHelpers

/// Waits on this thread for asynchronous work that runs elsewhere.
///
/// For the thread of a console or a command, which has nothing else to do. Never to be called on a
/// thread of Swift's cooperative pool.
package func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let answer = Answer<Result>()
  Task.detached {
    do {
      answer.give(.success(try await body()))
    } catch {
      answer.give(.failure(error))
    }
  }
  return try answer.take()
}

/// Hands one result from a task to the thread that waits for it.
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
