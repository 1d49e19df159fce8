import Synchronization

/// Sends the messages that operations committed, after their answers.
///
/// An operation that commits a message wakes the courier. It works until nothing is due, and wakes itself for the retry
/// of failed messages. Messages that a stopped process left behind are sent by the next courier on the store.
public final class MessageCourier: Sendable {
  private struct State {
    var running: Task<Void, Never>?
    /// True if it was woken while it ran, so that it may have missed a message.
    var isAsked = false
    var alarm: Task<Void, Never>?
  }

  private let worker: MessageWorker
  private let reportStore: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  /// The pause in seconds after an error of the store.
  private static let pause: Int64 = 10

  /// Makes a courier for the messages of a graph's store.
  ///
  /// - Parameters:
  ///   - graph: the graph whose messages are sent.
  ///   - schedule: the times of retries.
  ///   - report: receives messages that could not be sent.
  ///   - storeReport: receives errors of the store.
  public init(
    _ graph: AccountGraph, schedule: OutboxWorker.Schedule = OutboxWorker.Schedule(),
    report: @escaping @Sendable (MessageFailure) -> Void = { _ in },
    storeReport: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    worker = MessageWorker(graph: graph, schedule: schedule, report: report)
    reportStore = storeReport
  }

  /// Makes the courier look for messages; returns at once.
  public func wake() {
    state.withLock { state in
      state.alarm?.cancel()
      state.alarm = nil
      guard state.running == nil else {
        state.isAsked = true
        return
      }
      state.running = Task.detached { await self.work() }
    }
  }

  /// Waits until every message that was due at the last wake-up was tried.
  public func settled() async {
    while let running = state.withLock(\.running) { await running.value }
  }

  /// Waits up to a limit for messages that are being sent, and stops waking itself.
  ///
  /// Messages that are not sent by then stay in the store.
  public func finish(within limit: Duration) async {
    let running = state.withLock { state in
      state.alarm?.cancel()
      state.alarm = nil
      return state.running
    }
    guard let running else { return }
    let clock = Task.detached {
      if (try? await Task.sleep(for: limit)) != nil { running.cancel() }
    }
    await running.value
    clock.cancel()
    state.withLock { state in
      state.alarm?.cancel()
      state.alarm = nil
    }
  }

  private func work() async {
    while true {
      var rest: Int64? = Self.pause
      do { rest = try await worker.run() } catch {
        if Task.isCancelled { rest = nil } else { reportStore(error) }
      }
      if end(waking: rest) { return }
    }
  }

  /// Ends a run unless it was woken meanwhile; returns true if it ended.
  private func end(waking seconds: Int64?) -> Bool {
    state.withLock { state in
      if state.isAsked, !Task.isCancelled {
        state.isAsked = false
        return false
      }
      state.isAsked = false
      state.running = nil
      state.alarm = seconds.map { seconds in
        Task.detached {
          if (try? await Task.sleep(for: .seconds(seconds))) != nil { self.wake() }
        }
      }
      return true
    }
  }
}
