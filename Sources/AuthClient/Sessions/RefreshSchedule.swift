import Foundation

/// The schedule of automatic refreshes.
struct RefreshSchedule: Sendable, Hashable {
  /// The first pause after a failure, and the minimum between two refreshes if tokens last less than five minutes.
  static let firstRetry: Duration = .seconds(60)
  static let lastRetry: Duration = .seconds(16 * 60)

  private var retry = firstRetry

  /// Returns the pause before tokens are refreshed: until five minutes of their validity are left.
  func delay(untilRefreshing expiresAt: Date, now: Date) -> Duration {
    let left = expiresAt.timeIntervalSince(now) - TokenKeeper.leastValidity
    return left > 0 ? .seconds(min(left, Self.longest)) : .zero
  }

  /// Returns the pause after a successful refresh.
  mutating func delay(afterRefreshGiving expiresAt: Date, now: Date) -> Duration {
    retry = Self.firstRetry
    return max(delay(untilRefreshing: expiresAt, now: now), Self.firstRetry)
  }

  /// Returns the pause after a failed refresh: one minute, doubled each time, up to 16.
  mutating func delayAfterFailure() -> Duration {
    defer { retry = min(retry * 2, Self.lastRetry) }
    return retry
  }

  /// The maximum pause, one day, so that no clock overflows.
  private static let longest: TimeInterval = 24 * 60 * 60
}
