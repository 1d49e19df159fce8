/// The calls of one user that are under way, each of which may bring new tokens.
final class CallsInFlight: Sendable {
  private struct State {
    var last = 0
    var open: Set<Int> = []
    var waiters: [Waiter] = []
  }

  /// A caller that waits for the end of some calls.
  private struct Waiter {
    var calls: Set<Int>
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Locked(State())

  /// Begins a call and returns its number for ``end(_:)``.
  func begin() -> Int {
    state.withLock { state in
      state.last += 1
      state.open.insert(state.last)
      return state.last
    }
  }

  func end(_ call: Int) {
    let free = state.withLock { state in
      state.open.remove(call)
      for index in state.waiters.indices { state.waiters[index].calls.remove(call) }
      let free = state.waiters.filter(\.calls.isEmpty)
      state.waiters.removeAll(where: \.calls.isEmpty)
      return free
    }
    for waiter in free { waiter.continuation.resume() }
  }

  /// Waits until the calls that are under way now have ended.
  func settle() async {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        guard !state.open.isEmpty else { return true }
        state.waiters.append(Waiter(calls: state.open, continuation: continuation))
        return false
      }
      if isSettled { continuation.resume() }
    }
  }
}
