import NIOConcurrencyHelpers

/// A limit on simultaneous tests.
///
/// With hundreds at once, each would wait longer for its vendors than a server does.
final class Room: Sendable {
  static let shared = Room(places: 6)

  private let state: NIOLockedValueBox<State>

  private struct State {
    var places: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private init(places: Int) {
    state = NIOLockedValueBox(State(places: places))
  }

  func enter() async {
    await withCheckedContinuation { waiter in
      let isFree = state.withLockedValue { state in
        guard state.places == 0 else {
          state.places -= 1
          return true
        }
        state.waiting.append(waiter)
        return false
      }
      if isFree { waiter.resume() }
    }
  }

  func leave() {
    let next = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.places += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
