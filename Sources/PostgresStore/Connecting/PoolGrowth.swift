import Foundation

/// The growth of a pool: when it connects again, and when it gives up a connection for another process.
///
/// If the server has no connection free, the pool asks again after growing pauses. While connections are scarce, the
/// pool gives one up at intervals, so that a process without any can connect.
struct PoolGrowth {
  private var failures = 0
  private var nextAttempt: ContinuousClock.Instant?
  private var scarceUntil: ContinuousClock.Instant?
  private var nextRelease: ContinuousClock.Instant?

  /// The time that a connection may be idle while connections are scarce, in seconds.
  static let idleTime = 0.2
  private static let shortestPause = 0.1
  private static let longestPause = 5.0
  private static let scarcity = Duration.seconds(10)
  private static let betweenReleases = Duration.milliseconds(500)
  /// The time that other processes have to take a connection that was given up.
  private static let pauseAfterRelease = Duration.milliseconds(400)

  /// True if another connection may be tried.
  var isDue: Bool { nextAttempt.map { ContinuousClock.now >= $0 } ?? true }

  /// True if the server recently had no connection free.
  var isScarce: Bool { scarceUntil.map { ContinuousClock.now < $0 } ?? false }

  mutating func succeeded() {
    failures = 0
    nextAttempt = nil
  }

  /// Records a failure to connect while other connections work; `isForWant` is true if the server has none free.
  mutating func failed(isForWant: Bool) {
    // Several simultaneous failures count as one.
    guard isDue else { return }
    let longest = min(Self.longestPause, Self.shortestPause * pow(2, Double(min(failures, 10))))
    failures += 1
    let now = ContinuousClock.now
    nextAttempt = now + .seconds(Double.random(in: longest / 2...longest))
    guard isForWant else { return }
    if !isScarce { nextRelease = now + Self.betweenReleases }
    scarceUntil = now + Self.scarcity
  }

  /// Returns true if the pool has to give up a connection now, and schedules the next one.
  mutating func shouldGiveWay(connected: Int) -> Bool {
    guard isScarce, connected > 1, let due = nextRelease, ContinuousClock.now >= due else {
      return false
    }
    let now = ContinuousClock.now
    nextRelease = now + Self.betweenReleases
    nextAttempt = max(nextAttempt ?? now, now + Self.pauseAfterRelease)
    return true
  }
}
