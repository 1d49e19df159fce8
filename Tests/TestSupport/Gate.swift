import Synchronization

/// Holds tasks until it is opened, or until enough have arrived.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// Makes a gate that opens when a number of tasks have arrived.
  public init(arrivals: Int = .max) {
    state = Mutex(State(missing: arrivals))
  }

  /// Counts an arrival, without waiting.
  public func arrive() {
    let isLast = state.withLock { state in
      state.missing -= 1
      return state.missing == 0
    }
    if isLast { open() }
  }

  /// Waits until the gate is open.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Opens the gate for all tasks, waiting and later ones.
  public func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
