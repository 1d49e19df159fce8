public import AuthCore
import NIOConcurrencyHelpers

/// A clock that stands still until a test moves it.
public final class FixedClock: Sendable {
  private let state: NIOLockedValueBox<State>

  private struct State {
    var time: Timestamp
    var sleepers: [UInt64: Sleeper] = [:]
    var lastSleeper: UInt64 = 0

    /// Sets the time, and returns the sleepers whose end has come.
    mutating func move(to time: Timestamp) -> [Sleeper] {
      self.time = time
      let woken = sleepers.filter { $0.value.end <= time }
      for number in woken.keys { sleepers[number] = nil }
      return woken.values.sorted { $0.end < $1.end }
    }
  }

  private struct Sleeper {
    let end: Timestamp
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// Makes a clock, which starts in June 2025 by default.
  public init(_ start: Timestamp = Timestamp(milliseconds: 1_750_000_000_000)) {
    state = NIOLockedValueBox(State(time: start))
  }

  /// The current time, which reading does not change.
  public var now: Timestamp { state.withLockedValue(\.time) }

  /// The number of callers that wait in ``sleep(for:)``.
  public var sleeping: Int { state.withLockedValue(\.sleepers.count) }

  /// Moves the clock by some seconds, backwards if the number is negative.
  public func advance(seconds: Int64) {
    wake(state.withLockedValue { $0.move(to: $0.time.adding(seconds: seconds)) })
  }

  /// Sets the clock.
  public func set(_ time: Timestamp) {
    wake(state.withLockedValue { $0.move(to: time) })
  }

  private func wake(_ sleepers: [Sleeper]) {
    for sleeper in sleepers { sleeper.continuation.resume() }
  }

  /// Waits until the clock has moved by a time, in whole seconds rounded up.
  ///
  /// Throws `CancellationError` as soon as the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    let (seconds, rest) = duration.components
    let number = state.withLockedValue { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLockedValue { state in
          let end = state.time.adding(seconds: seconds + (rest > 0 ? 1 : 0))
          guard end > state.time else { return true }
          state.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
        // A cancellation before this point had no sleeper to end.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func giveUp(_ number: UInt64) {
    let sleeper = state.withLockedValue { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
