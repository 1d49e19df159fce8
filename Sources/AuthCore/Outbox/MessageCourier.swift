import Synchronization

/// Sends the messages that operations committed, after their answers.
///
/// Whoever commits one wakes the courier, which works until nothing is due, and wakes itself for what failed and is to be
/// tried again. What a process leaves behind is sent by whoever wakes a courier on the store next.
public final class MessageCourier: Sendable {
  private struct State {
    var running: Task<Void, Never>?
    /// Whether somebody woke it while it ran: what it saw last may not be all.
    var isAsked = false
    var alarm: Task<Void, Never>?
  }

  private let worker: MessageWorker
  private let reportStore: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  /// How long nothing is tried where the store cannot be used, in seconds.
  private static let pause: Int64 = 10

  /// Takes the messages of a graph's store; `report` is told what could not be sent, and `storeReport` what the store
  /// threw.
  public init(
    _ graph: AccountGraph, schedule: OutboxWorker.Schedule = OutboxWorker.Schedule(),
    report: @escaping @Sendable (MessageFailure) -> Void = { _ in },
    storeReport: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    worker = MessageWorker(graph: graph, schedule: schedule, report: report)
    reportStore = storeReport
  }

  /// Has it look for messages; returns at once.
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

  /// Waits until what was due when it was woken was tried.
  public func settled() async {
    while let running = state.withLock(\.running) { await running.value }
  }

  /// Waits for what is being sent, for so long, and does not wake itself any more.
  ///
  /// What is not sent by then stays in the store.
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

  /// Ends a run, unless it was woken meanwhile; gives whether it ended.
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
