import NIOConcurrencyHelpers

/// A time limit for all running work, with a single timer.
///
/// A timer for each piece of work would occupy memory for the whole limit, long after most work is done. Late work is
/// noticed within a twentieth of the limit.
final class Deadlines: Sendable {
  private struct Running {
    let deadline: ContinuousClock.Instant
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var running: [UInt64: Running] = [:]
    var last: UInt64 = 0
    var isWatched = false
  }

  private let limit: Duration
  private let clients: Clients
  private let state = NIOLockedValueBox(State())

  init(after limit: Duration, for clients: Clients) {
    self.limit = limit
    self.clients = clients
  }

  /// Runs work to its end, and cancels it after the limit or if the client of its channel disconnects.
  ///
  /// Returns the result, and true if the limit cut it off.
  ///
  /// The work runs on Swift's cooperative threads, whatever the caller's executor. Each priority has threads of its
  /// own there, so urgent work does not wait for other work.
  func run<Value: Sendable>(
    for channel: ObjectIdentifier, priority: TaskPriority? = nil,
    _ work: @escaping @Sendable () async -> Value
  ) async -> (value: Value, wasCutOff: Bool) {
    let task = Task(priority: priority) { await work() }
    let id = begin { task.cancel() }
    let value = await withTaskCancellationHandler {
      await clients.whileConnected(channel, task)
    } onCancel: {
      task.cancel()
    }
    // Work that is no longer registered was cut off.
    let wasCutOff = state.withLockedValue { $0.running.removeValue(forKey: id) == nil }
    return (value, wasCutOff)
  }

  private func begin(_ cancel: @escaping @Sendable () -> Void) -> UInt64 {
    let deadline = ContinuousClock.now + limit
    let (id, isFirst) = state.withLockedValue { state in
      state.last += 1
      state.running[state.last] = Running(deadline: deadline, cancel: cancel)
      defer { state.isWatched = true }
      return (state.last, !state.isWatched)
    }
    if isFirst { Task.detached { await self.watch() } }
    return id
  }

  /// Looks for late work until nothing runs.
  private func watch() async {
    repeat {
      try? await Task.sleep(for: limit / 20)
    } while cancelLate()
  }

  /// Cancels late work; returns false if no work is left.
  private func cancelLate() -> Bool {
    let now = ContinuousClock.now
    let (late, isWatched) = state.withLockedValue { state in
      let late = state.running.filter { $0.value.deadline <= now }
      for id in late.keys { state.running[id] = nil }
      state.isWatched = !state.running.isEmpty
      return (Array(late.values), state.isWatched)
    }
    for one in late { one.cancel() }
    return isWatched
  }
}
