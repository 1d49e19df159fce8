package import Dispatch
import NIOConcurrencyHelpers

/// A value that another thread makes, while this one has something else to do.
package final class Ahead<Value: Sendable>: Sendable {
  /// Nil before it is made, and after it was forgotten.
  private let made = NIOLockedValueBox<Result<Value, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Begins to make it, behind whatever the queue has to do already.
  ///
  /// Give it a queue of its own: on a global one, every thread that could make the value may be waiting for one.
  package init(on queue: DispatchQueue, _ make: @escaping @Sendable () throws -> Value) {
    queue.async {
      let result = Result { try make() }
      self.made.withLockedValue { $0 = result }
      self.isDone.signal()
    }
  }

  /// Waits until it is made; throws what making it threw.
  package func wait() throws -> Value {
    isDone.wait()
    defer { isDone.signal() }
    guard let result = made.withLockedValue({ $0 }) else {
      preconditionFailure("Nobody waits for what was forgotten.")
    }
    return try result.get()
  }

  /// Lets go of it, for whoever has to free a large one.
  package func forget() {
    let forgotten = made.withLockedValue { made in
      defer { made = nil }
      return made
    }
    withExtendedLifetime(forgotten) {}
  }
}
