import Foundation

/// An automatic refresh of a user's tokens before they expire.
///
/// Nothing happens before ``start()``. The work ends with ``stop()`` and with the last reference to this object.
final class AutoRefresh: Sendable {
  private let task = Locked<Task<Void, Never>?>(nil)
  private let work: Work

  /// Makes a refresh that has not started.
  ///
  /// - Parameters:
  ///   - expiresAt: Returns the end of the current tokens; nil ends the work.
  ///   - refresh: Gets new tokens. After an error the refresh is tried again later.
  ///   - now: The clock of `expiresAt`.
  ///   - sleep: Waits; throws if the task is cancelled.
  init(
    expiresAt: @escaping @Sendable () -> Date?,
    refresh: @escaping @Sendable () async throws -> Void,
    now: @escaping @Sendable () -> Date = { Date() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    work = Work(expiresAt: expiresAt, refresh: refresh, now: now, sleep: sleep)
  }

  deinit {
    task.withLock { $0 }?.cancel()
  }

  var isRunning: Bool { task.withLock { $0 != nil } }

  /// Starts, or starts anew with the current tokens after they were replaced or after a pause.
  func start() {
    let work = work
    task.withLock { task in
      task?.cancel()
      // The work lives as long as the session, unlike any caller's task.
      task = Task { await work.run() }
    }
  }

  /// Ends the work, after a sign-out or while an app is in the background.
  func stop() {
    task.withLock { task in
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
          // Another refresh may have replaced the tokens meanwhile.
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
