import AuthCore
import Crypto
import Foundation
import NIOConcurrencyHelpers

/// Exchanges counts of rate limits with the other servers on one store.
///
/// A count is reported once it reaches a tenth of its limit, and again about every 500 ms while it grows, or at once if
/// it grew by another tenth. No request waits for a report. So N servers together admit at most a limit and, for each
/// of them, a tenth of it and the requests that arrive during one exchange. A count that was not reported before its
/// window ended is never reported. While the store does not answer, each server counts for itself.
///
/// The store holds a SHA-256 digest in place of an address or an e-mail, for two windows.
struct SharedRates: Sendable {
  let limiter: RateLimiter
  let store: any SharedStore

  /// The delay before a count that grows slowly is reported again.
  private static let pause = Duration.milliseconds(500)
  /// The interval between checks for urgent reports; exchanges are never closer together.
  private static let tick = Duration.milliseconds(50)
  /// The maximum number of counts in one report.
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
      // Unreported counts stay marked. The pause spares a store that is in trouble.
      if (try? await exchange()) == nil { try? await Task.sleep(for: Self.pause) }
      last = ContinuousClock.now
    }
  }

  /// Reports this server's counts, and reads the totals of all servers.
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
