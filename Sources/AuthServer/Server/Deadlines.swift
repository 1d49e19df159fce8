import NIOConcurrencyHelpers

/// Cancels what takes longer than it may, all of it by one timer.
///
/// A timer for each piece of work would stay for its whole time, long after most are done: with thousands of requests a
/// second that is the greater part of a server's memory. What is late is noticed within a twentieth of the time.
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

  /// Runs work to its end, cancelling it after the limit, or once the client of its channel is gone; gives what came
  /// of it and whether the limit cut it off.
  ///
  /// It runs on Swift's own threads, wherever the caller does. Each priority has threads of its own there, so
  /// urgent work does not wait until those of other work are free.
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
    // What is no longer there was cut off.
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

  /// Looks again and again until nothing runs.
  private func watch() async {
    repeat {
      try? await Task.sleep(for: limit / 20)
    } while cancelLate()
  }

  /// Cancels what is late; false where nothing is left to watch.
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
