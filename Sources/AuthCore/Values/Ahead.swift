package import Dispatch
import Synchronization

/// A value that another thread makes, while this one has something else to do.
package final class Ahead<Value: Sendable>: Sendable {
  /// Nobody sees what is there before it is done, and after it was forgotten.
  private let made = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
  private let isDone = DispatchSemaphore(value: 0)

  /// Begins to make it, behind whatever the queue has to do already.
  ///
  /// The queue is one of its own: threads of the global ones may all wait for the value.
  package init(on queue: DispatchQueue, _ make: @escaping @Sendable () throws -> Value) {
    queue.async {
      let result = Result { try make() }
      self.made.withLock { $0 = result }
      self.isDone.signal()
    }
  }

  /// Waits until it is made, which may be done once; throws what making it threw.
  package func wait() throws -> Value {
    isDone.wait()
    return try made.withLock { $0 }.get()
  }

  /// Lets go of it, for whoever has to free a large one.
  package func forget() {
    made.withLock { $0 = .failure(CancellationError()) }
  }
}
