import Dispatch
import Synchronization
import Testing

import AuthValues

@Suite(.timeLimit(.minutes(1))) struct WorkQueueTests {
  @Test func `no more pieces run at once than allowed`() async throws {
    let queue = WorkQueue(maximumConcurrent: 2)
    let running = Gauge()

    try await withThrowingTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          try await queue.run {
            running.enter()
            running.leave()
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(running.most <= 2)
    #expect(running.now == 0)
  }

  @Test func `blocked pieces leave the threads of other tasks alone`() async throws {
    let queue = WorkQueue(maximumConcurrent: 16)
    let gate = DispatchSemaphore(value: 0)
    let (started, starting) = AsyncStream<Void>.makeStream()
    var starts = started.makeAsyncIterator()

    try await withThrowingTaskGroup { group in
      for _ in 0..<16 {
        group.addTask {
          try await queue.run {
            starting.yield()
            gate.wait()
          }
        }
      }
      for _ in 0..<16 { await starts.next() }
      await Task.detached { for _ in 0..<100 { await Task.yield() } }.value
      for _ in 0..<16 { gate.signal() }
      try await group.waitForAll()
    }
  }

  @Test func `work that waits is done though its queue is given up`() async throws {
    let results = try await withThrowingTaskGroup { group in
      let queue = WorkQueue(maximumConcurrent: 2)
      for number in 0..<20 { group.addTask { try await queue.run { number } } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }

    #expect(results == Set(0..<20))
  }

  @Test func `work that was cancelled before its turn is not done`() async throws {
    let queue = WorkQueue(maximumConcurrent: 1)
    let gate = DispatchSemaphore(value: 0)
    let (started, starting) = AsyncStream<Void>.makeStream()
    let done = Gauge()
    let blocker = Task {
      try await queue.run {
        starting.finish()
        gate.wait()
      }
    }
    for await _ in started {}

    let waiting = Task { try await queue.run { done.enter() } }
    waiting.cancel()
    gate.signal()

    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await blocker.value
    #expect(done.most == 0)
  }

  @Test func `an error of the work arrives`() async {
    let queue = WorkQueue(maximumConcurrent: 1)

    await #expect(throws: CancellationError.self) {
      try await queue.run { throw CancellationError() }
    }
  }
}

/// Counts the callers inside, and the most at any time.
private final class Gauge: Sendable {
  private let count = Mutex((now: 0, most: 0))

  var now: Int { count.withLock { $0.now } }
  var most: Int { count.withLock { $0.most } }

  func enter() { count.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
  func leave() { count.withLock { $0.now -= 1 } }
}
