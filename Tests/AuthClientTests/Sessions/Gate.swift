import NIOConcurrencyHelpers

/// A door that tests hold closed until everyone is where they should be.
final class Gate: Sendable {
  private let state = NIOLockedValueBox<
    (isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])
  >(
    (false, []))

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLockedValue { state in
        if !state.isOpen { state.waiting.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }

  func open() {
    let waiting = state.withLockedValue { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for waiter in waiting { waiter.resume() }
  }
}

/// Lets other tasks run until something holds; a suite's time limit is the guard against hanging.
func until(_ holds: () -> Bool) async {
  while !holds() {
    await Task.yield()
    try? await Task.sleep(for: .microseconds(200))
  }
}
