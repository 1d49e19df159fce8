public import AuthCore
import NIOConcurrencyHelpers

/// A clock that stands still until a test moves it.
public final class FixedClock: Sendable {
  private let time: NIOLockedValueBox<Timestamp>

  /// Makes a clock, which starts in June 2025 by default.
  public init(_ start: Timestamp = Timestamp(milliseconds: 1_750_000_000_000)) {
    time = NIOLockedValueBox(start)
  }

  /// The current time, which reading does not change.
  public var now: Timestamp { time.withLockedValue(\.self) }

  /// Moves the clock by some seconds, backwards if the number is negative.
  public func advance(seconds: Int64) {
    time.withLockedValue { $0 = $0.adding(seconds: seconds) }
  }

  /// Sets the clock.
  public func set(_ time: Timestamp) {
    self.time.withLockedValue { $0 = time }
  }
}
