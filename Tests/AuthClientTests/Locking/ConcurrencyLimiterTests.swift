import NIOConcurrencyHelpers
import Testing

@testable import AuthClient

@Suite struct ConcurrencyLimiterTests {
  @Test func `the limit is never exceeded, and every task gets in`() async throws {
    let limiter = ConcurrencyLimiter(limit: 3)
    let (inside, most, done) = (
      NIOLockedValueBox(0), NIOLockedValueBox(0), NIOLockedValueBox(0)
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          try await limiter.pass {
            let now = inside.withLockedValue {
              $0 += 1
              return $0
            }
            most.withLockedValue { $0 = max($0, now) }
            await Task.yield()
            inside.withLockedValue { $0 -= 1 }
          }
          done.withLockedValue { $0 += 1 }
        }
      }
      try await group.waitForAll()
    }
    #expect(most.withLockedValue(\.self) <= 3)
    #expect(done.withLockedValue(\.self) == 1000)
    #expect(limiter.waiting == 0)
  }

  @Test func `tasks get in in the order of their arrival`() async throws {
    let limiter = ConcurrencyLimiter(limit: 1)
    let (blocked, block) = AsyncStream.makeStream(of: Void.self)
    let order = NIOLockedValueBox<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await limiter.pass { for await _ in blocked {} }
      }
      while await !Self.isBusy(limiter) { await Task.yield() }
      for number in 0..<20 {
        group.addTask {
          try await limiter.pass { order.withLockedValue { $0.append(number) } }
        }
        while limiter.waiting <= number { await Task.yield() }
      }
      block.finish()
      try await group.waitForAll()
    }
    #expect(order.withLockedValue(\.self) == Array(0..<20))
  }

  @Test func `a cancelled task leaves the line and delays no other`() async throws {
    let limiter = ConcurrencyLimiter(limit: 1)
    let (blocked, block) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await limiter.pass { for await _ in blocked {} }
      }
      while await !Self.isBusy(limiter) { await Task.yield() }
      let impatient = Task { try await limiter.pass {} }
      while limiter.waiting < 1 { await Task.yield() }
      group.addTask { try await limiter.pass {} }
      while limiter.waiting < 2 { await Task.yield() }

      impatient.cancel()
      await #expect(throws: CancellationError.self) { try await impatient.value }
      #expect(limiter.waiting == 1)
      block.finish()
      try await group.waitForAll()
    }
    #expect(limiter.waiting == 0)
    try await limiter.pass {}
  }

  /// Returns true if the limiter is busy, because a probe has to wait.
  private static func isBusy(_ limiter: ConcurrencyLimiter) async -> Bool {
    let probe = Task { try await limiter.pass {} }
    for _ in 0..<10 { await Task.yield() }
    let waits = limiter.waiting > 0
    probe.cancel()
    _ = await probe.result
    return waits
  }
}
