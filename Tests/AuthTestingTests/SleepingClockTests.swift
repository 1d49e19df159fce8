import AuthCore
import AuthTesting
import TestSupport
import Testing

@Suite("A clock that a test moves") struct SleepingClockTests {
  @Test func `a caller sleeps until the clock has moved far enough`() async throws {
    let clock = FixedClock()
    let sleeper = Task { () -> Timestamp in
      try await clock.sleep(for: .seconds(60))
      return clock.now
    }
    try await eventually { clock.sleeping == 1 }
    let start = clock.now
    clock.advance(seconds: 59)
    #expect(clock.sleeping == 1)
    clock.set(start.adding(seconds: 61))

    #expect(try await sleeper.value == start.adding(seconds: 61))
    #expect(clock.sleeping == 0)
    try await clock.sleep(for: .zero)
  }

  @Test func `a cancelled caller stops sleeping at once`() async throws {
    let clock = FixedClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
    try await eventually { clock.sleeping == 1 }
    sleeper.cancel()

    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeping == 0)
  }
}
