import Foundation
import NIOConcurrencyHelpers

/// Refreshes a user's tokens before they end, without being asked.
///
/// Nothing happens before ``start()``. The work ends with ``stop()``, and with the last reference to this.
final class AutoRefresh: Sendable {
  private let task = NIOLockedValueBox<Task<Void, Never>?>(nil)
  private let work: Work

  /// - Parameters:
  ///   - expiresAt: When the tokens of now end; nil where there are none any more, which ends the work.
  ///   - refresh: Gets new tokens; what it throws is a reason to try again later.
  ///   - now: The clock that `expiresAt` is measured with.
  ///   - sleep: Waits, or throws when the task is cancelled.
  init(
    expiresAt: @escaping @Sendable () -> Date?,
    refresh: @escaping @Sendable () async throws -> Void,
    now: @escaping @Sendable () -> Date = { Date() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    work = Work(expiresAt: expiresAt, refresh: refresh, now: now, sleep: sleep)
  }

  deinit {
    task.withLockedValue { $0 }?.cancel()
  }

  var isRunning: Bool { task.withLockedValue { $0 != nil } }

  /// Begins, or begins anew with the tokens of now: for tokens that were replaced, and after a pause.
  func start() {
    let work = work
    task.withLockedValue { task in
      task?.cancel()
      // Lives as long as the session, which no caller's task does.
      task = Task { await work.run() }
    }
  }

  /// Ends the work: for a sign-out, and while an app is in the background.
  func stop() {
    task.withLockedValue { task in
      task?.cancel()
      task = nil
    }
  }
}

extension AutoRefresh {
  private struct Work: Sendable {
    let expiresAt: @Sendable () -> Date?
    let refresh: @Sendable () async throws -> Void
    let now: @Sendable () -> Date
    let sleep: @Sendable (Duration) async throws -> Void

    func run() async {
      var schedule = RefreshSchedule()
      var pause: Duration?
      while !Task.isCancelled {
        guard let end = expiresAt() else { return }
        let delay = pause ?? schedule.delay(untilRefreshing: end, now: now())
        pause = nil
        if delay > .zero {
          guard (try? await sleep(delay)) != nil else { return }
          // Somebody may have asked for new tokens meanwhile.
          guard let end = expiresAt() else { return }
          if schedule.delay(untilRefreshing: end, now: now()) > .zero { continue }
        }
        pause = await pauseAfterRefresh(&schedule)
      }
    }

    private func pauseAfterRefresh(_ schedule: inout RefreshSchedule) async -> Duration? {
      do {
        try await refresh()
        guard let end = expiresAt() else { return nil }
        return schedule.delay(afterRefreshGiving: end, now: now())
      } catch {
        return schedule.delayAfterFailure()
      }
    }
  }
}
