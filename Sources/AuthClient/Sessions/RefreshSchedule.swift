import Foundation

/// When the next refresh is due, if nobody asks earlier.
struct RefreshSchedule: Sendable, Hashable {
  /// Also the least between two refreshes, where a server's tokens do not last for five minutes.
  static let firstRetry: Duration = .seconds(60)
  static let lastRetry: Duration = .seconds(16 * 60)

  private var retry = firstRetry

  /// How long to wait before tokens that end then are refreshed: until five minutes are left.
  func delay(untilRefreshing expiresAt: Date, now: Date) -> Duration {
    let left = expiresAt.timeIntervalSince(now) - TokenKeeper.leastValidity
    return left > 0 ? .seconds(min(left, Self.longest)) : .zero
  }

  /// How long to wait after a refresh that went well, and gave tokens that end then.
  mutating func delay(afterRefreshGiving expiresAt: Date, now: Date) -> Duration {
    retry = Self.firstRetry
    return max(delay(untilRefreshing: expiresAt, now: now), Self.firstRetry)
  }

  /// How long to wait after a refresh that failed: a minute, then twice as long each time, 16 at most.
  mutating func delayAfterFailure() -> Duration {
    defer { retry = min(retry * 2, Self.lastRetry) }
    return retry
  }

  /// A far end is looked at again after a day; no clock has to count further.
  private static let longest: TimeInterval = 24 * 60 * 60
}
