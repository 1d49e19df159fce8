import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// Counts what was asked in windows of time, and refuses what is too much.
///
/// Two neighbouring windows are weighed against each other, so that nobody gets twice as much at their
/// border. It forgets what is over, and keeps a bounded number of counts.
final class RateLimiter: Sendable {
  private struct Key: Hashable {
    let name: String
    let subject: String
  }

  private struct Count {
    var window: Int64
    var now = 0
    var before = 0
  }

  private static let maximumKeys = 200_000
  private let counts = NIOLockedValueBox<[Key: Count]>([:])

  /// Counts one more of a kind for a subject.
  ///
  /// Throws `TOO_MANY_ATTEMPTS_TRY_LATER` where it were more than the limit in the window of seconds.
  func take(
    _ name: String, of subject: String, limit: Int, seconds: Int64, at now: Timestamp
  ) throws(WireError) {
    guard limit > 0 else { return }
    let window = now.milliseconds / (seconds * 1000)
    let passed = Double(now.milliseconds % (seconds * 1000)) / Double(seconds * 1000)
    let key = Key(name: name, subject: subject)
    let isTaken = counts.withLockedValue { counts -> Bool in
      if counts.count >= Self.maximumKeys { Self.forget(&counts) }
      var count = counts[key] ?? Count(window: window)
      if count.window != window {
        count.before = count.window == window - 1 ? count.now : 0
        count.now = 0
        count.window = window
      }
      let weight = Double(count.before) * (1 - passed) + Double(count.now)
      let fits = weight + 1 <= Double(limit)
      if fits { count.now += 1 }
      counts[key] = count
      return fits
    }
    guard isTaken else {
      throw WireError(
        "TOO_MANY_ATTEMPTS_TRY_LATER",
        "Access has been limited because of many requests. Try again later.")
    }
  }

  /// Makes room by forgetting those that asked least; whoever is near a limit stays counted.
  private static func forget(_ counts: inout [Key: Count]) {
    let loads = counts.values.map { $0.now + $0.before }.sorted()
    let median = loads[loads.count / 2]
    counts = counts.filter { $0.value.now + $0.value.before > median }
  }
}
