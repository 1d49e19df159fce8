import Foundation

/// When a pool makes more connections, and when it gives one up because others need one too.
///
/// A server that takes no more connections is asked again after a pause that grows. Until some time after that, the
/// pool gives up one connection every now and then: another process that has none can take its place.
struct PoolGrowth {
  private var failures = 0
  private var nextAttempt: ContinuousClock.Instant?
  private var scarceUntil: ContinuousClock.Instant?
  private var nextRelease: ContinuousClock.Instant?

  /// How long a connection stays idle while they are scarce, in seconds.
  static let idleTime = 0.2
  private static let shortestPause = 0.1
  private static let longestPause = 5.0
  private static let scarcity = Duration.seconds(10)
  private static let betweenReleases = Duration.milliseconds(500)
  /// As long as this the others have for taking what was given up.
  private static let pauseAfterRelease = Duration.milliseconds(400)

  /// Whether another connection may be tried.
  var isDue: Bool { nextAttempt.map { ContinuousClock.now >= $0 } ?? true }

  /// Whether the server had no connection to give, not long ago.
  var isScarce: Bool { scarceUntil.map { ContinuousClock.now < $0 } ?? false }

  mutating func succeeded() {
    failures = 0
    nextAttempt = nil
  }

  /// Notes that a connection could not be made although others work; `isForWant` if the server has none to give.
  mutating func failed(isForWant: Bool) {
    // Several that fail at once are one failure.
    guard isDue else { return }
    let longest = min(Self.longestPause, Self.shortestPause * pow(2, Double(min(failures, 10))))
    failures += 1
    let now = ContinuousClock.now
    nextAttempt = now + .seconds(Double.random(in: longest / 2...longest))
    guard isForWant else { return }
    if !isScarce { nextRelease = now + Self.betweenReleases }
    scarceUntil = now + Self.scarcity
  }

  /// Whether one of the connections is to be given up now; true once for each that is.
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
