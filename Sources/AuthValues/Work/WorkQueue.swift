import Foundation

/// Runs long computations on a few threads of their own, away from those that serve requests.
///
/// Work beyond the limit waits its turn. Work whose task is cancelled before its turn is skipped. Dispatch is not
/// used: on Linux its threads are those of Swift's tasks, which would starve.
package final class WorkQueue: Sendable {
  private let line: WorkLine

  /// Makes a queue with at most this many threads, which begin with their first work.
  package init(maximumConcurrent: Int) {
    line = WorkLine(maximumThreads: maximumConcurrent)
  }

  deinit {
    line.close()
  }

  /// Runs work on one of the threads, and returns its result.
  ///
  /// Throws what the work throws, or `CancellationError` if the task was cancelled before its turn.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    try await Cancellation.forwarding { cancellation in
      try await withCheckedThrowingContinuation { continuation in
        line.add {
          continuation.resume(
            with: Result {
              try cancellation.check()
              return try work()
            })
        }
      }
    }
  }
}

/// Hands work to threads, which it starts on demand.
///
/// `condition` guards all mutable state, so the class is safe to share.
private final class WorkLine: @unchecked Sendable {
  private let condition = NSCondition()
  private let maximumThreads: Int
  private var waiting: [@Sendable () -> Void] = []
  private var threads = 0
  private var idleThreads = 0
  private var isClosed = false

  init(maximumThreads: Int) {
    self.maximumThreads = maximumThreads
  }

  func add(_ work: @escaping @Sendable () -> Void) {
    condition.withLock {
      waiting.append(work)
      if waiting.count > idleThreads, threads < maximumThreads {
        threads += 1
        Thread { self.serve() }.start()
      } else {
        condition.signal()
      }
    }
  }

  /// Lets the threads end once the queue is empty.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  private func serve() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    condition.withLock {
      while waiting.isEmpty {
        if isClosed { return nil }
        idleThreads += 1
        condition.wait()
        idleThreads -= 1
      }
      return waiting.removeFirst()
    }
  }
}
