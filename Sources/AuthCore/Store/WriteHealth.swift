import Synchronization

/// The health of a store's writes: the end of the last one, or else the result of a probe.
package final class WriteHealth: Sendable {
  private struct State {
    var outage: StoreOutage?
    var checkedAt: ContinuousClock.Instant?
    /// The number of the probe under way.
    var probe: Int?
    var probes = 0
    /// True if the probe under way has taken too long.
    var isLate = false
    var waiting: [CheckedContinuation<StoreOutage?, Never>] = []

    /// The recent result; nil if a probe has to find out.
    var known: StoreOutage?? {
      if isLate { return .some(outage) }
      let lifetime = outage == nil ? WriteHealth.lifetime : WriteHealth.lifetimeOfOutage
      guard let checkedAt, ContinuousClock.now - checkedAt < lifetime else { return nil }
      return .some(outage)
    }
  }

  private let state = Mutex(State())

  /// For how long an answer holds.
  private static let lifetime = Duration.seconds(1)
  /// An outage is to be over soon after its cause is.
  private static let lifetimeOfOutage = Duration.milliseconds(300)
  /// The longest time of a probe.
  private static let patience = Duration.seconds(2)

  package init() {}

  /// Notes that a change was committed; an outage is over only when a probe finds so.
  package func succeeded() {
    state.withLock { if $0.outage == nil { $0.checkedAt = .now } }
  }

  /// Notes why a change failed.
  package func failed(_ outage: StoreOutage) {
    state.withLock { state in
      state.outage = outage
      state.checkedAt = .now
    }
  }

  /// The outage that was noted last and has not been found to be over.
  package var last: StoreOutage? { state.withLock(\.outage) }

  /// The present outage; nil if changes can be written.
  ///
  /// Probes if nothing is known that is recent.
  package func outage(
    probe: @escaping @Sendable () async -> StoreOutage?
  ) async -> StoreOutage? {
    await withCheckedContinuation { continuation in
      let (known, number) = state.withLock { state -> (StoreOutage??, Int?) in
        if let known = state.known { return (known, nil) }
        state.waiting.append(continuation)
        guard state.probe == nil else { return (nil, nil) }
        state.probes += 1
        state.probe = state.probes
        return (nil, state.probes)
      }
      if let known { return continuation.resume(returning: known) }
      guard let number else { return }
      // For all who ask meanwhile, so no part of the task of the first; and it may not come back at all.
      Task { self.finish(number, await probe()) }
      Task {
        try? await Task.sleep(for: Self.patience)
        self.giveUp(number)
      }
    }
  }

  private func finish(_ number: Int, _ outage: StoreOutage?) {
    answer(after: { state in
      guard state.probe == number else { return false }
      state.probe = nil
      state.isLate = false
      state.outage = outage
      return true
    })
  }

  private func giveUp(_ number: Int) {
    answer(after: { state in
      guard state.probe == number else { return false }
      state.isLate = true
      state.outage = StoreOutage(
        .unreachable,
        AuthError(
          .storeUnavailable,
          "The store did not answer within \(Self.patience.components.seconds) seconds.",
          remedy: "Check the store and what else works on it."))
      return true
    })
  }

  /// Answers all who wait, if a change of the state says so.
  private func answer(after change: (inout State) -> Bool) {
    let (waiting, outage) = state.withLock { state in
      guard change(&state) else {
        return ([CheckedContinuation<StoreOutage?, Never>](), nil as StoreOutage?)
      }
      state.checkedAt = .now
      defer { state.waiting = [] }
      return (state.waiting, state.outage)
    }
    for continuation in waiting { continuation.resume(returning: outage) }
  }
}
