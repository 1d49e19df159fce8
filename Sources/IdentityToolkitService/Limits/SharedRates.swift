import AuthCore
import Crypto
import Foundation
import NIOConcurrencyHelpers

/// Tells other servers on one store how much this one let through, and learns what they did.
///
/// A count is told when it reached a tenth of its limit, and again about every 500 ms while it grows, or at
/// once where it grew by another tenth; no request waits for it. So N servers together let through at most a
/// limit and, for each of them, a tenth of it and what asked that server during one exchange; what it did not
/// tell of a window when the next one began is not told any more. While the store does not answer, each server
/// counts for itself.
///
/// The store gets a SHA-256 in place of an address or an e-mail, and keeps it for two windows.
struct SharedRates: Sendable {
  let limiter: RateLimiter
  let store: any SharedStore

  /// How long a count that grows slowly is kept back.
  private static let pause = Duration.milliseconds(500)
  /// How often it is looked whether something is urgent; exchanges are never closer.
  private static let tick = Duration.milliseconds(50)
  /// How many counts are told at once.
  private static let batch = 500

  /// Exchanges counts until its task is cancelled.
  func run() async {
    limiter.share(true)
    defer { limiter.share(false) }
    var last = ContinuousClock.now
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.tick)
      let isUrgent = limiter.state.withLockedValue(\.isUrgent)
      guard isUrgent || ContinuousClock.now - last >= Self.pause else { continue }
      // What was not told stays to be told; a store that is in trouble is not asked every moment.
      if (try? await exchange()) == nil { try? await Task.sleep(for: Self.pause) }
      last = ContinuousClock.now
    }
  }

  /// Tells what has to be told, and takes in what all servers together come to.
  func exchange() async throws {
    let reports = take()
    guard !reports.isEmpty else { return }
    do {
      let totals = try await store.add(reports.map(\.count))
      for (report, total) in zip(reports, totals) { settle(report, total) }
    } catch {
      limiter.state.withLockedValue { $0.changed.formUnion(reports.map(\.key)) }
      throw error
    }
  }

  private struct Report {
    let key: RateLimiter.Key
    let window: Int64
    let reached: Int
    let count: SharedCount
  }

  private func take() -> [Report] {
    limiter.state.withLockedValue { state in
      let keys = Array(state.changed.prefix(Self.batch))
      state.changed.subtract(keys)
      state.isUrgent = state.isUrgent && !state.changed.isEmpty
      return keys.compactMap { key in
        guard let count = state.counts[key], count.now > count.sent else { return nil }
        return Report(
          key: key, window: count.window, reached: count.now,
          count: SharedCount(
            name: Self.name(key, count.window), amount: count.now - count.sent,
            expiresAt: Timestamp(milliseconds: (count.window + 2) * key.seconds * 1000)))
      }
    }
  }

  private func settle(_ report: Report, _ total: Int) {
    limiter.state.withLockedValue { state in
      guard var count = state.counts[report.key], count.window == report.window else { return }
      count.sent = report.reached
      count.othersNow = max(0, total - report.reached)
      state.counts[report.key] = count
    }
  }

  private static func name(_ key: RateLimiter.Key, _ window: Int64) -> String {
    let text = "\(key.name)\n\(key.seconds)\n\(window)\n\(key.subject)"
    return Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
  }
}
