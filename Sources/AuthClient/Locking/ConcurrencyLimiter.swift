/// A limit on simultaneous work; further work waits in order of arrival.
///
/// Without it, a burst of calls would all be under way at once, and each could take so long that all of them fail.
final class ConcurrencyLimiter: Sendable {
  private let limit: Int
  private let state = Locked(State())

  /// Makes a limiter for `limit` pieces of work at a time.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of waiting callers.
  var waiting: Int { state.withLock { $0.line.count } }

  /// Runs the work when it is its turn; throws `CancellationError` at once if the task is cancelled before.
  func pass<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await work()
  }

  private func enter() async throws {
    try Task.checkCancellation()
    let name = state.withLock { $0.nextName() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let isIn = state.withLock { state in
          guard state.inside < limit else {
            state.append(Waiter(name: name, continuation: waiter))
            return false
          }
          state.inside += 1
          return true
        }
        if isIn {
          waiter.resume()
        } else if Task.isCancelled {
          // A cancellation before this point had no waiter to resume.
          giveUp(name)
        }
      }
    } onCancel: {
      giveUp(name)
    }
  }

  /// Passes the slot to the first waiter.
  private func leave() {
    let next = state.withLock { state -> Waiter? in
      if let next = state.removeFirst() { return next }
      state.inside -= 1
      return nil
    }
    next?.continuation.resume()
  }

  private func giveUp(_ name: UInt64) {
    let waiter = state.withLock { $0.remove(name) }
    waiter?.continuation.resume(throwing: CancellationError())
  }

  private struct Waiter: Sendable {
    let name: UInt64
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// The number of running pieces of work, and the waiters in order.
  ///
  /// A waiter that gave up leaves a gap.
  private struct State: Sendable {
    var inside = 0
    private(set) var line: [UInt64: Waiter] = [:]
    private var places: [UInt64: UInt64] = [:]
    private var firstPlace: UInt64 = 0
    private var nextPlace: UInt64 = 0
    private var lastName: UInt64 = 0

    mutating func nextName() -> UInt64 {
      lastName += 1
      return lastName
    }

    mutating func append(_ waiter: Waiter) {
      line[nextPlace] = waiter
      places[waiter.name] = nextPlace
      nextPlace += 1
    }

    mutating func removeFirst() -> Waiter? {
      while firstPlace < nextPlace {
        defer { firstPlace += 1 }
        guard let waiter = line.removeValue(forKey: firstPlace) else { continue }
        places[waiter.name] = nil
        return waiter
      }
      return nil
    }

    mutating func remove(_ name: UInt64) -> Waiter? {
      places.removeValue(forKey: name).flatMap { line.removeValue(forKey: $0) }
    }
  }
}
