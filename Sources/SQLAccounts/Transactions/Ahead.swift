package import Dispatch
import NIOConcurrencyHelpers

/// A value that another thread computes in advance.
package final class Ahead<Value: Sendable>: Sendable {
  /// The value; nil before it is made and after it was forgotten.
  private let made = NIOLockedValueBox<Result<Value, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts to make the value, after the work that is already in the queue.
  ///
  /// The queue must be the caller's own. On a global queue, all threads could be waiting for a value.
  package init(on queue: DispatchQueue, _ make: @escaping @Sendable () throws -> Value) {
    queue.async {
      let result = Result { try make() }
      self.made.withLockedValue { $0 = result }
      self.isDone.signal()
    }
  }

  /// Waits for the value; throws the error that making it threw.
  package func wait() throws -> Value {
    isDone.wait()
    defer { isDone.signal() }
    guard let result = made.withLockedValue({ $0 }) else {
      preconditionFailure("A forgotten value has no waiting caller.")
    }
    return try result.get()
  }

  /// Releases the value, so that the calling thread frees a large one.
  package func forget() {
    let forgotten = made.withLockedValue { made in
      defer { made = nil }
      return made
    }
    withExtendedLifetime(forgotten) {}
  }
}
