public import AuthCore
import Synchronization

/// A clock that stands still until a test moves it.
public final class FixedClock: Sendable {
  private let time: Mutex<Timestamp>

  /// Makes a clock; it begins in June 2025 where nothing else is said.
  public init(_ start: Timestamp = Timestamp(milliseconds: 1_750_000_000_000)) {
    time = Mutex(start)
  }

  /// The time, which reading does not change.
  public var now: Timestamp { time.withLock(\.self) }

  /// Moves the clock, also back where the number is negative.
  public func advance(seconds: Int64) {
    time.withLock { $0 = $0.adding(seconds: seconds) }
  }

  /// Sets the clock.
  public func set(_ time: Timestamp) {
    self.time.withLock { $0 = time }
  }
}
